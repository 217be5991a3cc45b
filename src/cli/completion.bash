# bash completion for pepa
_pepa()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W 'solve transient simulate fluid passage sensitivity experiment optimise fit check states walk graph export lsp serve help --version' -- "$word")
        return
    fi
    case $before in
    --method)
        mapfile -t COMPREPLY < <(compgen -W "$(pepa help methods | cut -d' ' -f1)" -- "$word")
        return ;;
    --precondition)
        mapfile -t COMPREPLY < <(compgen -W \
            'auto none sweep symmetric ilu0 ilut block multilevel' -- "$word")
        return ;;
    --of)
        if [ "$command" = graph ]; then
            mapfile -t COMPREPLY < <(compgen -W 'cooperation components states' -- "$word")
        else
            COMPREPLY=()
        fi
        return ;;
    --csl | --measure | --where | --label | --from | --to | --vary | --within | --subject | --maximise | --minimise | --probe) # an expression
        COMPREPLY=()
        return ;;
    --format)
        if [ "$command" = graph ]; then
            mapfile -t COMPREPLY < <(compgen -W 'dot svg' -- "$word")
            return
        fi
        mapfile -t COMPREPLY < <(compgen -W 'prism tra sta lab drn mtx dot csv pepa' -- "$word")
        return ;;
    help)
        mapfile -t COMPREPLY < <(compgen -W 'solve transient simulate fluid passage sensitivity experiment optimise fit check states walk graph export lsp serve methods' -- "$word")
        return ;;
    esac
    case $word in
    -*)
        mapfile -t COMPREPLY < <(compgen -W \
            "$(pepa help "$command" 2>/dev/null | grep -o '^ *--*[a-zA-Z-]*')" -- "$word") ;;
    *)
        mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}
complete -o filenames -F _pepa pepa
