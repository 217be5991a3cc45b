#include <math.h>

#include "reading.h"

#define MODEL "r = 1; P = (a, r).P;\n"

Test(check_names, defined_twice)
{
    expect_findings("r = 1;\nr = 2; P = (a, r).P;\nP = (a, r).P; P", PEPA_EMODEL,
                    "2:1: error: rate `r` is defined twice; the first time in line 1\n"
                    "3:1: error: process `P` is defined twice; the first time in line 2\n");
    expect_findings("r = 1; \"r\" = (a, r).\"r\"; \"r\"", PEPA_OK, "");
}

Test(check_names, undefined)
{
    expect_findings(MODEL "Q = (a, s).R + S; P || U", PEPA_EMODEL,
                    "2:9: error: undefined rate `s`\n2:12: error: undefined process `R`\n"
                    "2:16: error: undefined process `S`\n2:24: error: undefined process `U`\n");
    expect_findings(MODEL "x = 2 * y; P", PEPA_EMODEL, "2:9: error: undefined rate `y`\n");
    expect_findings(MODEL "Q = (a, R * r).Q; Q", PEPA_EMODEL,
                    "2:9: error: undefined process `R` in a rate\n");
}

Test(check_names, suggestions)
{
    expect_findings("lambda = 1; Server = (a, lamda).Sever; Server", PEPA_EMODEL,
                    "1:26: error: undefined rate `lamda`; did you mean `lambda`?\n"
                    "1:33: error: undefined process `Sever`; did you mean `Server`?\n");
    expect_findings("Server = (a, 2 * Sevrer).Server; Server", PEPA_EMODEL,
                    "1:18: error: undefined process `Sevrer` in a rate; did you mean `Server`?\n");
    expect_findings("P = (a, 1).STOP; P", PEPA_EMODEL,
                    "1:12: error: undefined process `STOP`; did you mean `Stop`?\n");
    expect_findings("Step = (a, 1).Stip; Step", PEPA_EMODEL,
                    "1:15: error: undefined process `Stip`; did you mean `Step`?\n");
    expect_findings("abc = 1; P = (a, xyz).P; P", PEPA_EMODEL,
                    "1:18: error: undefined rate `xyz`\n");
    expect_findings("P = (a, inf).P; P", PEPA_EMODEL,
                    "1:9: error: undefined rate `inf`; the passive rate is `T` or `infty`, that of "
                    "what takes no time `immediate`\n");
}

Test(check_names, reserved)
{
    expect_findings(MODEL "tau = 1; P", PEPA_EMODEL,
                    "2:1: error: `tau` is the hidden action; it cannot name a rate\n");
    expect_findings(MODEL "infty = 1; P", PEPA_EMODEL,
                    "2:1: error: `infty` is the passive rate; it cannot be defined\n");
    expect_findings("immediate = 1; P = (a, immediate).P; P", PEPA_OK,
                    "1:1: warning: `immediate` is a keyword in ipc; here it names an ordinary "
                    "rate\n");
    expect_findings("P = (a, immediate).P; P", PEPA_OK, "");
}

Test(check_names, sets)
{
    expect_findings(MODEL "P <a, tau> P", PEPA_EMODEL,
                    "2:7: error: `tau` cannot be shared: hidden actions never synchronise\n");
    expect_findings(MODEL "P[2]{tau}", PEPA_EMODEL,
                    "2:6: error: `tau` cannot be shared: hidden actions never synchronise\n");
    expect_findings(MODEL "P / {tau}", PEPA_OK, "2:6: warning: `tau` is hidden already\n");
    expect_findings(MODEL "P <a, a> P", PEPA_OK, "2:7: warning: action `a` is in the set twice\n");
    expect_findings(MODEL "P / {a, a}", PEPA_OK, "2:9: warning: action `a` is in the set twice\n");
    expect_findings(MODEL "P[2]{a, a}", PEPA_OK, "2:9: warning: action `a` is in the set twice\n");
    expect_findings(MODEL "P <a> P <a> P", PEPA_OK, "");
}

Test(check_names, stop)
{
    Model *model = expect_model("P = (a, 1).Stop; P");
    cr_assert_eq(model->local_count, 2);
    cr_expect_str_eq(model->locals[1].name, "Stop");
    cr_expect_eq(model->locals[1].count, 0);
    model_free(model);
    model = expect_model("P = (a, 1).Stop; Stop = (b, 1).P; P");
    cr_expect_eq(model->locals[find_local(model, "Stop")].count, 1);
    model_free(model);
}

/* ---- defines ----------------------------------------------------------------------------- */

static PepaStatus read_with(const char *text, PepaDefine define, Model **model, PepaError *err)
{
    DiagList diags = {0};
    PepaStatus status = model_read(model, "test.pepa", text, strlen(text), &define, 1, &diags, err);
    diag_free(&diags);
    return status;
}

Test(check_names, defines)
{
    Model *model = NULL;
    PepaError err;
    const char *text = "rate = 1 / 0; double = 2 * rate; P = (a, double).P; P";
    cr_assert_eq(read_with(text, (PepaDefine){"rate", 2.5}, &model, &err), PEPA_OK);
    cr_expect_eq(model->rates[find_rate(model, "double")].value.value, 5);
    cr_expect_eq(model->rates[find_rate(model, "rate")].value.value, 2.5);
    Value values[2];
    model_rate_values(model, NULL, values);
    cr_expect_eq(values[find_rate(model, "double")].value, 5);
    model_free(model);

    model = NULL;
    cr_expect_eq(read_with(text, (PepaDefine){"raet", 1}, &model, &err), PEPA_EARG);
    cr_expect_str_eq(err.message, "the model has no rate `raet`; did you mean `rate`?");
    cr_expect_eq(read_with(text, (PepaDefine){"rate", HUGE_VAL}, &model, &err), PEPA_EARG);
    cr_expect_str_eq(err.message, "the value given for rate `rate` is not finite");
    cr_expect_eq(read_with(text, (PepaDefine){"rate", 0}, &model, &err), PEPA_EMODEL);
    cr_expect_null(model);
}

Test(check_names, a_define_breaks_a_cycle)
{
    Model *model = NULL;
    PepaError err;
    cr_assert_eq(read_with("r = s; s = r; P = (a, s).P; P", (PepaDefine){"r", 3}, &model, &err),
                 PEPA_OK);
    cr_expect_eq(model->rates[find_rate(model, "s")].value.value, 3);
    model_free(model);
}

/* A statement that cannot be read does not hide what is wrong elsewhere, and the name that it may
 * define is not reported as undefined. */
Test(check_names, beside_syntax_errors)
{
    expect_findings("r = 1\nP = (a, r).Q;\nQ = (b, s)P; P", PEPA_ESYNTAX,
                    "1:6: error: missing `;`\n3:9: error: undefined rate `s`\n"
                    "3:11: error: missing `.` between an activity and what follows\n");
    expect_findings("r = 1; P = (a, ).P; Q = (a, s).Q; P <c> R", PEPA_ESYNTAX,
                    "1:16: error: unexpected `)`; expected a rate\n"
                    "1:29: error: undefined rate `s`\n1:41: error: undefined process `R`\n");
    expect_findings("r = ; p = (a, r).P; Q = (a, r).P + (b, s).Q; P <a> Q", PEPA_ESYNTAX,
                    "1:5: error: unexpected `;`; expected a rate\n"
                    "1:13: error: unexpected `,` in the definition of rate `p`; if a process is "
                    "meant, its name must start with an upper-case letter\n"
                    "1:40: error: undefined rate `s`\n");
    expect_findings("P = (a, 1\nQ = (b, s).Q; P <a> Q <b> R", PEPA_ESYNTAX,
                    "1:10: error: unexpected end of the definition; expected `)` or an operator\n"
                    "2:9: error: undefined rate `s`\n2:27: error: undefined process `R`\n");
    expect_findings("P = (a, foo(2)).Q; P <a,> P", PEPA_ESYNTAX,
                    "1:9: error: no function `foo`; there are min, max, pow, exp, log and sqrt, "
                    "the phase types erlang, hyper and cox, and the durations det, uniform, "
                    "lognormal and trace\n"
                    "1:17: error: undefined process `Q`\n"
                    "1:25: error: unexpected `>`; expected an action\n");
}

/* What the statements that can be read mean is checked in every pass. */
Test(check_names, meaning_beside_syntax_errors)
{
    expect_findings("r = 0; s = ; P = (a, r).P; Q = Q; R = (b, 1).(P <a> P); P <a> ", PEPA_ESYNTAX,
                    "1:1: error: rate `r` is 0, but activity `(a, r)` in line 1 needs a rate > 0\n"
                    "1:12: error: unexpected `;`; expected a rate\n"
                    "1:28: error: process `Q` is unguarded: Q -> Q without an activity in between\n"
                    "1:49: error: cooperation inside a sequential component: a choice or prefix "
                    "has sequential components only\n"
                    "1:63: error: unexpected end of the text; expected a process\n");
}
