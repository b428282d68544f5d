"""The random streams in Python integers, from their definition: what a game draws, word by word.

Only the keys of the streams come from ndsweep; they are hashes and have no other definition.
"""

from reference import cells_of, neighbours

from ndsweep.engine.streams import Purpose, stream_keys

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15


def split_mix(state):
    """The SplitMix64 finaliser of Steele, Lea and Flood (2014)."""
    z = state & MASK
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def split_mix_back(z):
    """The state that `split_mix` turns into z: each of its steps undone."""
    z ^= z >> 31 ^ z >> 62
    z = z * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    z ^= z >> 27 ^ z >> 54
    z = z * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return z ^ z >> 30 ^ z >> 60


def stream(seed, purpose, game):
    """A stream as a function of the index of its word."""
    key = int(stream_keys(seed, purpose, [game])[0])
    return lambda index: split_mix(key + (index + 1) * GAMMA)


def draw_bits(n):
    """The width of the draws of integers below n."""
    return 16 if n <= 2**12 else 32 if n <= 2**28 else 64


def draws_of(word, n):
    """The draws that a word holds, low bits first; those of n or more are rejected by the reader."""
    bits = draw_bits(n)
    share = (2**bits - 1) // n
    return [(word >> shift & (2**bits - 1)) // share for shift in range(0, 64, bits)]


def below(word, index, n):
    """One integer below n from whole words of a stream, from an index on."""
    share = MASK // n
    while word(index) // share >= n:
        index += 1
    return word(index) // share


def first_cell(seed, game, size):
    return below(stream(seed, Purpose.FIRST_CELL, game), 0, size)


def first_distinct(word, n, count, taken):
    """The first distinct draws of a stream that are below n and not taken."""
    chosen, index = set(), 0
    while len(chosen) < count:
        for cell in draws_of(word(index), n):
            if len(chosen) < count and cell < n and cell not in taken:
                chosen.add(cell)
        index += 1
    return chosen


def layout(shape, mines, rule, seed, game, first):
    """The flat cells of the mines of a game, for a flat first cell."""
    cells = cells_of(shape)
    around = {cells.index(c) for c in neighbours(shape, cells[first])}
    free = {"any": set(), "safe": {first}, "opening": {first, *around}}[rule]
    word, size = stream(seed, Purpose.MINES, game), len(cells)
    if 2 * mines <= size:
        return first_distinct(word, size, mines, free)
    return set(range(size)) - free - first_distinct(word, size, size - len(free) - mines, free)


def guess(seed, game, number, candidates):
    """Guess number ``number`` of a game among candidates, a list of bools: four words of tries, then a rank."""
    word, n = stream(seed, Purpose.GUESSES, game), len(candidates)
    for index in range(8 * number, 8 * number + 4):
        for cell in draws_of(word(index), n):
            if cell < n and candidates[cell]:
                return cell
    left = [cell for cell in range(n) if candidates[cell]]
    return left[below(word, 8 * number + 4, len(left))]
