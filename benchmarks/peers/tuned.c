/* A single-point player in C, tuned as far as it went while the code stayed readable.
 *
 * Rules and start are those of `ndsweep simulate ... --policy single-point`: a random
 * first cell that is no mine, uniform layouts, the two single-point rules to their fix
 * point, then a uniformly random hidden unflagged cell.  1 to 4 axes.
 *
 *   tuned GAMES SEED MINES SIZE [SIZE ...]   ->   games seconds wins guesses opened
 *
 * Seconds are processor time, without the start of the program.
 *
 * Every cell is one 16-bit word of two counts about its neighbours: in the low byte the
 * mines without a flag, in the high byte the hidden safe cells (the hidden unflagged cells
 * beyond those mines, which is what a player counts).  Opening a cell takes one off the high
 * bytes around it, a flag one off the low bytes.  A number can act exactly when one of its
 * counts is zero and the other is not, and it is put on the work list at the step that makes
 * it so.  No count reaches 128, so the top bits are free: that of the high byte is set while a
 * cell is closed, that of the low byte on a flag, both on walls.
 *
 * The grid lies flat with one shared wall cell at the end of every line of every axis, so a
 * neighbour is a constant offset; neighbours come in rows of three.  `play` is compiled once
 * for each number of axes, so that the loops over the rows have a constant length.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define INLINE static inline __attribute__((always_inline))

enum { MOST_AXES = 4, MOST_ROWS = 27, MOST = 1 << 15, BLOCK = 64, TRIES = 32 };
enum { MINE = 0x0001, SAFE = 0x0100 };                       /* one of each count */
enum { MINES = 0x00ff, FLAG = 0x0080, CLOSED = 0x8000, WALL = 0xffff };

static int axes, stride[MOST_AXES], cells, mines;
static int margin;                              /* the largest offset of a neighbour */
static int blocks;                              /* of BLOCK places each, from `margin` on */
static long row[MOST_ROWS];                     /* offset of the middle of each row of three neighbours */
static uint16_t word[MOST], start[MOST];        /* now; before any mine is laid */
static uint16_t pool[MOST], work[MOST];         /* the places of all cells, shuffled; the work list */
static uint8_t mine[MOST], sum[2][MOST];
static uint64_t s0, s1, total_guesses, total_opened;

/* Random numbers ------------------------------------------------------------------------ */

static inline uint64_t random64(void) { /* xoroshiro128+ */
    uint64_t a = s0, b = s1, result = a + b;
    b ^= a;
    s0 = ((a << 24) | (a >> 40)) ^ b ^ (b << 16);
    s1 = (b << 37) | (b >> 27);
    return result;
}

static inline uint32_t random32(void) { /* both halves of a word */
    static uint64_t pair;
    static int second;
    second = !second;
    if (second) pair = random64();
    else pair >>= 32;
    return (uint32_t)pair;
}

static inline uint32_t below(uint32_t n) { /* unbiased multiply and shift */
    uint64_t m = (uint64_t)random32() * n;
    if ((uint32_t)m < n) {
        uint32_t floor = -n % n;
        while ((uint32_t)m < floor) m = (uint64_t)random32() * n;
    }
    return m >> 32;
}

/* Dealing: in whole blocks, which a compiler turns into vector instructions ---------------- */

static void add_along(const uint8_t *restrict from, uint8_t *restrict to, int s) {
    for (int b = 0; b < blocks; b++, from += BLOCK, to += BLOCK)
        for (int p = 0; p < BLOCK; p++) to[p] = from[p - s] + from[p] + from[p + s];
}

static void write_words(const uint16_t *restrict from, const uint8_t *restrict box, const uint8_t *restrict own,
                        uint16_t *restrict to) {
    for (int b = 0; b < blocks; b++, from += BLOCK, box += BLOCK, own += BLOCK, to += BLOCK)
        for (int p = 0; p < BLOCK; p++)
            to[p] = from[p] + (from[p] == WALL ? 0 : (box[p] - own[p]) * (MINE - SAFE));
}

static void lay(int i) { /* step i of a Fisher-Yates shuffle */
    int j = i + (int)below(cells - i);
    uint16_t p = pool[j];
    pool[j] = pool[i];
    pool[i] = p;
    mine[p] = 1;
}

static void deal(long first) {
    memset(mine, 0, 2 * margin + BLOCK * blocks);
    for (int i = 0; i < mines; i++) lay(i);
    if (mine[first]) { /* one more cell of the same shuffle takes the place of the first */
        lay(mines);
        mine[first] = 0;
    }
    const uint8_t *box = mine; /* sums over boxes of three, axis by axis */
    for (int d = 0; d < axes; d++) {
        add_along(box + margin, sum[d % 2] + margin, stride[d]);
        box = sum[d % 2];
    }
    write_words(start + margin, box + margin, mine + margin, word + margin);
}

/* Moves: each gives the new length of the work list ---------------------------------------- */

#define FOR_BOX(q, p)                                                                   \
    _Pragma("GCC unroll 3") for (int r = 0; r < rows; r++)                              \
    _Pragma("GCC unroll 3") for (long q = (p) + row[r] - 1; q <= (p) + row[r] + 1; q++)

INLINE int is_hidden(long p) { return (word[p] & (CLOSED | FLAG)) == CLOSED; }

INLINE long open_cell(long p, long n, const int rows) {
    word[p] += SAFE - CLOSED; /* SAFE, because the box has the cell itself */
    FOR_BOX(q, p) {
        uint16_t w = word[q] -= SAFE;
        if (w < SAFE && w) work[n++] = q;
    }
    if (!(word[p] & MINES) && word[p]) work[n++] = p;
    return n;
}

INLINE long flag_cell(long p, long n, const int rows) {
    word[p] += FLAG + MINE;
    FOR_BOX(q, p) {
        uint16_t w = word[q] -= MINE;
        if (!(w & (CLOSED | MINES)) && w) work[n++] = q;
    }
    return n;
}

static long guess(void) {
    for (int tries = 0; tries < TRIES; tries++) {
        long p = pool[below(cells)];
        if (is_hidden(p)) return p;
    }
    int n = 0;
    for (int c = 0; c < cells; c++) {
        work[n] = pool[c];
        n += is_hidden(pool[c]);
    }
    return work[below(n)];
}

INLINE int play(const int rows) { /* whether the game is won */
    long first = pool[below(cells)];
    deal(first);
    long n = open_cell(first, 0, rows);
    int safe = cells - mines - 1;
    for (;;) {
        while (n) {
            long p = work[--n];
            if (!word[p]) continue; /* others have done it all */
            if (word[p] < SAFE) {
                FOR_BOX(q, p) if (is_hidden(q)) n = flag_cell(q, n, rows);
            } else {
                FOR_BOX(q, p) if (is_hidden(q)) {
                    n = open_cell(q, n, rows);
                    safe--;
                }
            }
        }
        if (!safe) break;
        long p = guess();
        total_guesses++;
        if (mine[p]) break;
        n = open_cell(p, n, rows);
        safe--;
    }
    total_opened += cells - mines - safe + (safe > 0); /* the mine of a lost game too */
    return !safe;
}

static int play_1d(void) { return play(1); }
static int play_2d(void) { return play(3); }
static int play_3d(void) { return play(9); }
static int play_4d(void) { return play(27); }
static int (*const play_nd[])(void) = {play_1d, play_2d, play_3d, play_4d};

/* The grid --------------------------------------------------------------------------------- */

static int lay_out(char **sizes) { /* whether the grid fits */
    int size[MOST_AXES], rows = 1;
    long places = 1;
    cells = 1;
    for (int d = 0; d < axes; d++) {
        size[d] = atoi(sizes[axes - 1 - d]);
        if (size[d] < 1 || size[d] > MOST) return 0;
        stride[d] = (int)places;
        margin += stride[d];
        cells *= size[d];
        places *= size[d] + 1;
        if (places + 4L * margin + 2 * BLOCK > MOST) return 0;
    }
    blocks = (int)(places + 2 * margin) / BLOCK + 1;
    for (int d = 1; d < axes; d++, rows *= 3)
        for (int k = 0; k < rows; k++) {
            row[k + rows] = row[k] - stride[d];
            row[k + 2 * rows] = row[k] + stride[d];
        }
    memset(start, 0xff, sizeof start);
    for (int c = 0; c < cells; c++) {
        long p = 2 * margin; /* the sums along one axis are needed a margin beyond the cells */
        for (int d = 0, rest = c; d < axes; rest /= size[d++]) p += rest % size[d] * stride[d];
        pool[c] = p;
        start[p] = CLOSED;
    }
    for (int c = 0; c < cells; c++) {
        int neighbours = -1;
        FOR_BOX(q, pool[c]) neighbours += start[q] != WALL;
        start[pool[c]] += neighbours * SAFE;
    }
    return 1;
}

int main(int argc, char **argv) {
    axes = argc - 4;
    if (axes < 1 || axes > MOST_AXES || !lay_out(argv + 4)) {
        fprintf(stderr, "usage: tuned GAMES SEED MINES SIZE [SIZE ...], 1 to 4 sizes, at most %d cells with walls\n",
                MOST);
        return 2;
    }
    long games = atol(argv[1]), wins = 0;
    mines = atoi(argv[3]);
    if (mines < 0 || mines >= cells) {
        fprintf(stderr, "mines must be between 0 and %d. Got %s.\n", cells - 1, argv[3]);
        return 2;
    }
    s0 = strtoull(argv[2], 0, 10) * 0x9e3779b97f4a7c15u + 1;
    s1 = ~s0;
    for (int i = 0; i < 64; i++) random64();

    clock_t began = clock();
    for (long g = 0; g < games; g++) wins += play_nd[axes - 1]();
    printf("%ld %.6f %ld %llu %llu\n", games, (double)(clock() - began) / CLOCKS_PER_SEC, wins,
           (unsigned long long)total_guesses, (unsigned long long)total_opened);
    return 0;
}
