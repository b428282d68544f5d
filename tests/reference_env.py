"""The environments again in plain Python loops, on the game of reference.py: the oracle of the tests.

Layouts come from plain_streams.py.  A vector environment is a list of single ones here, with the autoreset
modes as Gymnasium describes them.
"""

import plain_streams
from reference import FLAG, HIDDEN, LOST, PLAYING, WON, ReferenceGame, cells_of


class PlainEnv:
    """One game: `reset` and `step` give the view codes in C order, and `step` the reward and the two ends too."""

    def __init__(self, shape, mines, rule, flags=False, invalid="penalty", max_episode_steps=None, reward="progress"):
        self.shape, self.mines, self.rule = shape, mines, rule
        self.flags, self.invalid, self.most_steps, self.reward = flags, invalid, max_episode_steps, reward
        self.cells = cells_of(shape)

    def reset(self, seed=None):
        self.seed, self.number = (self.seed, self.number + 1) if seed is None else (seed, 0)
        self.game, self.marks, self.steps = None, set(), 0
        return self.view()

    def view(self):
        if self.game is not None:
            return self.game.view()
        return [FLAG if cell in self.marks else HIDDEN for cell in self.cells]

    def mask(self):
        """1 for each action that would change something, were the game not over."""
        view = self.view()
        return [int(code == HIDDEN) for code in view] + [int(code < 0 and code > -3) for code in view] * self.flags

    def step(self, action):
        self.steps += 1
        opened, flagged = 0, 0
        if action >= len(self.cells):
            flagged = self._flag(self.cells[action - len(self.cells)])
        else:
            opened = self._open(action)
        status = PLAYING if self.game is None else self.game.status
        idle = opened == 0 and flagged == 0
        terminated = status != PLAYING or (idle and self.invalid == "terminate")
        truncated = self.most_steps is not None and self.steps >= self.most_steps
        return self.view(), self._reward(opened, idle, status, terminated), terminated, truncated

    def _flag(self, cell):
        if self.game is not None:
            return self.game.flag(cell)
        change = -1 if cell in self.marks else 1
        self.marks ^= {cell}
        return change

    def _open(self, action):
        if self.game is None:
            if self.cells[action] in self.marks:
                return 0
            mines = plain_streams.layout(self.shape, self.mines, self.rule, self.seed, self.number, action)
            self.game = ReferenceGame(self.shape, {self.cells[mine] for mine in mines})
            self.game.flags = set(self.marks)
        return self.game.reveal(self.cells[action])

    def _reward(self, opened, idle, status, terminated):
        if self.reward == "jumanji":
            return float(opened > 0 and status != LOST)
        if terminated and status != WON:
            return -1.0
        if idle:
            return -0.1
        if self.reward == "win":
            return float(status == WON)
        return opened / (len(self.cells) - self.mines)


class PlainVector:
    """Many of them; ``final`` holds the last views and masks of the games that went on in the same step."""

    def __init__(self, count, mode, *arguments, **options):
        self.envs, self.mode = [PlainEnv(*arguments, **options) for _ in range(count)], mode
        self.ended = [False] * count
        self.final = {}

    def reset(self, seed=None, rows=None):
        for i, env in enumerate(self.envs):
            if rows is None or i in rows:
                env.reset(None if seed is None else seed + i)
                self.ended[i] = False
        return self.views()

    def views(self):
        return [env.view() for env in self.envs]

    def masks(self):
        return [env.mask() for env in self.envs]

    def step(self, actions):
        self.final, steps = {}, []
        for i, (env, action) in enumerate(zip(self.envs, actions, strict=True)):
            if self.ended[i]:
                assert self.mode == "NEXT_STEP"
                env.reset()
                steps.append((0.0, False, False))
            else:
                view, *rest = env.step(action)
                steps.append(rest)
                if self.mode == "SAME_STEP" and (rest[1] or rest[2]):
                    self.final[i] = view, env.mask()
                    env.reset()
        ended = [terminated or truncated for _, terminated, truncated in steps]
        self.ended = [False] * len(ended) if self.mode == "SAME_STEP" else ended
        return self.views(), *(list(column) for column in zip(*steps, strict=True))
