/* The generated parser at work:  parse FILE...  says `yes` or `no` of each, a line each: is it a sentence? */
#include <stdio.h>
#include <stdlib.h>
#include <tree_sitter/runtime.h>

extern const TSLanguage *tree_sitter_pepa(void);

int main(int argc, char **argv)
{
    static char text[1 << 20];
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, tree_sitter_pepa()))
        return 2;
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (!file)
            return 2;
        size_t length = fread(text, 1, sizeof text, file);
        fclose(file);
        TSTree *tree = ts_parser_parse_string(parser, NULL, text, (uint32_t)length);
        puts(ts_node_has_error(ts_tree_root_node(tree)) ? "no" : "yes");
        ts_tree_delete(tree);
    }
    ts_parser_delete(parser);
    return 0;
}
