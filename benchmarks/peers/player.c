/* A careful plain-C single-point player, the peer that ndsweep is measured against.
 *
 * Rules and start are those of `ndsweep simulate ... --policy single-point`: a random
 * first cell that is no mine, uniform layouts, the two single-point rules to their fix
 * point, then a uniformly random hidden unflagged cell.  Any dimension.
 *
 * uint8 arrays with a wall of one shared cell per line (so a neighbour is a constant
 * offset), counters of hidden and of missing neighbours kept up to date at each opened or
 * flagged cell, and a work list of numbers to look at again.
 *
 *   player GAMES SEED MINES SIZE [SIZE ...]   ->   games seconds wins guesses opened
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HIDDEN = 0, OPEN = 1, FLAG = 2, WALL = 3 };

static int cells, flat, mines, n_offsets;
static int *offset, *position;       /* neighbour offsets; cell number -> flat position */
static uint8_t *state, *mine, *blank; /* blank: the state array before the first move */
static uint16_t *hidden, *missing;   /* hidden unflagged neighbours; mines not yet flagged */
static uint16_t *degree;             /* number of neighbours, the start value of hidden */
static int *pool, *work;             /* partial shuffle; work list */
static uint8_t *queued;
static int n_work;
static uint64_t s0, s1;
static int opened;
static uint64_t total_guesses, total_opened;

static inline uint64_t random64(void) { /* xoroshiro128+ */
    uint64_t a = s0, b = s1, result = a + b;
    b ^= a;
    s0 = ((a << 24) | (a >> 40)) ^ b ^ (b << 16);
    s1 = (b << 37) | (b >> 27);
    return result;
}

static inline int below(uint32_t n) { /* unbiased multiply-shift on the upper half */
    uint64_t m = (random64() >> 32) * n;
    if ((uint32_t)m < n) {
        uint32_t floor = -n % n;
        while ((uint32_t)m < floor) m = (random64() >> 32) * n;
    }
    return (int)(m >> 32);
}

static inline void look_again(int p) {
    if (state[p] == OPEN && !queued[p]) { queued[p] = 1; work[n_work++] = p; }
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

static void deal(int first) {
    /* the first `mines` cells of a partial Fisher-Yates shuffle without the first cell */
    memset(mine, 0, flat);
    memset(missing, 0, flat * sizeof *missing);
    int last = cells - 1, at_first = pool[first] == first ? first : -1;
    if (at_first < 0) for (int i = 0; i < cells; i++) if (pool[i] == first) { at_first = i; break; }
    int swap = pool[last]; pool[last] = pool[at_first]; pool[at_first] = swap;
    for (int i = 0; i < mines; i++) {
        int j = i + below(last - i), c = pool[j];
        pool[j] = pool[i]; pool[i] = c;
        int p = position[c];
        mine[p] = 1;
        for (int k = 0; k < n_offsets; k++) missing[p + offset[k]]++;
    }
}

static int guess(void) {
    for (int tries = 0; tries < 32; tries++) {
        int p = position[below(cells)];
        if (state[p] == HIDDEN) return p;
    }
    int n = 0;
    for (int c = 0; c < cells; c++) if (state[position[c]] == HIDDEN) work[n++] = position[c];
    return work[below(n)];
}

static int play(void) {
    int first = below(cells), safe = cells - mines;
    deal(first);
    memcpy(state, blank, flat);
    memcpy(hidden, degree, flat * sizeof *hidden);
    n_work = opened = 0;
    open_cell(position[first]);
    for (;;) {
        while (n_work) {
            int p = work[--n_work];
            queued[p] = 0;
            if (!hidden[p]) continue;
            if (missing[p] == 0) {
                for (int k = 0; k < n_offsets; k++) if (state[p + offset[k]] == HIDDEN) open_cell(p + offset[k]);
            } else if (missing[p] == hidden[p]) {
                for (int k = 0; k < n_offsets; k++) if (state[p + offset[k]] == HIDDEN) flag_cell(p + offset[k]);
            }
        }
        if (opened == safe) return 1;
        int p = guess();
        total_guesses++;
        if (mine[p]) return 0;
        open_cell(p);
    }
}

int main(int argc, char **argv) {
    if (argc < 5) { fprintf(stderr, "usage: player GAMES SEED MINES SIZE [SIZE ...]\n"); return 2; }
    long games = atol(argv[1]);
    s0 = strtoull(argv[2], 0, 10) * 0x9e3779b97f4a7c15u + 1; s1 = ~s0;
    for (int i = 0; i < 64; i++) random64();
    mines = atoi(argv[3]);
    int dim = argc - 4, size[16], stride[16];
    cells = 1; int block = 1, margin = 0;
    for (int d = dim - 1; d >= 0; d--) {
        size[d] = atoi(argv[4 + d]);
        stride[d] = block; margin += block; block *= size[d] + 1; cells *= size[d];
    }
    flat = block + 2 * margin;
    n_offsets = 0;
    int all = 1; for (int d = 0; d < dim; d++) all *= 3;
    offset = malloc(all * sizeof *offset);
    for (int k = 0; k < all; k++) {
        int o = 0; for (int d = 0, r = k; d < dim; d++, r /= 3) o += (r % 3 - 1) * stride[d];
        if (k != all / 2) offset[n_offsets++] = o;
    }
    position = malloc(cells * sizeof *position); pool = malloc(cells * sizeof *pool);
    work = malloc((cells + flat) * sizeof *work);
    state = malloc(flat); mine = malloc(flat); blank = malloc(flat); queued = calloc(flat, 1);
    hidden = malloc(flat * sizeof *hidden); missing = malloc(flat * sizeof *missing); degree = calloc(flat, sizeof *degree);
    memset(blank, WALL, flat);
    for (int c = 0; c < cells; c++) {
        int p = margin; for (int d = dim - 1, r = c; d >= 0; r /= size[d], d--) p += r % size[d] * stride[d];
        position[c] = p; pool[c] = c; blank[p] = HIDDEN;
    }
    for (int c = 0; c < cells; c++) for (int k = 0; k < n_offsets; k++) if (blank[position[c] + offset[k]] == HIDDEN) degree[position[c]]++;

    struct timespec t0, t1;
    long wins = 0;
    clock_gettime(CLOCK_MONOTONIC, &t0);
    for (long g = 0; g < games; g++) {
        wins += play();
        while (n_work) queued[work[--n_work]] = 0; /* a lost game leaves nothing queued: kept for safety */
        total_opened += opened;
    }
    clock_gettime(CLOCK_MONOTONIC, &t1);
    printf("%ld %.6f %ld %llu %llu\n", games, (t1.tv_sec - t0.tv_sec) + 1e-9 * (t1.tv_nsec - t0.tv_nsec), wins,
           (unsigned long long)total_guesses, (unsigned long long)total_opened);
    return 0;
}
