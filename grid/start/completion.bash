# bash completion for bsprun, bspbench, bsppredict, gum and gumrun
_pepa_grid()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=() command=("$1")
    if [ "$1" = gum ]; then
        if [ "$COMP_CWORD" -eq 1 ]; then
            mapfile -t COMPREPLY < <(compgen -W 'predict activity --help --version' -- "$word")
            return
        fi
        command+=("${COMP_WORDS[1]}")
    fi
    case $before in
    --policy | --model)
        words=(random nearest-loaded busiest predicted) ;;
    esac
    if [ "${#words[@]}" -gt 0 ]; then
        mapfile -t COMPREPLY < <(compgen -W "${words[*]}" -- "$word")
        return
    fi
    case $word in
    -*)
        mapfile -t COMPREPLY < <(compgen -W \
            "$("${command[@]}" --help 2>/dev/null | grep -o '^ *--*[a-zA-Z-]*')" -- "$word") ;;
    *)
        mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}
complete -o filenames -F _pepa_grid bsprun bspbench bsppredict gum gumrun
