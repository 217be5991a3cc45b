/* The layout of the public structures is part of the interface: programs built against an older
 * pepa.h go on to work.  New members take the place of reserved words, so that nothing here
 * changes. */
#include <criterion/criterion.h>
#include <stddef.h>
#include <string.h>

#include "pepa_evidence.h"

/* Sizes and offsets are those of 64-bit Linux. */
#define EXPECT_AT(type, member, at)                                                                \
    cr_expect_eq(offsetof(type, member), (size_t)(at), #type "." #member)

Test(layout, of_what_callers_fill_in)
{
    cr_assert_eq(sizeof(void *), 8);
    cr_expect_eq(sizeof(PepaDerive), 88);
    cr_expect_eq(sizeof(PepaSolve), 96);
    cr_expect_eq(sizeof(PepaSettings), 280);
    cr_expect_eq(sizeof(PepaReading), 96);
    cr_expect_eq(sizeof(PepaDefine), 16);
    EXPECT_AT(PepaReading, no_files, 32);
    EXPECT_AT(PepaReading, reserved, 40);
    EXPECT_AT(PepaDerive, separate_copies, 8);
    EXPECT_AT(PepaDerive, explore, 12);
    EXPECT_AT(PepaDerive, diagnose, 16);
    EXPECT_AT(PepaDerive, reserved, 24);
    EXPECT_AT(PepaSolve, tolerance, 16);
    EXPECT_AT(PepaSolve, max_iter, 24);
    EXPECT_AT(PepaSolve, keeping, 32);
    EXPECT_AT(PepaSolve, reserved, 40);
    EXPECT_AT(PepaSettings, memory, 8);
    EXPECT_AT(PepaSettings, progress, 16);
    EXPECT_AT(PepaSettings, user, 24);
    EXPECT_AT(PepaSettings, derive, 32);
    EXPECT_AT(PepaSettings, solve, 120);
    EXPECT_AT(PepaSettings, evidence, 216);
}

Test(layout, of_what_callers_receive)
{
    cr_expect_eq(sizeof(PepaError), 272);
    cr_expect_eq(sizeof(PepaChainInfo), 112);
    cr_expect_eq(sizeof(PepaInfo), 392);
    EXPECT_AT(PepaError, message, 16);
    EXPECT_AT(PepaChainInfo, transitions, 8);
    EXPECT_AT(PepaInfo, method, 40);
    EXPECT_AT(PepaInfo, trail, 72);
    cr_expect_eq(sizeof(PepaAttempt), 96);
    cr_expect_eq(sizeof(PepaDeriveEvidence), 128);
    EXPECT_AT(PepaEvidence, solve, 128);
    EXPECT_AT(PepaSolveEvidence, attempt, 64);
    cr_expect_eq(sizeof(PepaSolveEvidence), 1680);
}

/* A library that is older than the header says so, and does not do half of what is asked for. */
Test(layout, reserved_words_must_be_zero)
{
    static const char text[] = "P = (a, 1).Q; Q = (b, 1).P; P";
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaError err;
    PepaReading how = {0};
    how.reserved[6] = 1;
    cr_expect_eq(pepa_model_parse(&model, "m", text, strlen(text), &how, &err), PEPA_EARG);
    cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), NULL, &err), PEPA_OK);
    for (int part = 0; part < 3; part++) {
        PepaSettings set = {0};
        uint64_t *reserved = part == 0   ? set.reserved
                             : part == 1 ? set.derive.reserved
                                         : set.solve.reserved;
        reserved[part] = 1;
        cr_expect_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_EARG);
        cr_expect(!chain && strstr(err.message, "reserved"), "%s", err.message);
    }
    pepa_model_free(model);
}
