# A pipeline of n stages: 3^n states.
BEGIN {
    for (i = 1; i <= n; i++) {
        printf "S%d = (move%d, T).(work%d, 10).(move%d, T).S%d;\n", i, i, i, i + 1, i
        system_equation = system_equation "S" i " <move" (i + 1) "> "
    }
    printf "N1 = (move1, 9).N1; N = (move%d, 8).N;\n", n + 1
    for (i = 2; i <= n; i++) {
        printf "M%d = (move%d, 7).M%d;\n", i, i, i
        between = between (i > 2 ? " || " : "") "M" i
        moves = moves (i > 2 ? ", " : "") "move" i
    }
    print "N1 <move1> (" system_equation "N) <" moves "> (" between ")"
}
