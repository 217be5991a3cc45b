#!/bin/sh
# tree-sitter's own generator makes the tables of the grammar, and its parser reads what PEPA reads:
#   tables.sh FOLDER PEPA FILE...
# The generator is the last one written in C++, whose source is in a package of npm; later ones are programs that
# their packages fetch from elsewhere.  It makes LR(1) tables, and names conflicts that the grammar does not declare.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
version=0.12.7
mkdir -p "$1"
folder=$(cd "$1" && pwd)
pepa=$2
shift 2
source=$folder/package/vendor/tree-sitter
if ! [ -d "$source" ]; then
    (cd "$folder" && npm pack --silent tree-sitter-cli@$version >/dev/null && tar xzf tree-sitter-cli-$version.tgz)
fi
text=$source/externals/utf8proc json=$source/externals/json-parser
includes="-I$source/include -I$source/src -I$text -I$json -DUTF8PROC_STATIC"
if ! [ -x "$folder/generate" ]; then
    echo "tree-sitter: compiling the generator"
    # shellcheck disable=SC2046,SC2086
    g++ -std=c++14 -O1 -w -fpermissive $includes -o "$folder/generate" "$here/tables/generate.cc" \
        $(find "$source/src/compiler" -name '*.cc') "$text/utf8proc.c" -x c "$json/json.c" -lm
fi
node "$here/tables/json.js" "$here/grammar.js" >"$folder/grammar.json"
"$folder/generate" <"$folder/grammar.json" >"$folder/parser.c"

# Without the conflicts that are declared it finds the first of them.
sed 's/"conflicts":\[.*\]\],/"conflicts":[],/' "$folder/grammar.json" >"$folder/undeclared.json"
if "$folder/generate" <"$folder/undeclared.json" >/dev/null 2>"$folder/conflict" ||
    ! grep -q '^Unresolved conflict' "$folder/conflict"; then
    echo "tree-sitter: conflicts that are not declared are not found: $(cat "$folder/conflict")" >&2
    exit 1
fi

# shellcheck disable=SC2086
gcc -std=gnu99 -O1 -w $includes -o "$folder/parse" "$here/tables/parse.c" "$folder/parser.c" \
    "$source"/src/runtime/*.c "$text/utf8proc.c"
"$folder/parse" "$@" >"$folder/verdicts"
bad=0
accepted=0
for file; do
    read -r verdict
    if "$pepa" export --format pepa "$file" >/dev/null 2>&1; then
        accepted=$((accepted + 1))
        [ "$verdict" = yes ] || { echo "tree-sitter: $file has errors for it alone" >&2; bad=1; }
    fi
done <"$folder/verdicts"
# What is wrong for every reader of the language.
number=0
for text in 'r = ;' 'P = (a, r)' 'P <a Q' 'P[' 'P = a P;' 'r = 1 +;' 'P = (1, a).P; P' '= P;' 'P = P + ; P' 'r = 1 2;'; do
    number=$((number + 1))
    printf '%s\n' "$text" >"$folder/wrong.pepa"
    [ "$("$folder/parse" "$folder/wrong.pepa")" = no ] || { echo "tree-sitter: no error in '$text'" >&2; bad=1; }
done
[ "$bad" -eq 0 ] && [ "$accepted" -gt 0 ] &&
    echo "tree-sitter: its own parser reads $accepted models, and refuses $number other texts"
