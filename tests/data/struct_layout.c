/* Prints where this compiler puts the fields of struct cell, and how large and aligned it makes it. */
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>

#include "struct_cell.h"

int main(void) {
    printf("mined %zu\n", offsetof(struct cell, mined));
    printf("selected %zu\n", offsetof(struct cell, selected));
    printf("num_adjacent %zu\n", offsetof(struct cell, num_adjacent));
    printf("adjacent %zu\n", offsetof(struct cell, adjacent));
    printf("coords %zu\n", offsetof(struct cell, coords));
    printf("hint %zu\n", offsetof(struct cell, hint));
    printf("size %zu\n", sizeof(struct cell));
    printf("align %zu\n", alignof(struct cell));
    printf("int %zu\n", sizeof(int));
    printf("pointer %zu\n", sizeof(struct cell *));
    return 0;
}
