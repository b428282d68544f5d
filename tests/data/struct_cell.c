/* The proof that the struct-compatible games are what a C program expects.
 *
 * The interface itself, as a student would write it: plain loops and recursion over the
 * pointers.  A walk over the pointers of a game that somebody else initialised.  A driver that
 * owns the memory and plays through two function pointers.  Nothing here knows of Python.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "struct_cell.h"

enum { GARBAGE = 0xA5 };

typedef void init_function(struct cell *game, int dim, int *dim_sizes, int num_mines, int **mined_cells);
typedef int select_function(struct cell *game, int dim, int *dim_sizes, int *coords);

/* The interface ------------------------------------------------------------------------------ */

static long cells_of(int dim, int *dim_sizes) {
    long cells = 1;
    for (int d = 0; d < dim; d++) cells *= dim_sizes[d];
    return cells;
}

static struct cell *find(struct cell *game, int dim, int *dim_sizes, int *coords) {
    long index = 0;
    for (int d = 0; d < dim; d++) index = index * dim_sizes[d] + coords[d];
    return game + index;
}

/* Picks a coordinate near the cell's on one axis after the other, and links the cell found at the end. */
static void link_cells(struct cell *game, int dim, int *dim_sizes, struct cell *cell, int axis, int *near) {
    if (axis == dim) {
        struct cell *other = find(game, dim, dim_sizes, near);
        if (other != cell) cell->adjacent[cell->num_adjacent++] = other;
        return;
    }
    for (int step = -1; step <= 1; step++) {
        near[axis] = cell->coords[axis] + step;
        if (near[axis] >= 0 && near[axis] < dim_sizes[axis])
            link_cells(game, dim, dim_sizes, cell, axis + 1, near);
    }
}

void init_game(struct cell *game, int dim, int *dim_sizes, int num_mines, int **mined_cells) {
    long cells = cells_of(dim, dim_sizes);
    int near[MAX_DIM];
    for (long i = 0; i < cells; i++) {
        struct cell *cell = game + i;
        cell->mined = cell->selected = cell->num_adjacent = cell->hint = 0;
        for (int k = 0; k < MAX_ADJACENT; k++) cell->adjacent[k] = NULL;
        for (int d = 0; d < MAX_DIM; d++) cell->coords[d] = 0;
        long rest = i;
        for (int d = dim - 1; d >= 0; d--) {
            cell->coords[d] = (int)(rest % dim_sizes[d]);
            rest /= dim_sizes[d];
        }
        link_cells(game, dim, dim_sizes, cell, 0, near);
    }
    for (int m = 0; m < num_mines; m++) find(game, dim, dim_sizes, mined_cells[m])->mined = 1;
    for (long i = 0; i < cells; i++)
        for (int k = 0; k < game[i].num_adjacent; k++) game[i].hint += game[i].adjacent[k]->mined;
}

static void open_cell(struct cell *cell) {
    cell->selected = 1;
    if (cell->hint > 0) return;
    for (int k = 0; k < cell->num_adjacent; k++)
        if (!cell->adjacent[k]->selected) open_cell(cell->adjacent[k]);
}

int select_cell(struct cell *game, int dim, int *dim_sizes, int *coords) {
    struct cell *cell = find(game, dim, dim_sizes, coords);
    if (cell->mined) {
        cell->selected = 1;
        return 1;
    }
    if (!cell->selected) open_cell(cell);
    return 0;
}

/* A walk over somebody's game ---------------------------------------------------------------- */

static int is_cell(struct cell *game, long cells, struct cell *pointer) {
    uintptr_t offset = (uintptr_t)pointer - (uintptr_t)game;
    return offset % sizeof *game == 0 && offset / sizeof *game < (uintptr_t)cells;
}

static int is_near(struct cell *a, struct cell *b) {
    for (int d = 0; d < MAX_DIM; d++)
        if (abs(a->coords[d] - b->coords[d]) > 1) return 0;
    return a != b;
}

static int points_to(struct cell *a, struct cell *b) {
    for (int k = 0; k < a->num_adjacent; k++)
        if (a->adjacent[k] == b) return 1;
    return 0;
}

/* What is wrong with the numbers of one cell, apart from its pointers. */
static long wrong_numbers(struct cell *game, struct cell *cell, long *sizes) {
    long index = 0, around = 1, wrong = 0;
    for (int d = 0; d < MAX_DIM; d++) {
        long x = cell->coords[d];
        index = index * sizes[d] + x;
        around *= 1 + (x > 0) + (x < sizes[d] - 1);
    }
    wrong += index != cell - game;
    wrong += cell->num_adjacent != around - 1 || cell->num_adjacent > MAX_ADJACENT;
    wrong += (cell->mined != 0 && cell->mined != 1) || (cell->selected != 0 && cell->selected != 1);
    return wrong;
}

/* What is wrong with the pointers of one cell, and with the hint that they lead to. */
static long wrong_pointers(struct cell *game, long cells, struct cell *cell) {
    long wrong = 0, mines = 0;
    for (int k = 0; k < cell->num_adjacent; k++) {
        struct cell *other = cell->adjacent[k];
        if (!is_cell(game, cells, other)) return wrong + 1;
        wrong += !is_near(cell, other) || !points_to(other, cell);
        wrong += k > 0 && other <= cell->adjacent[k - 1]; /* in C order, so none twice */
        mines += other->mined;
    }
    for (int k = cell->num_adjacent; k < MAX_ADJACENT; k++) wrong += cell->adjacent[k] != NULL;
    return wrong + (mines != cell->hint);
}

/* Counts what does not fit in an initialised game; the sizes are those that the coordinates have. */
long recount(struct cell *game, long cells) {
    long sizes[MAX_DIM], wrong = 0, product = 1;
    for (int d = 0; d < MAX_DIM; d++) {
        sizes[d] = 1;
        for (long i = 0; i < cells; i++) {
            int x = game[i].coords[d];
            if (x < 0 || x >= cells) return cells;
            if (x >= sizes[d]) sizes[d] = x + 1L;
        }
        product *= sizes[d];
        if (product > cells) return cells;
    }
    if (product != cells) return cells;
    for (long i = 0; i < cells; i++) wrong += wrong_numbers(game, game + i, sizes) > 0;
    if (wrong) return wrong; /* the pointers are not worth following then */
    for (long i = 0; i < cells; i++) wrong += wrong_pointers(game, cells, game + i);
    return wrong;
}

/* Somebody's game beside another ------------------------------------------------------------- */

static int is_same_place(struct cell *a, struct cell *p, struct cell *b, struct cell *q) {
    if (p == NULL || q == NULL) return p == q;
    return (uintptr_t)p - (uintptr_t)a == (uintptr_t)q - (uintptr_t)b;
}

/* Counts the cells of two games that differ in a field; pointers are compared as places. */
long differences(struct cell *a, struct cell *b, long cells) {
    long differ = 0;
    for (long i = 0; i < cells; i++) {
        int same = a[i].mined == b[i].mined && a[i].selected == b[i].selected && a[i].hint == b[i].hint &&
                   a[i].num_adjacent == b[i].num_adjacent;
        for (int d = 0; d < MAX_DIM; d++) same &= a[i].coords[d] == b[i].coords[d];
        for (int k = 0; k < MAX_ADJACENT; k++) same &= is_same_place(a, a[i].adjacent[k], b, b[i].adjacent[k]);
        differ += !same;
    }
    return differ;
}

/* Memory that C owns ------------------------------------------------------------------------- */

/* Memory for a game, full of garbage, as malloc may give it; and its end. */
struct cell *new_garbage(long cells) {
    struct cell *game = malloc((size_t)cells * sizeof *game);
    if (game) memset(game, GARBAGE, (size_t)cells * sizeof *game);
    return game;
}

void free_garbage(struct cell *game) { free(game); }

static int is_garbage(struct cell *cell) {
    for (size_t i = 0; i < sizeof *cell; i++)
        if (((unsigned char *)cell)[i] != GARBAGE) return 0;
    return 1;
}

enum { NO_MEMORY = -1, WROTE_OUTSIDE = -2 };

/* Plays the moves, cells of so many coordinates each, in their game and in ours, up to a mine. */
static long play(struct cell *theirs, struct cell *ours, init_function *init, select_function *select, int dim,
                 int *dim_sizes, int num_mines, int **mined_cells, int num_moves, int **moves) {
    long cells = cells_of(dim, dim_sizes);
    init(theirs, dim, dim_sizes, num_mines, mined_cells);
    init_game(ours, dim, dim_sizes, num_mines, mined_cells);
    if (differences(theirs, ours, cells) || recount(theirs, cells)) return 1;
    for (int m = 0; m < num_moves; m++) {
        int their_answer = select(theirs, dim, dim_sizes, moves[m]);
        int our_answer = select_cell(ours, dim, dim_sizes, moves[m]);
        if (their_answer != our_answer || differences(theirs, ours, cells)) return 2 + m;
        if (our_answer) break;
    }
    return 0;
}

/* Has two functions play in memory of ours: 0 if all went as in our own game, else the number of
 * the first call that did not, init being number 1, or what else went wrong. */
long drive(init_function *init, select_function *select, int dim, int *dim_sizes, int num_mines,
           int **mined_cells, int num_moves, int **moves) {
    long cells = cells_of(dim, dim_sizes), result = NO_MEMORY;
    struct cell *theirs = new_garbage(cells + 2), *ours = new_garbage(cells); /* with a cell to spare on both sides */
    if (theirs && ours) {
        result = play(theirs + 1, ours, init, select, dim, dim_sizes, num_mines, mined_cells, num_moves, moves);
        if (!is_garbage(theirs) || !is_garbage(theirs + cells + 1)) result = WROTE_OUTSIDE;
    }
    free(theirs);
    free(ours);
    return result;
}
