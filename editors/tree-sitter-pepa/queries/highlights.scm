(comment) @comment
(number) @number
(passive) @constant.builtin
(rate_definition name: (lower_name) @variable)
(rate_name) @variable
(process_name) @type
(count) @type
(action_name) @function
(quoted_name) @string
(call function: (lower_name) @function.builtin)
["if" "then" "else"] @keyword
["+" "-" "*" "/" "<" ">" "<=" ">=" "==" "!=" "&&" "||" "!" "=" ":="] @operator
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" "." ":"] @punctuation.delimiter
