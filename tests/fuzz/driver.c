/* A stand-in for libFuzzer where there is only gcc: mutates a corpus, repeatably.
 *   fuzz_x RUNS FILE...
 * Every input is a random splice of the files with random edits; the seed is printed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 2048 };

static uint64_t state;

static uint32_t roll(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)((state >> 11) % below);
}

typedef struct {
    uint8_t *text;
    size_t length;
} File;

static File load(const char *path)
{
    File file = {calloc(1, 1 << 20), 0};
    FILE *from = fopen(path, "rb");
    if (!from || !file.text) {
        (void)fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    file.length = fread(file.text, 1, 1 << 20, from);
    (void)fclose(from);
    return file;
}

static size_t edit(uint8_t *text, size_t length)
{
    static const char *const words[] = {"<",     ">",    "(",   ")",    "T",  "infty", "+",
                                        ";",     "=",    "[2]", "/{a}", "||", ".",     ",",
                                        "1e999", "\"",   "/*",  "%",    "#",  "P",     "Stop",
                                        "tau",   "min(", "0",   "-1",   "\n", "\0x"};
    size_t at = length ? roll((uint32_t)length) : 0;
    switch (roll(4)) {
    case 0:
        if (length)
            text[at] = (uint8_t)roll(256);
        return length;
    case 1: {
        size_t cut = roll(20);
        cut = cut > length - at ? length - at : cut;
        memmove(text + at, text + at + cut, length - at - cut);
        return length - cut;
    }
    case 2: {
        const char *word = words[roll(sizeof words / sizeof *words)];
        size_t n = strlen(word);
        if (length + n > MOST)
            return length;
        memmove(text + at + n, text + at, length - at);
        memcpy(text + at, word, n);
        return length + n;
    }
    default: {
        size_t n = roll(40), from = length ? roll((uint32_t)length) : 0;
        n = n > length - from ? length - from : n;
        if (length + n > MOST)
            return length;
        memmove(text + at + n, text + at, length - at);
        memmove(text + at, text + (from >= at ? from + n : from), n);
        return length + n;
    }
    }
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    int runs = atoi(argv[1]), files = argc - 2;
    File *corpus = calloc((size_t)files, sizeof *corpus);
    const char *seed = getenv("PEPA_TEST_SEED");
    uint64_t base = seed ? strtoull(seed, NULL, 10) : 20040607;
    if (!corpus)
        return 2;
    for (int i = 0; i < files; i++)
        corpus[i] = load(argv[i + 2]);
    for (int run = 0; run < runs; run++) {
        uint8_t text[2 * MOST];
        state = base * 0x9e3779b97f4a7c15u + (uint64_t)run + 1;
        (void)roll(2);
        const File *file = &corpus[roll((uint32_t)files)];
        size_t skip = file->length > MOST ? roll((uint32_t)(file->length - MOST)) : 0;
        size_t length = file->length - skip > MOST ? MOST : file->length - skip;
        memcpy(text, file->text + skip, length);
        for (uint32_t edits = roll(8); edits > 0; edits--)
            length = edit(text, length);
        (void)LLVMFuzzerTestOneInput(text, length);
    }
    (void)printf("%s: %d inputs, seed %llu: no crash\n", argv[0], runs, (unsigned long long)base);
    for (int i = 0; i < files; i++)
        free(corpus[i].text);
    free(corpus);
    return 0;
}
