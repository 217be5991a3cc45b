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
    expect_findings("n = 2; r = s; s = 1; w = 2; P = (x, r * Q).P + A; A = (y, w * T).Q;\n"
                    "Q = (z, 1).Q; S = (P[n] || P) / {x}; S",
                    PEPA_OK, "");
}

/* The first place of each, once; names of components may be counted before they are defined. */
Test(check_unused, what_is_counted_and_cannot_be_there)
{
    expect_findings("r = 1 + Q; s = Zed; P = (x, r).R + (y, min(Q, 1) + 1).P; R = (z, 1 + Zed * s).P;\n"
                    "Q = (a, 1).Zed; Zed = (b, 1 + P).Q; P",
                    PEPA_OK,
                    "1:9: warning: no component can be in `Q`: it counts as 0\n"
                    "1:16: warning: no component can be in `Zed`: it counts as 0\n");
    expect_findings("P = (x, 1 + R).Q; Q = (y, 1 + P).R; R = (z, 1).P; P", PEPA_OK, "");
}

Test(check_unused, errors_come_alone)
{
    expect_findings("Server = (a, 1).Server; Sever", PEPA_EMODEL,
                    "1:25: error: undefined process `Sever`; did you mean `Server`?\n");
}
