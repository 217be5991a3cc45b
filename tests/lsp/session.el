;;; session.el --- Eglot and `pepa lsp' in one Emacs  -*- lexical-binding: t -*-
;; Run by test_emacs.py, in batch, in a folder with the files that it opens.  Prints "ok" at the end.

(setq load-prefer-newer t)
(package-initialize)
(require 'eglot)
(require 'ert)
(require 'flymake)
(require 'pepa-mode)

(setq eglot-sync-connect 30
      eglot-connect-timeout 60
      eglot-autoshutdown t
      eglot-confirm-server-initiated-edits nil)

(defun session-open (file mode)
  "Visit FILE, whose mode is MODE, and start the server as the recipe in doc/lsp.md does."
  (find-file file)
  (should (eq major-mode mode))
  (apply #'eglot (eglot--guess-contact))
  (should (eglot-current-server)))

(defun session-wait (what holds)
  "Wait until HOLDS gives something, which is returned; WHAT is said where it never does."
  (let ((until (time-add nil 60)) (result nil))
    (while (and (not (setq result (funcall holds))) (time-less-p nil until))
      (accept-process-output nil 0.05))
    (or result (error "never came: %s; findings: %S" what (session-findings)))))

(defun session-send ()
  "Send changes, which Emacs does when it is idle: in batch it never is."
  (eglot--signal-textDocument/didChange))

(defun session-findings ()
  "The texts of the findings that flymake has."
  (session-send)
  (flymake-start)
  (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun session-hover (text)
  "What the server says about the first TEXT."
  (goto-char (point-min))
  (search-forward text)
  (backward-char)
  (let ((answer (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                 (eglot--TextDocumentPositionParams))))
    (plist-get (plist-get answer :contents) :value)))

(defun session-contents (text)
  (should (equal (buffer-substring-no-properties (point-min) (point-max)) text)))

;; A model: a finding that is mended, a hover, a renaming, the layout, the definition, the outline.
(session-open "model.pepa" 'pepa-mode)
(session-wait "an error" (lambda () (seq-some (lambda (text) (string-match-p "`nu`" text))
                                              (session-findings))))
(goto-char (point-min))
(search-forward "nu")
(replace-match "mu")
(session-wait "no error" (lambda () (null (session-findings))))
(should (string-match-p "rate `lambda` = 2, 1 use" (session-hover "lambda")))
(goto-char (point-min))
(search-forward "Busy")
(eglot-rename "Working")
(session-contents "lambda=2;\nmu = lambda;\nIdle=(arrive,1).Working;\nWorking=(serve,mu).Idle;\nIdle\n")
(eglot-format-buffer)
(session-contents "lambda  = 2;\nmu      = lambda;\nIdle    = (arrive, 1).Working;\nWorking = (serve, mu).Idle;\nIdle\n")
(goto-char (point-min))
(search-forward "arrive, 1).Wor")
(session-send)
(call-interactively #'xref-find-definitions)
(should (looking-at-p "Working *= (serve"))
(should (string-search "\"Idle\"" (format "%S" (eglot-imenu))))
(save-buffer)
(goto-char (point-max))
(insert "(")
(session-send)
(should-error (eglot-rename "Idle"))
(set-buffer-modified-p nil)

;; A description: the same.
(session-open "machine.amo" 'amoget-mode)
(session-wait "no error" (lambda () (null (session-findings))))
(should (string-match-p "value `slow` = 0.003 s, 2 uses" (session-hover "slow")))
(goto-char (point-min))
(search-forward "slow")
(eglot-rename "link")
(eglot-format-buffer)
(session-contents (concat "link = 3 ms;\npipeline { stage a;  stage b; }\n"
                          "processors { p time link;  q time 1; }\n"
                          "network {\n  latency default link;\n  latency local   1 us;\n}\n"))
(save-buffer)
(eglot-shutdown-all)
(princ "ok\n")
;;; session.el ends here
