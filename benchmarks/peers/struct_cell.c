/* ND-Minesweeper with its struct cell in C: what a careful programmer writes for the interface.
 *
 *   init_checks   a table of neighbour offsets, each checked against the bounds of every axis
 *   init_boxes    the box of the neighbours, clipped once a cell, walked like an odometer
 *   init_tuned    rows away from the border take flat offsets; hints are spread from the mines
 *
 * The first two count hints by walking the pointers of every cell. Selecting floods
 *
 *   select_recursive   by recursion, in a thread that has a stack of its own
 *   select_stack       with a stack of cells that are still to be looked at
 *
 * Compiled as a shared library by bench_cstruct.py, for one MAX_ADJACENT and MAX_DIM.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct cell {
    int mined;
    int selected;
    int num_adjacent;
    struct cell *adjacent[MAX_ADJACENT];
    int coords[MAX_DIM];
    int hint;
};

/* Initialising ------------------------------------------------------------------------------- */

static long size_of(int dim, const int *dim_sizes) {
    long cells = 1;
    for (int d = 0; d < dim; d++) cells *= dim_sizes[d];
    return cells;
}

static inline long index_of(int dim, const int *dim_sizes, const int *coords) {
    long index = 0;
    for (int d = 0; d < dim; d++) index = index * dim_sizes[d] + coords[d];
    return index;
}

static inline void clear_cell(struct cell *cell, int dim, const int *coords) {
    cell->mined = cell->selected = cell->hint = 0;
    for (int d = 0; d < dim; d++) cell->coords[d] = coords[d];
    for (int d = dim; d < MAX_DIM; d++) cell->coords[d] = 0;
}

static inline void end_cell(struct cell *cell, int linked) {
    cell->num_adjacent = linked;
    for (int k = linked; k < MAX_ADJACENT; k++) cell->adjacent[k] = NULL;
}

static inline void step(int dim, const int *dim_sizes, int *coords) {
    for (int d = dim - 1; d >= 0 && ++coords[d] == dim_sizes[d]; d--) coords[d] = 0;
}

static void set_mines(struct cell *game, int dim, int *dim_sizes, int num_mines, int **mined_cells) {
    for (int m = 0; m < num_mines; m++) game[index_of(dim, dim_sizes, mined_cells[m])].mined = 1;
}

static void count_mines(struct cell *game, long cells) {
    for (long i = 0; i < cells; i++) {
        int mines = 0;
        for (int k = 0; k < game[i].num_adjacent; k++) mines += game[i].adjacent[k]->mined;
        game[i].hint = mines;
    }
}

/* All offsets but the one of the cell itself, per axis and in the flat array, in C order. */
static int offsets_of(int dim, const int *dim_sizes, int (*offset)[MAX_DIM], long *flat) {
    int count = 0, all = 1;
    for (int d = 0; d < dim; d++) all *= 3;
    for (int k = 0; k < all; k++) {
        if (k == all / 2) continue;
        flat[count] = 0;
        for (int d = 0, power = all / 3; d < dim; d++, power /= 3) {
            offset[count][d] = k / power % 3 - 1;
            flat[count] = flat[count] * dim_sizes[d] + offset[count][d];
        }
        count++;
    }
    return count;
}

void init_checks(struct cell *game, int dim, int *dim_sizes, int num_mines, int **mined_cells) {
    int offset[MAX_ADJACENT][MAX_DIM], coords[MAX_DIM] = {0};
    long flat[MAX_ADJACENT], cells = size_of(dim, dim_sizes);
    int count = offsets_of(dim, dim_sizes, offset, flat);
    for (long i = 0; i < cells; i++, step(dim, dim_sizes, coords)) {
        struct cell *cell = game + i;
        int linked = 0;
        clear_cell(cell, dim, coords);
        for (int k = 0; k < count; k++) {
            int inside = 1;
            for (int d = 0; d < dim; d++) inside &= (unsigned)(coords[d] + offset[k][d]) < (unsigned)dim_sizes[d];
            if (inside) cell->adjacent[linked++] = cell + flat[k];
        }
        end_cell(cell, linked);
    }
    set_mines(game, dim, dim_sizes, num_mines, mined_cells);
    count_mines(game, cells);
}

/* Links a cell with the box around it: runs along the last axis, an odometer over the others. */
static inline int link_box(struct cell *game, struct cell *cell, int dim, const int *dim_sizes, const int *coords) {
    int low[MAX_DIM], high[MAX_DIM], at[MAX_DIM], linked = 0, last = dim - 1;
    for (int d = 0; d < dim; d++) {
        at[d] = low[d] = coords[d] > 0 ? coords[d] - 1 : 0;
        high[d] = coords[d] < dim_sizes[d] - 1 ? coords[d] + 1 : coords[d];
    }
    for (;;) {
        struct cell *other = game + index_of(dim, dim_sizes, at);
        for (int x = low[last]; x <= high[last]; x++, other++)
            if (other != cell) cell->adjacent[linked++] = other;
        int d = last - 1;
        for (; d >= 0 && ++at[d] > high[d]; d--) at[d] = low[d];
        if (d < 0) return linked;
    }
}

void init_boxes(struct cell *game, int dim, int *dim_sizes, int num_mines, int **mined_cells) {
    int coords[MAX_DIM] = {0};
    long cells = size_of(dim, dim_sizes);
    for (long i = 0; i < cells; i++, step(dim, dim_sizes, coords)) {
        clear_cell(game + i, dim, coords);
        end_cell(game + i, link_box(game, game + i, dim, dim_sizes, coords));
    }
    set_mines(game, dim, dim_sizes, num_mines, mined_cells);
    count_mines(game, cells);
}

void init_tuned(struct cell *game, int dim, int *dim_sizes, int num_mines, int **mined_cells) {
    int offset[MAX_ADJACENT][MAX_DIM], coords[MAX_DIM] = {0};
    long flat[MAX_ADJACENT], cells = size_of(dim, dim_sizes);
    int count = offsets_of(dim, dim_sizes, offset, flat), last = dim_sizes[dim - 1];
    for (long row = 0; row < cells; row += last) {
        int inner = 1;
        for (int d = 0; d < dim - 1; d++) inner &= coords[d] > 0 && coords[d] < dim_sizes[d] - 1;
        for (int x = 0; x < last; x++, step(dim, dim_sizes, coords)) {
            struct cell *cell = game + row + x;
            clear_cell(cell, dim, coords);
            if (inner && x > 0 && x < last - 1) {
                for (int k = 0; k < count; k++) cell->adjacent[k] = cell + flat[k];
                end_cell(cell, count);
            } else
                end_cell(cell, link_box(game, cell, dim, dim_sizes, coords));
        }
    }
    for (int m = 0; m < num_mines; m++) {
        struct cell *cell = game + index_of(dim, dim_sizes, mined_cells[m]);
        cell->mined = 1;
        for (int k = 0; k < cell->num_adjacent; k++) cell->adjacent[k]->hint++;
    }
}

/* Selecting ---------------------------------------------------------------------------------- */

static void open_cell(struct cell *cell) {
    cell->selected = 1;
    if (cell->hint) return;
    for (int k = 0; k < cell->num_adjacent; k++)
        if (!cell->adjacent[k]->selected) open_cell(cell->adjacent[k]);
}

static void *open_in_thread(void *cell) {
    open_cell(cell);
    return NULL;
}

enum { STACK = 1 << 30 };

/* The stack is kept from call to call, so that its pages are paid for once. */
static void open_recursively(struct cell *cell) {
    static void *stack;
    pthread_attr_t attributes;
    pthread_t thread;
    if (!stack) stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    pthread_attr_init(&attributes);
    if (stack == MAP_FAILED || pthread_attr_setstack(&attributes, stack, STACK) ||
        pthread_create(&thread, &attributes, open_in_thread, cell))
        abort();
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

/* Only cells with hint 0 are put on the stack, each once, since it is selected then. */
static void open_with_stack(struct cell *cell) {
    static struct cell **stack;
    static long room;
    long height = 0;
    cell->selected = 1;
    for (;;) {
        if (cell->hint == 0) {
            if (height + MAX_ADJACENT > room) {
                room = 2 * (height + MAX_ADJACENT);
                stack = realloc(stack, room * sizeof *stack);
                if (!stack) abort();
            }
            for (int k = 0; k < cell->num_adjacent; k++) {
                struct cell *other = cell->adjacent[k];
                if (other->selected) continue;
                other->selected = 1;
                if (other->hint == 0) stack[height++] = other;
            }
        }
        if (height == 0) return;
        cell = stack[--height];
    }
}

static inline int select_with(void (*open)(struct cell *), struct cell *game, int dim, int *dim_sizes, int *coords) {
    struct cell *cell = game + index_of(dim, dim_sizes, coords);
    if (cell->mined) {
        cell->selected = 1;
        return 1;
    }
    if (!cell->selected) open(cell);
    return 0;
}

int select_recursive(struct cell *game, int dim, int *dim_sizes, int *coords) {
    return select_with(open_recursively, game, dim, dim_sizes, coords);
}

int select_stack(struct cell *game, int dim, int *dim_sizes, int *coords) {
    return select_with(open_with_stack, game, dim, dim_sizes, coords);
}

/* For the benchmark -------------------------------------------------------------------------- */

/* The number of cells in which two games differ; pointers are compared as places. */
long differences(struct cell *a, struct cell *b, long cells) {
    long differ = 0;
    for (long i = 0; i < cells; i++) {
        int same = a[i].mined == b[i].mined && a[i].selected == b[i].selected && a[i].hint == b[i].hint &&
                   a[i].num_adjacent == b[i].num_adjacent;
        for (int d = 0; d < MAX_DIM; d++) same &= a[i].coords[d] == b[i].coords[d];
        for (int k = 0; k < MAX_ADJACENT; k++) {
            struct cell *p = a[i].adjacent[k], *q = b[i].adjacent[k];
            same &= p && q ? (uintptr_t)p - (uintptr_t)a == (uintptr_t)q - (uintptr_t)b : p == q;
        }
        differ += !same;
    }
    return differ;
}

void clear_selected(struct cell *game, long cells) {
    for (long i = 0; i < cells; i++) game[i].selected = 0;
}

struct cell *new_cells(long cells) { return calloc((size_t)cells, sizeof(struct cell)); }

void free_cells(struct cell *game) { free(game); }
