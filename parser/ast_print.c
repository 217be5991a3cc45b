/* Prints a syntax tree as text.  It uses a stack of pieces instead of recursion, so that nesting
 * may have any depth. */
#include <string.h>

#include "parser/ast.h"
#include "base/number.h"

/* How tightly a construct binds; an operand that binds less tightly than its place requires gets
 * parentheses. */
enum {
    COMPONENT,   /* cooperation, from the left */
    ALTERNATIVE, /* choice, from the left */
    SEQUENCE,    /* prefix */
    POSTFIX,     /* P[n] without a set */
    PLAIN,       /* P / {a}, P[n]{a}: what may be followed by [n] */
    RATE = 0,    /* if c then a else b */
    EXPRESSION,  /* a + b, a - b, from the left */
    TERM,        /* a * b, a / b, from the left */
    FACTOR,      /* -a */
    PRIMARY,
    CONDITION = 0, /* a || b, from the left */
    CONJUNCTION,   /* a && b, from the left */
    COMPARISON,    /* a < b */
    NEGATION       /* !a */
};

/* What is still to be printed. */
typedef enum { PIECE_TEXT, PIECE_NODE, PIECE_SET } PieceKind;
typedef struct {
    PieceKind kind;
    int32_t node; /* NODE: print it; SET: print its set */
    int place;    /* NODE: how tightly it must bind there */
    const char *text;
} Piece;

typedef struct {
    const Ast *ast;
    Text *out;
    Piece *pieces; /* the next one last */
    size_t count, cap;
} Printer;

static void later(Printer *printer, Piece piece)
{
    if (!mem_reserve(&printer->pieces, &printer->cap, printer->count + 1, sizeof piece))
        printer->out->failed = true;
    else
        printer->pieces[printer->count++] = piece;
}

static void text_later(Printer *printer, const char *text)
{
    later(printer, (Piece){.kind = PIECE_TEXT, .text = text});
}

static void node_later(Printer *printer, int32_t node, int place)
{
    later(printer, (Piece){.kind = PIECE_NODE, .node = node, .place = place});
}

static void set_later(Printer *printer, int32_t node)
{
    later(printer, (Piece){.kind = PIECE_SET, .node = node});
}

/* ---- names and sets ---------------------------------------------------------------------- */

static bool is_identifier(const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    static const char others[] = "0123456789_'";
    if (!*name || !strchr(letters, *name))
        return false;
    for (; *name; name++)
        if (!strchr(letters, *name) && !strchr(others, *name))
            return false;
    return true;
}

static void print_action(Text *out, const char *name)
{
    bool plain = is_identifier(name) && strcmp(name, "infty") != 0;
    text_add(out, plain ? "%s" : "\"%s\"", name);
}

static void print_process(Text *out, const char *name)
{
    bool plain = is_identifier(name) && *name >= 'A' && *name <= 'Z';
    text_add(out, plain ? "%s" : "\"%s\"", name);
}

static void print_set(Printer *printer, const AstNode *node)
{
    Text *out = printer->out;
    bool angles = node->kind == AST_COOP;
    if (angles && node->word_count <= 0) {
        text_add(out, node->word_count == AST_ALL ? " <*> " : " || ");
        return;
    }
    text_add(out, angles ? " <" : "{");
    for (int32_t i = 0; i < node->word_count; i++) {
        text_add(out, "%s", i ? ", " : "");
        print_action(out, printer->ast->words[node->word + i].name);
    }
    text_add(out, angles ? "> " : "}");
}

/* ---- nodes ------------------------------------------------------------------------------- */

static int tightness(const AstNode *node)
{
    switch (node->kind) {
    case AST_IF:
        return RATE;
    case AST_OR:
        return CONDITION;
    case AST_AND:
        return CONJUNCTION;
    case AST_LESS:
    case AST_LESS_EQUAL:
    case AST_GREATER:
    case AST_GREATER_EQUAL:
    case AST_EQUAL:
    case AST_UNEQUAL:
        return COMPARISON;
    case AST_NOT:
        return NEGATION;
    case AST_ADD:
    case AST_SUB:
        return EXPRESSION;
    case AST_MUL:
    case AST_DIV:
        return TERM;
    case AST_NEG:
        return FACTOR;
    case AST_COOP:
        return COMPONENT;
    case AST_CHOICE:
        return ALTERNATIVE;
    case AST_PREFIX:
        return SEQUENCE;
    case AST_COPIES:
        return node->word_count == 0 ? POSTFIX : PLAIN;
    default:
        return ast_is_rate(node->kind) ? PRIMARY : PLAIN;
    }
}

static void print_leaf(Printer *printer, const AstNode *node)
{
    char number[NUMBER_SIZE];
    switch (node->kind) {
    case AST_NUMBER:
        number_write(node->number, number);
        text_add(printer->out, "%s", number);
        break;
    case AST_RATE:
        text_add(printer->out, "%s", node->name);
        break;
    case AST_PASSIVE:
        text_add(printer->out, "infty");
        break;
    case AST_IMMEDIATE:
        text_add(printer->out, "immediate");
        break;
    case AST_FILE:
        text_add(printer->out, "\"%s\"", node->name);
        break;
    case AST_COUNT:
        if (strcmp(node->name, "T") == 0)
            text_add(printer->out, "\"T\""); /* T itself is passive */
        else
            print_process(printer->out, node->name);
        break;
    default:
        print_process(printer->out, node->name);
        break;
    }
}

/* Between two operands joined from the left, before one operand, or before arguments. */
static const char *operator_text(AstKind kind)
{
    static const char *const texts[] = {
        [AST_ADD] = " + ",
        [AST_SUB] = " - ",
        [AST_MUL] = " * ",
        [AST_DIV] = " / ",
        [AST_NEG] = "-",
        [AST_MIN] = "min(",
        [AST_MAX] = "max(",
        [AST_POW] = "pow(",
        [AST_EXP] = "exp(",
        [AST_LOG] = "log(",
        [AST_SQRT] = "sqrt(",
        [AST_CHOICE] = " + ",
        [AST_ERLANG] = "erlang(",
        [AST_HYPER] = "hyper(",
        [AST_COX] = "cox(",
        [AST_LIST] = ", ",
        [AST_PAIR] = ":",
        [AST_LESS] = " < ",
        [AST_LESS_EQUAL] = " <= ",
        [AST_GREATER] = " > ",
        [AST_GREATER_EQUAL] = " >= ",
        [AST_EQUAL] = " == ",
        [AST_UNEQUAL] = " != ",
        [AST_AND] = " && ",
        [AST_OR] = " || ",
        [AST_NOT] = "!",
        [AST_DET] = "det(",
        [AST_UNIFORM] = "uniform(",
        [AST_LOGNORMAL] = "lognormal(",
        [AST_TRACE] = "trace(",
    };
    return texts[kind];
}

static void print_infix(Printer *printer, const AstNode *node)
{
    int place = tightness(node);
    node_later(printer, node->b, place + 1);
    text_later(printer, operator_text(node->kind));
    node_later(printer, node->a, place);
}

static void print_comparison(Printer *printer, const AstNode *node)
{
    node_later(printer, node->b, EXPRESSION);
    text_later(printer, operator_text(node->kind));
    node_later(printer, node->a, EXPRESSION);
}

static void print_conditional(Printer *printer, const AstNode *node)
{
    const AstNode *branches = &printer->ast->nodes[node->b];
    text_add(printer->out, "if ");
    node_later(printer, branches->b, RATE);
    text_later(printer, " else ");
    node_later(printer, branches->a, RATE);
    text_later(printer, " then ");
    node_later(printer, node->a, CONDITION);
}

static void print_call(Printer *printer, const AstNode *node)
{
    text_add(printer->out, "%s", operator_text(node->kind));
    text_later(printer, ")");
    if (ast_operands(node->kind) == 2) {
        node_later(printer, node->b, RATE);
        text_later(printer, ", ");
    }
    node_later(printer, node->a, RATE);
}

static void print_prefix(Printer *printer, const AstNode *node)
{
    const AstNode *rate = &printer->ast->nodes[node->a];
    const bool priority = rate->kind == AST_PRIORITY;
    text_add(printer->out, "(");
    print_action(printer->out, printer->ast->words[node->word].name);
    if (priority)
        text_add(printer->out, "[%d]", ast_priority(rate));
    text_add(printer->out, ", ");
    node_later(printer, node->b, SEQUENCE);
    text_later(printer, ").");
    node_later(printer, priority ? rate->a : node->a, RATE);
}

static void print_static(Printer *printer, int32_t i)
{
    const AstNode *node = &printer->ast->nodes[i];
    if (node->kind == AST_COOP)
        node_later(printer, node->b, ALTERNATIVE);
    if (node->kind != AST_COPIES || node->word_count > 0)
        set_later(printer, i);
    if (node->kind == AST_HIDE)
        text_later(printer, " / ");
    if (node->kind == AST_COPIES) {
        text_later(printer, "]");
        node_later(printer, node->b, EXPRESSION);
        text_later(printer, "[");
    }
    node_later(printer, node->a,
               node->kind == AST_COOP   ? COMPONENT
               : node->kind == AST_HIDE ? POSTFIX
                                        : PLAIN);
}

static void print_node(Printer *printer, int32_t i, int place)
{
    const AstNode *node = &printer->ast->nodes[i];
    if (tightness(node) < place) {
        text_add(printer->out, "(");
        text_later(printer, ")");
    }
    switch (node->kind) {
    case AST_ADD:
    case AST_SUB:
    case AST_MUL:
    case AST_DIV:
    case AST_CHOICE:
    case AST_AND:
    case AST_OR:
        print_infix(printer, node);
        break;
    case AST_LESS:
    case AST_LESS_EQUAL:
    case AST_GREATER:
    case AST_GREATER_EQUAL:
    case AST_EQUAL:
    case AST_UNEQUAL:
        print_comparison(printer, node);
        break;
    case AST_IF:
        print_conditional(printer, node);
        break;
    case AST_NEG:
    case AST_NOT:
        text_add(printer->out, "%s", operator_text(node->kind));
        node_later(printer, node->a, node->kind == AST_NEG ? FACTOR : NEGATION);
        break;
    case AST_LIST:
    case AST_PAIR:
        node_later(printer, node->b, RATE);
        text_later(printer, operator_text(node->kind));
        node_later(printer, node->a, RATE);
        break;
    case AST_PRIORITY: /* of a rate on its own; that of an activity stands behind the action */
        text_add(printer->out, "priority %d: ", ast_priority(node));
        node_later(printer, node->a, RATE);
        break;
    case AST_PREFIX:
        print_prefix(printer, node);
        break;
    case AST_COOP:
    case AST_HIDE:
    case AST_COPIES:
        print_static(printer, i);
        break;
    default:
        if (ast_operands(node->kind) > 0)
            print_call(printer, node);
        else
            print_leaf(printer, node);
        break;
    }
}

static void print_tree(Printer *printer, int32_t root)
{
    node_later(printer, root, COMPONENT);
    while (printer->count > 0 && !printer->out->failed) {
        Piece piece = printer->pieces[--printer->count];
        if (piece.kind == PIECE_TEXT)
            text_add(printer->out, "%s", piece.text);
        else if (piece.kind == PIECE_NODE)
            print_node(printer, piece.node, piece.place);
        else
            print_set(printer, &printer->ast->nodes[piece.node]);
    }
}

void ast_print(const Ast *ast, Text *out)
{
    Printer printer = {.ast = ast, .out = out};
    for (int32_t i = 0; i < ast->def_count && !out->failed; i++) {
        const AstDef *def = &ast->defs[i];
        if (def->process)
            print_process(out, def->name);
        else
            text_add(out, "%s", def->name);
        text_add(out, " = ");
        print_tree(&printer, def->body);
        text_add(out, ";\n");
    }
    print_tree(&printer, ast->system.body);
    text_add(out, "\n");
    mem_free(printer.pieces);
}

void ast_print_rate(const Ast *ast, int32_t node, Text *out)
{
    Printer printer = {.ast = ast, .out = out};
    print_tree(&printer, node);
    mem_free(printer.pieces);
}
