/* Rows cut into pieces, and which pieces have to do with each other.  Private to the plan. */
#ifndef PEPA_SOLVERS_SCHEDULE_ROWS_PIECES_H
#define PEPA_SOLVERS_SCHEDULE_ROWS_PIECES_H

#include "base/workers.h"
#include "solvers/solver.h"

/* What takes how long, in entries: less than a nanosecond each. */
#define COST_ROW    2.0      /* besides its entries */
#define COST_PIECE  300.0    /* to take one, and to see how far the others have come */
#define COST_TOLD   300.0    /* until another thread sees that one is done */
#define COST_LINK   400.0    /* to go to another place in the vector */
#define COST_FETCH  1.5      /* an entry that reads what another thread has just written */
#define COST_RECENT 150000.0 /* for how long that counts as just: then it has left its cache */
#define COST_BEGIN  10000.0  /* of a sweep by several threads */

/* `ties` entries of the matrix join rows of a piece and of an earlier one. */
typedef struct {
    int32_t early, ties;
} RowsLink;

/* Piece p: rows first[p] .. first[p + 1] - 1; its links, with earlier pieces only, are
 * link[begin[p] .. begin[p + 1]), one or two with each. */
typedef struct {
    int32_t pieces, *first;
    size_t *begin;
    RowsLink *link;
    size_t count, room; /* of links */
} RowsPieces;           /* starts as {0} */

/* Pieces of about `grain` rows, the same whoever helps to find them.  Two passes over the columns.
 * False: memory is out. */
bool rows_pieces_new(RowsPieces *out, const Flow *flow, int32_t grain, Workers *workers);
/* Pieces of about `grain` rows, each of some neighbouring ones of these.  O(links). */
bool rows_pieces_join(RowsPieces *out, const RowsPieces *fine, int32_t grain);
/* For rows that come in lines, each of which has to wait for the one before, such as the states
 * that are so many steps away from the first: parts of lines, those at about the same place of all
 * lines for the same thread.  owner: of each piece; to be freed.  Three passes over the columns. */
bool rows_pieces_line_up(RowsPieces *out, uint8_t **owner, const Flow *flow, int32_t threads,
                         int32_t grain, Workers *workers);
void rows_pieces_free(RowsPieces *pieces);

#endif
