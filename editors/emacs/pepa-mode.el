;;; pepa-mode.el --- PEPA models, and descriptions for amoget  -*- lexical-binding: t -*-

;; Package-Requires: ((emacs "26.1"))

;;; Commentary:

;; Put this folder on `load-path' and say (require 'pepa-mode).  With eglot, which comes with Emacs
;; from 29 on, M-x eglot starts `pepa lsp': findings while typing, hovers, definitions, renaming,
;; completion, layout.

;;; Code:

(defvar pepa-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?' "w" table)
    (modify-syntax-entry ?/ ". 124b" table)
    (modify-syntax-entry ?* ". 23" table)
    (modify-syntax-entry ?% "< b" table)
    (modify-syntax-entry ?\n "> b" table)
    (modify-syntax-entry ?\" "\"" table)
    (dolist (operator '(?+ ?- ?= ?< ?> ?& ?| ?! ?# ?: ?. ?, ?\;))
      (modify-syntax-entry operator "." table))
    table)
  "Syntax of `pepa-mode'.")

(defconst pepa--name "[A-Za-z][A-Za-z0-9_']*")

(defconst pepa-font-lock-keywords
  `((,(regexp-opt '("if" "then" "else" "infty" "immediate") 'words) . font-lock-keyword-face)
    (,(concat "(\\s-*\\(" pepa--name "\\)\\s-*\\(?:\\[[0-9]+\\]\\)?\\s-*,")
     1 font-lock-function-name-face)
    (,(regexp-opt '("min" "max" "pow" "exp" "log" "sqrt" "erlang" "hyper" "cox" "det" "uniform"
                    "lognormal" "trace")
                  'words)
     . font-lock-builtin-face)
    (,(regexp-opt '("T" "Stop" "tau") 'words) . font-lock-constant-face)
    (,(concat "^\\s-*#?\\s-*\\(" pepa--name "\\)\\s-*:?=[^=]") 1 font-lock-variable-name-face)
    ("\\<[A-Z][A-Za-z0-9_']*\\>" . font-lock-type-face))
  "Faces of `pepa-mode'.")

;; A line `% name = expression;' is a definition of the PEPA Workbench, not a comment.
(defun pepa--propertize (start end)
  "Let the `%' of definitions from START to END begin no comment."
  (goto-char start)
  (while (re-search-forward
          (concat "^[ \t]*\\(%\\)[ \t]*[a-z][A-Za-z0-9_']*[ \t]*:?=[^=;\n][^;\n]*;") end t)
    (put-text-property (match-beginning 1) (match-end 1) 'syntax-table '(1))))

(defun pepa-indent-line ()
  "Indent lines that go on with a statement.
Those that begin with + stand below the =."
  (interactive)
  (let ((column 0)
        (plus (save-excursion (back-to-indentation) (eq (char-after) ?+))))
    (save-excursion
      (beginning-of-line)
      (forward-comment (- (point)))
      (unless (or (bobp) (eq (char-before) ?\;))
        (setq column 4)
        (when plus
          (beginning-of-line)
          (while (and (not (bobp)) (looking-at "[ \t]*\\+"))
            (forward-line -1))
          (when (looking-at "[^=\n]*?\\(:?=\\)")
            (setq column (save-excursion (goto-char (match-beginning 1)) (current-column)))))))
    (save-excursion (indent-line-to column))
    (when (< (current-column) column)
      (back-to-indentation))))

;;;###autoload
(define-derived-mode pepa-mode prog-mode "PEPA"
  "Models in PEPA."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "\\(?://+\\|/\\*+\\|%+\\)\\s-*")
  (setq-local font-lock-defaults '(pepa-font-lock-keywords))
  (setq-local syntax-propertize-function #'pepa--propertize)
  (setq-local indent-line-function #'pepa-indent-line)
  (setq-local indent-tabs-mode nil)
  (setq-local imenu-generic-expression
              `((nil ,(concat "^\\s-*#?\\s-*\\(" pepa--name "\\)\\s-*:?=[^=]") 1))))

(defconst amoget-font-lock-keywords
  `((,(regexp-opt '("pipeline" "processors" "network" "mappings" "program") 'words)
     . font-lock-type-face)
    (,(regexp-opt '("stage" "work" "output" "phases" "time" "availability" "cores" "memory"
                    "cluster" "address" "latency" "bandwidth" "default" "local" "input" "size" "sharing"
                    "transfer" "include" "max-age")
                  'words)
     . font-lock-keyword-face))
  "Faces of `amoget-mode'.")

;;;###autoload
(define-derived-mode amoget-mode prog-mode "amoget"
  "Descriptions for amoget and taag."
  (modify-syntax-entry ?# "<")
  (modify-syntax-entry ?\n ">")
  (setq-local comment-start "# ")
  (setq-local comment-end "")
  (setq-local font-lock-defaults '(amoget-font-lock-keywords))
  (setq-local indent-tabs-mode nil))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.pepa\\'" . pepa-mode))
;;;###autoload
(add-to-list 'auto-mode-alist '("\\.amo\\'" . amoget-mode))

(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '((pepa-mode amoget-mode) . ("pepa" "lsp"))))

(provide 'pepa-mode)
;;; pepa-mode.el ends here
