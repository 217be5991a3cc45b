# bash completion for bsprun, bspbench, bsppredict, gum and gumrun
_pepa_grid()
{
    local word=${COMP_WORDS[COMP_CWORD]}
    case $word in
    -*)
        mapfile -t COMPREPLY < <(compgen -W \
            "$("$1" --help 2>/dev/null | grep -o '^ *--*[a-zA-Z-]*')" -- "$word") ;;
    *)
        mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}
complete -o filenames -F _pepa_grid bsprun bspbench bsppredict gum gumrun
