/* A plain C single-point player: what a careful programmer writes first.
 *
 * Rules and start are those of `ndsweep simulate ... --policy single-point`: a random
 * first cell that is no mine, uniform layouts, the two single-point rules to their fix
 * point, then a uniformly random hidden unflagged cell.  Any dimension.
 *
 *   plain GAMES SEED MINES SIZE [SIZE ...]   ->   games seconds wins guesses opened
 *
 * Seconds are processor time, without the start of the program.
 *
 * Byte arrays with a wall of one shared cell per line, so that a neighbour is a constant
 * offset; for each cell the number of hidden neighbours and of mines without a flag, kept up to
 * date at each opened or flagged cell; a work list of numbers to look at again.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HIDDEN, OPEN, FLAG, WALL };

static int cells, flat, mines, n_offsets;
static int *offset, *position;              /* offsets of neighbours; place of each cell */
static uint8_t *state, *mine, *queued;
static uint8_t *hidden, *missing;           /* hidden unflagged neighbours; mines not yet flagged */
static uint8_t *blank, *degree;             /* state and hidden before the first move */
static int *pool, *work, n_work, opened;    /* shuffled cells; work list */
static uint64_t s0, s1, total_guesses, total_opened;

static inline uint64_t random64(void) { /* xoroshiro128+ */
    uint64_t a = s0, b = s1, result = a + b;
    b ^= a;
    s0 = ((a << 24) | (a >> 40)) ^ b ^ (b << 16);
    s1 = (b << 37) | (b >> 27);
    return result;
}

static inline int below(uint32_t n) { /* unbiased multiply and shift */
    uint64_t m = (random64() >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t floor = -n % n;
        while ((uint32_t)m < floor) m = (random64() >> 32) * n;
    }
    return (int)(m >> 32);
}

static inline void look_again(int p) {
    if (state[p] == OPEN && !queued[p]) {
        queued[p] = 1;
        work[n_work++] = p;
    }
}

static inline void open_cell(int p) {
    state[p] = OPEN;
    opened++;
    for (int k = 0; k < n_offsets; k++) {
        int q = p + offset[k];
        hidden[q]--;
        look_again(q);
    }
    look_again(p);
}

static inline void flag_cell(int p) {
    state[p] = FLAG;
    for (int k = 0; k < n_offsets; k++) {
        int q = p + offset[k];
        hidden[q]--;
        missing[q]--;
        look_again(q);
    }
}

static void deal(int first) { /* a partial Fisher-Yates shuffle, the first cell left out */
    memset(mine, 0, flat);
    memset(missing, 0, flat);
    for (int i = 0, left = mines; left; i++) {
        int j = i + below(cells - i), c = pool[j];
        pool[j] = pool[i];
        pool[i] = c;
        if (c == first) continue;
        int p = position[c];
        mine[p] = 1;
        left--;
        for (int k = 0; k < n_offsets; k++) missing[p + offset[k]]++;
    }
}

static int guess(void) {
    for (int tries = 0; tries < 32; tries++) {
        int p = position[below(cells)];
        if (state[p] == HIDDEN) return p;
    }
    int n = 0;
    for (int c = 0; c < cells; c++)
        if (state[position[c]] == HIDDEN) work[n++] = position[c];
    return work[below(n)];
}

static int play(void) { /* whether the game is won */
    int first = below(cells), safe = cells - mines;
    deal(first);
    memcpy(state, blank, flat);
    memcpy(hidden, degree, flat);
    n_work = opened = 0;
    open_cell(position[first]);
    for (;;) {
        while (n_work) {
            int p = work[--n_work];
            queued[p] = 0;
            if (!hidden[p]) continue;
            if (missing[p] == 0) {
                for (int k = 0; k < n_offsets; k++)
                    if (state[p + offset[k]] == HIDDEN) open_cell(p + offset[k]);
            } else if (missing[p] == hidden[p]) {
                for (int k = 0; k < n_offsets; k++)
                    if (state[p + offset[k]] == HIDDEN) flag_cell(p + offset[k]);
            }
        }
        if (opened == safe) return 1;
        int p = guess();
        total_guesses++;
        if (mine[p]) {
            opened++;
            return 0;
        }
        open_cell(p);
    }
}

static void lay_out(int axes, char **sizes) {
    int size[16], stride[16], block = 1, margin = 0, all = 1;
    cells = 1;
    for (int d = axes - 1; d >= 0; d--) {
        size[d] = atoi(sizes[d]);
        stride[d] = block;
        margin += block;
        block *= size[d] + 1;
        cells *= size[d];
        all *= 3;
    }
    flat = block + 2 * margin;
    offset = malloc(all * sizeof *offset);
    position = malloc(cells * sizeof *position);
    pool = malloc(cells * sizeof *pool);
    work = malloc((cells + flat) * sizeof *work);
    uint8_t **arrays[] = {&state, &mine, &queued, &hidden, &missing, &blank, &degree};
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) *arrays[i] = calloc(flat, 1);
    memset(blank, WALL, flat);
    for (int k = 0; k < all; k++) {
        int o = 0;
        for (int d = 0, r = k; d < axes; d++, r /= 3) o += (r % 3 - 1) * stride[d];
        if (o) offset[n_offsets++] = o;
    }
    for (int c = 0; c < cells; c++) {
        int p = margin;
        for (int d = axes - 1, r = c; d >= 0; r /= size[d], d--) p += r % size[d] * stride[d];
        position[c] = p;
        pool[c] = c;
        blank[p] = HIDDEN;
    }
    for (int c = 0; c < cells; c++)
        for (int k = 0; k < n_offsets; k++) degree[position[c]] += blank[position[c] + offset[k]] == HIDDEN;
}

int main(int argc, char **argv) {
    if (argc < 5 || argc > 9) {
        fprintf(stderr, "usage: plain GAMES SEED MINES SIZE [SIZE ...], 1 to 5 sizes\n");
        return 2;
    }
    long games = atol(argv[1]), wins = 0;
    mines = atoi(argv[3]);
    lay_out(argc - 4, argv + 4);
    if (mines < 0 || mines >= cells) {
        fprintf(stderr, "mines must be between 0 and %d. Got %s.\n", cells - 1, argv[3]);
        return 2;
    }
    s0 = strtoull(argv[2], 0, 10) * 0x9e3779b97f4a7c15u + 1;
    s1 = ~s0;
    for (int i = 0; i < 64; i++) random64();

    clock_t began = clock();
    for (long g = 0; g < games; g++) {
        wins += play();
        total_opened += opened;
    }
    printf("%ld %.6f %ld %llu %llu\n", games, (double)(clock() - began) / CLOCKS_PER_SEC, wins,
           (unsigned long long)total_guesses, (unsigned long long)total_opened);
    return 0;
}
