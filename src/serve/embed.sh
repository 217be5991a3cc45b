#!/bin/sh
# Prints the files of the page as arrays of C: pepa-serve needs no file for them.
set -eu
printf '/* Made by src/serve/embed.sh of the files in src/serve/page. */\n'
n=0
for file in "$@"; do
    printf 'static const unsigned char page_%d[] = {\n' "$n"
    od -An -v -tu1 "$file" | sed 's/  *\([0-9]*\)/\1,/g'
    printf '};\n'
    n=$((n + 1))
done
printf 'static const struct {\n    const char *name, *type;\n    const unsigned char *bytes;\n'
printf '    size_t length;\n} page_files[] = {\n'
n=0
for file in "$@"; do
    case $file in
    *.html) type='text/html; charset=utf-8' ;;
    *.css) type='text/css; charset=utf-8' ;;
    *.js) type='text/javascript; charset=utf-8' ;;
    *.svg) type='image/svg+xml' ;;
    *) echo "embed: what is $file?" >&2; exit 1 ;;
    esac
    printf '    {"%s", "%s", page_%d, sizeof page_%d},\n' "${file##*/}" "$type" "$n" "$n"
    n=$((n + 1))
done
printf '};\n'
