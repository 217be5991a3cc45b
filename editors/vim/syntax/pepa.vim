" PEPA models; doc/pepa.5 has the language
if exists('b:current_syntax')
  finish
endif

syntax case match
syntax match pepaRate /\<[a-z][A-Za-z0-9_']*\>/
syntax match pepaProcess /\<[A-Z][A-Za-z0-9_']*\>/
syntax match pepaNumber /\%(\<\d\+\%(\.\d*\)\?\|\.\d\+\)\%([eE][+-]\?\d\+\)\?/
syntax match pepaQuoted /"[^"]*"/
syntax match pepaOperator /||\|&&\|[<>=!]=\|:=\|[-+*\/=!<>#]/
syntax match pepaDelimiter /[][(){},;.:]/
" the action of an activity, and those of a set
syntax match pepaAction /\%((\s*\)\@<=\%([A-Za-z][A-Za-z0-9_']*\|"[^"]*"\)\ze\s*\%(\[\d\+\]\)\?\s*,/
syntax match pepaSet /<\s*\%(\%([A-Za-z][A-Za-z0-9_']*\|"[^"]*"\)\s*,\?\s*\)*>\|<\s*\*\s*>/ contains=pepaSetName
syntax match pepaHidden /{[^}]*}/ contains=pepaSetName
syntax match pepaSetName /[A-Za-z][A-Za-z0-9_']*\|"[^"]*"/ contained
" the name that a statement defines
syntax match pepaDefined /\%(^\s*#\?\s*\)\@<=\%([A-Za-z][A-Za-z0-9_']*\|"[^"]*"\)\ze\s*:\?==\@!/
syntax keyword pepaKeyword if then else infty immediate
syntax keyword pepaFunction min max pow exp log sqrt erlang hyper cox det uniform lognormal trace
syntax keyword pepaConstant T Stop tau
syntax match pepaComment /\/\/.*$/ contains=@Spell
" a line `% name = expression;` is a definition, any other `%` begins a comment
syntax match pepaComment /%.*$/ contains=@Spell
syntax match pepaMark /^\s*%\ze\s*[a-z][A-Za-z0-9_']*\s*:\?=[^=;]*;/
syntax region pepaComment start=/\/\*/ end=/\*\// contains=@Spell
syntax sync ccomment pepaComment

highlight default link pepaRate Identifier
highlight default link pepaProcess Type
highlight default link pepaNumber Number
highlight default link pepaQuoted String
highlight default link pepaOperator Operator
highlight default link pepaDelimiter Delimiter
highlight default link pepaAction Function
highlight default link pepaSet Delimiter
highlight default link pepaHidden Delimiter
highlight default link pepaSetName Function
highlight default link pepaDefined Statement
highlight default link pepaKeyword Keyword
highlight default link pepaFunction Function
highlight default link pepaConstant Constant
highlight default link pepaComment Comment
highlight default link pepaMark PreProc

let b:current_syntax = 'pepa'
