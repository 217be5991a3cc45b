# bash completion for taag
_taag_options() # of the command $1, by the sections of the help
{
    taag --help 2>/dev/null | awk -v command="$1" '
        /^Options of taag map/ { part = "map" }
        /^Of taag run/ { part = "run" }
        /^Of taag probe/ { part = "probe" }
        /^ *--/ && (part == command || (part == "map" && command == "run" && !/--(json|model)/)) { print $1 }'
}
_taag()
{
    local word=${COMP_WORDS[COMP_CWORD]}
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W 'map run probe help --help --version' -- "$word")
        return
    fi
    if [ "${COMP_WORDS[COMP_CWORD-1]}" = --by ]; then
        mapfile -t COMPREPLY < <(compgen -W 'latency time' -- "$word")
        return
    fi
    case $word in
    -*)
        mapfile -t COMPREPLY < <(compgen -W "$(_taag_options "${COMP_WORDS[1]}")" -- "$word") ;;
    *)
        mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}
complete -o filenames -F _taag taag
