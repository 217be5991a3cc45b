// tree-sitter's generator as a program: a grammar in JSON on standard input, a parser in C on standard output.
#include <iostream>
#include <iterator>
#include <string>
#include <tree_sitter/compiler.h>

int main()
{
    std::string grammar{std::istreambuf_iterator<char>(std::cin), {}};
    TSCompileResult result = ts_compile_grammar(grammar.c_str(), nullptr);
    if (result.error_type != TSCompileErrorTypeNone) {
        std::cerr << result.error_message << "\n";
        return 1;
    }
    std::cout << result.code;
    return 0;
}
