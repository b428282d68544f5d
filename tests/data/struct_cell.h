/* The C interface of ND-Minesweeper; MAX_ADJACENT and MAX_DIM come from the command line. */
#ifndef STRUCT_CELL_H
#define STRUCT_CELL_H

struct cell {
    int mined;
    int selected;
    int num_adjacent;
    struct cell *adjacent[MAX_ADJACENT];
    int coords[MAX_DIM];
    int hint;
};

void init_game(struct cell *game, int dim, int *dim_sizes, int num_mines, int **mined_cells);
int select_cell(struct cell *game, int dim, int *dim_sizes, int *coords);

#endif
