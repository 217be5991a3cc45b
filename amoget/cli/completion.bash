# bash completion for amoget
_amoget()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    case $before in
    --search)
        mapfile -t COMPREPLY < <(compgen -W 'listed all best' -- "$word")
        return ;;
    esac
    case $word in
    -*)
        mapfile -t COMPREPLY < <(compgen -W \
            "$(amoget --help 2>/dev/null | grep -o '^ *--*[a-zA-Z-]*')" -- "$word") ;;
    *)
        mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}
complete -o filenames -F _amoget amoget
