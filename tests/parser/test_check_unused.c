#include "reading.h"

Test(check_unused, rates_and_processes)
{
    expect_findings("a = 1; b = c; c = 2;\nP = (x, a).P; Q = (x, c).R; R = (y, c).Q; P", PEPA_OK,
                    "1:8: warning: rate `b` is never used\n1:15: warning: rate `c` is never used\n"
                    "2:15: warning: process `Q` is never used\n"
                    "2:29: warning: process `R` is never used\n");
}

Test(check_unused, every_kind_of_use)
{
    expect_findings("n = 2; r = s; s = 1; w = 2; P = (x, r * Q).P + A; A = (y, w * T).Stop;\n"
                    "Q = (z, 1).Q; S = (P[n] || P) / {x}; S",
                    PEPA_OK, "");
}

Test(check_unused, errors_come_alone)
{
    expect_findings("Server = (a, 1).Server; Sever", PEPA_EMODEL,
                    "1:25: error: undefined process `Sever`; did you mean `Server`?\n");
}
