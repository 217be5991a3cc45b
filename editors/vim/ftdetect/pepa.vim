autocmd BufNewFile,BufRead *.pepa setfiletype pepa
autocmd BufNewFile,BufRead *.amo setfiletype amoget
