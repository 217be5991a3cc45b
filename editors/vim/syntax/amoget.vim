" descriptions for amoget and taag; doc/amoget.1 has the language
if exists('b:current_syntax')
  finish
endif

syntax case match
syntax match amogetName /\<[A-Za-z_][A-Za-z0-9_]*\>/
syntax match amogetNumber /[-+]\?\%(\<\d\+\%(\.\d*\)\?\|\.\d\+\)\%([eE][+-]\?\d\+\)\?/
syntax keyword amogetBlock pipeline processors network mappings program
syntax keyword amogetKeyword stage work output phases time availability cores memory cluster address
syntax keyword amogetKeyword latency bandwidth default local input size sharing transfer include
syntax match amogetKeyword /\<max-age\>/
syntax match amogetString /"[^"]*"/
syntax match amogetComment /#.*$/ contains=@Spell

highlight default link amogetName Identifier
highlight default link amogetNumber Number
highlight default link amogetBlock Structure
highlight default link amogetKeyword Keyword
highlight default link amogetString String
highlight default link amogetComment Comment

let b:current_syntax = 'amoget'
