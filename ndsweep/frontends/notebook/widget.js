// A board to play on. The game is in Python: this page shows what Python sends, and asks for moves.

const HIDDEN = -1, FLAG = -2, BURST = -3, MINE = -4, WRONG = -5;
const STATES = { [HIDDEN]: "hidden", [FLAG]: "flag", [BURST]: "burst", [MINE]: "mine", [WRONG]: "wrong" };
const NAMES = { hidden: "hidden", flag: "flag", burst: "the mine that was opened", mine: "mine", wrong: "flag on no mine" };

const drawing = (inner) => `<svg viewBox="0 0 16 16" aria-hidden="true">${inner}</svg>`;
const POLE = '<path class="nd-ink" d="M5 2h1.5v10H9v2H3v-2h2z"/><path class="nd-pennant" d="M6.5 2 13 5.2 6.5 8.4z"/>';
const BALL =
  '<path class="nd-spikes" d="M8 1v14M1 8h14M3 3l10 10M13 3 3 13"/>' +
  '<circle class="nd-ink" cx="8" cy="8" r="4.6"/><circle class="nd-gleam" cx="6.4" cy="6.4" r="1.2"/>';
const PICTURES = {
  flag: drawing(POLE),
  wrong: drawing(POLE + '<path class="nd-cross" d="M2 2l12 12M14 2 2 14"/>'),
  mine: drawing(BALL),
  burst: drawing(BALL),
};
const CLOCK = drawing('<circle class="nd-line" cx="8" cy="8" r="6"/><path class="nd-line" d="M8 4.2V8l2.6 1.8"/>');

const KEYS = [
  ["left click, Space, Enter", "open the cell; on an open number as C"],
  ["right click, Ctrl+click, F", "set or remove a flag"],
  ["double click, middle click, C", "chord: open around a number that has all its flags"],
  ["arrows", "choose a cell"],
  ["Shift+arrows", "the same cell of the slice beside, above or below"],
  ["PageUp, PageDown", "the same cell of the slice before or after"],
  ["H", "hint: a cell that is proved, and why; else the least likely mine"],
  ["P", "how likely each hidden cell is a mine"],
];

// JupyterLab and Notebook take keys and right clicks before a widget does, unless what has the focus says no.
const QUIET = { "data-lm-suppress-shortcuts": "true", "data-jp-suppress-context-menu": "true" };

function element(tag, name, attributes = {}, ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Where the cells lie -----------------------------------------------------------------------------

// Counted from the last, the axes run right, down, right, down: slices of two, in rows, in columns, and so on.
function lines(shape, prefix, cells) {
  const left = shape.length - prefix.length;
  if (left <= 2) return slice(shape, prefix, cells);
  const name = `nd-${left % 2 ? "right" : "down"}`;
  const box = element("div", name, { style: `--level: ${(left - 1) >> 1}` });
  for (let x = 0; x < shape[prefix.length]; x++) box.append(lines(shape, [...prefix, x], cells));
  return box;
}

function slice(shape, prefix, cells) {
  const [high, wide] = shape.length > 1 ? shape.slice(-2) : [1, shape[0]];
  const title = prefix.length ? `[${prefix.join(", ")}]` : "";
  const grid = element("div", "nd-grid", { role: "grid", "aria-label": title ? `slice ${title}` : "board" });
  grid.style.setProperty("--wide", wide);
  for (let y = 0; y < high; y++) {
    const row = element("div", "nd-row", { role: "row" });
    for (let x = 0; x < wide; x++) {
      const cell = element("div", "nd-cell", { ...QUIET, role: "gridcell", tabindex: -1, "data-cell": cells.length });
      cells.push(cell);
      row.append(cell);
    }
    grid.append(row);
  }
  return element("div", "nd-slice", {}, ...(title ? [element("div", "nd-title", {}, title)] : []), grid);
}

// Places: flat cell numbers and coordinates ---------------------------------------------------------

function geometry(shape) {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((a, b) => a * b, 1));
  const axes = shape.map((_, axis) => axis);
  const place = (cell) => axes.map((axis) => Math.floor(cell / strides[axis]) % shape[axis]);
  return {
    place,
    near(cell) {
      let found = [0];
      place(cell).forEach((x, axis) => {
        const steps = [x - 1, x, x + 1].filter((y) => y >= 0 && y < shape[axis]);
        found = found.flatMap((start) => steps.map((y) => start + y * strides[axis]));
      });
      return found.filter((other) => other !== cell);
    },
    // Counts on through these axes as through the digits of a number; beyond the edge it is the same cell.
    counted(cell, through, steps) {
      const at = place(cell);
      let number = through.reduce((sum, axis) => sum * shape[axis] + at[axis], 0) + steps;
      const all = through.reduce((product, axis) => product * shape[axis], 1);
      if (!through.length || number < 0 || number >= all) return cell;
      for (const axis of [...through].reverse()) {
        at[axis] = number % shape[axis];
        number = Math.floor(number / shape[axis]);
      }
      return at.reduce((sum, x, axis) => sum + x * strides[axis], 0);
    },
    // The axes that run right (0) or down (1); of whole slices only those outside a slice.
    axes: (down, whole) => axes.filter((axis) => (shape.length - 1 - axis) % 2 === down && (!whole || axis < shape.length - 2)),
    outer: axes.slice(0, -2),
  };
}

function numbers(bytes, Kind) {
  const view = ArrayBuffer.isView(bytes) ? bytes : new DataView(bytes);
  return new Kind(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength));
}

function percent(chance) {
  const whole = Math.round(100 * chance);
  if (chance > 0 && whole === 0) return "<1"; // 0 and 100 are proved
  return chance < 1 && whole === 100 ? ">99" : String(whole);
}

// The widget ----------------------------------------------------------------------------------------

function render({ model, el }) {
  const shape = model.get("shape"), cells = [], at = geometry(shape);
  const field = element("div", "nd-field", {}, lines(shape, [], cells));
  const left = element("span", "nd-left", { title: "mines less flags" });
  const time = element("span", "nd-time", { title: "seconds from the first move" });
  const status = element("span", "nd-status");
  const message = element("div", "nd-message", { role: "status", "aria-live": "polite" });
  const hint = element("button", "", { ...QUIET, type: "button", title: "what is proved, and why (H)" }, "Hint");
  const chances = element("button", "", { ...QUIET, type: "button", title: "how likely each cell is a mine (P)" }, "Chances");
  const keys = element("details", "nd-keys", {}, element("summary", "", QUIET, "Keys"), element("dl", "", {}));
  for (const [key, what] of KEYS) keys.lastChild.append(element("dt", "", {}, key), element("dd", "", {}, what));
  const head = element("div", "nd-head", {}, left, time, status, hint, chances);
  const root = element("div", "ndsweep-widget", { ...QUIET, "aria-label": `Minesweeper ${shape.join(" by ")}`, role: "group" });
  root.append(head, message, field, keys);
  el.append(root);
  const scheme = getComputedStyle(el).colorScheme; // a page that has decided is followed; JupyterLab's is in the style
  if (!document.body.dataset.jpThemeLight && /^(only )?(dark|light)$/.test(scheme)) root.style.colorScheme = "inherit";

  // Asking ------------------------------------------------------------------------------------------

  const name = Math.random().toString(36).slice(2);
  const waiting = new Set();
  let asked = 0;
  const busy = () => root.setAttribute("aria-busy", waiting.size > 0);
  function ask(request) {
    const number = `${name}.${asked++}`;
    if (request.do !== "look") waiting.add(number); // a stored page has nobody to answer
    busy();
    model.send({ ...request, number });
  }
  function answered(answer) {
    if (waiting.delete(answer?.done)) busy();
  }

  // Showing -----------------------------------------------------------------------------------------

  const drawn = new Array(cells.length);
  let chosen = cells.length && cells.findIndex((_, cell) => at.place(cell).every(
    (x, axis) => x === (axis < shape.length - 2 ? 0 : Math.floor(shape[axis] / 2))));
  let near = [], likely = [], since = performance.now();

  function show() {
    const codes = numbers(model.get("view"), Int16Array);
    const fresh = numbers(model.get("chances"), Float32Array);
    if (fresh.length) likely = fresh;
    if (!model.get("overlay") || model.get("status") !== "playing") likely = [];
    root.classList.toggle("nd-stale", likely !== fresh); // until Python has those of the new position
    codes.forEach((code, cell) => {
      const chance = code === HIDDEN && likely.length ? percent(likely[cell]) : "";
      if (drawn[cell] === `${code} ${chance}`) return;
      drawn[cell] = `${code} ${chance}`;
      draw(cells[cell], cell, code, chance, likely[cell]);
    });
  }
  function draw(node, cell, code, chance, p) {
    const state = STATES[code] ?? "open";
    node.dataset.state = state;
    node.dataset.tone = code > 8 ? 9 + ((code - 9) % 5) : Math.max(code, 0);
    node.classList.toggle("nd-long", code > 99);
    node.classList.toggle("nd-likely", chance !== "");
    if (chance) node.style.setProperty("--chance", `${100 * p}%`);
    if (PICTURES[state]) node.innerHTML = PICTURES[state];
    else node.textContent = chance || (code > 0 ? code : "");
    const near = code === 0 ? "no mines near" : `${code} ${code === 1 ? "mine" : "mines"} near`;
    const said = `(${at.place(cell).join(", ")}): ${NAMES[state] ?? near}${chance ? `, a mine in ${chance} %` : ""}`;
    node.setAttribute("aria-label", said);
    node.title = said;
  }
  function showChances() {
    const on = model.get("overlay");
    chances.setAttribute("aria-pressed", on);
    root.classList.toggle("nd-estimate", on && !model.get("exact"));
    show();
  }
  function showState() {
    root.dataset.status = model.get("status");
    status.textContent = { won: "won", lost: "lost" }[model.get("status")] ?? "";
    hint.disabled = chances.disabled = model.get("status") !== "playing";
    left.innerHTML = `${PICTURES.flag}<b>${model.get("left")}</b>`;
    left.setAttribute("aria-label", `mines less flags: ${model.get("left")}`);
  }
  function showMessage() {
    message.textContent = model.get("message");
  }
  function showHint() {
    root.querySelector(".nd-pointed")?.classList.remove("nd-pointed");
    cells[model.get("pointed")]?.classList.add("nd-pointed");
  }
  function moved() {
    show();
    const stale = model.get("overlay") && !model.get("chances").byteLength && model.get("status") === "playing";
    if (stale) ask({ do: "overlay", on: true });
  }
  function tick() {
    const more = model.get("ticks") ? (performance.now() - since) / 1000 : 0;
    const text = `${Math.floor(model.get("seconds") + more)} s`;
    if (time.lastChild?.textContent === text) return;
    time.innerHTML = `${CLOCK}<b>${text}</b>`;
  }
  function timed() {
    since = performance.now();
    tick();
  }

  // Choosing ----------------------------------------------------------------------------------------

  function choose(cell, focus) {
    if (cells[chosen]) cells[chosen].tabIndex = -1;
    cells[chosen]?.classList.remove("nd-chosen");
    near.forEach((other) => cells[other].classList.remove("nd-near"));
    chosen = cell;
    near = at.near(cell);
    near.forEach((other) => cells[other].classList.add("nd-near"));
    cells[cell].classList.add("nd-chosen");
    cells[cell].tabIndex = 0; // one stop of the Tab key for the whole board
    if (focus) cells[cell].focus({ preventScroll: focus === "here" });
  }
  const under = (event) => {
    const node = event.target.closest?.(".nd-cell");
    return node && field.contains(node) ? Number(node.dataset.cell) : null;
  };
  function toggle() {
    ask({ do: "overlay", on: !model.get("overlay") });
  }

  // Mouse and keys ----------------------------------------------------------------------------------

  function onCell(kind, act) {
    field.addEventListener(kind, (event) => {
      const cell = under(event);
      if (cell === null) return;
      event.stopPropagation();
      act(cell, event);
    });
  }
  let last = "";
  onCell("pointermove", (cell, event) => {
    const point = `${event.screenX} ${event.screenY}`; // a page that scrolls moves no pointer
    if (point !== last && cell !== chosen) choose(cell, false);
    last = point;
  });
  onCell("focusin", (cell) => cell !== chosen && choose(cell, false));
  onCell("mousedown", (cell, event) => {
    event.preventDefault(); // no text is selected, nothing scrolls
    choose(cell, "here");
  });
  onCell("click", (cell, event) => {
    if (event.ctrlKey || event.metaKey) ask({ do: "flag", cell });
    else ask({ do: "press", cell, again: event.detail > 1 });
  });
  onCell("auxclick", (cell, event) => event.button === 1 && ask({ do: "chord", cell }));
  onCell("contextmenu", (cell, event) => {
    event.preventDefault();
    if (!event.ctrlKey) ask({ do: "flag", cell }); // with Ctrl it is a click, of some systems
  });

  const actions = {
    " ": () => ask({ do: "press", cell: chosen }),
    Enter: () => ask({ do: "press", cell: chosen }),
    f: () => ask({ do: "flag", cell: chosen }),
    c: () => ask({ do: "chord", cell: chosen }),
    h: () => ask({ do: "hint" }),
    p: toggle,
    PageUp: () => choose(at.counted(chosen, at.outer, -1), true),
    PageDown: () => choose(at.counted(chosen, at.outer, 1), true),
  };
  for (const [key, down, step] of [["Left", 0, -1], ["Right", 0, 1], ["Up", 1, -1], ["Down", 1, 1]]) {
    actions[`Arrow${key}`] = (event) => choose(at.counted(chosen, at.axes(down, event.shiftKey), step), true);
  }
  field.addEventListener("keydown", (event) => {
    const act = actions[event.key.length > 1 ? event.key : event.key.toLowerCase()];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act(event);
  });
  hint.addEventListener("click", () => ask({ do: "hint" }));
  chances.addEventListener("click", toggle);

  // In step with Python -----------------------------------------------------------------------------

  const followed = [
    ["change:view", moved], ["change:status", showChances], ["change:overlay", showChances], ["change:chances", showChances], ["change:status", showState],
    ["change:left", showState], ["change:message", showMessage], ["change:pointed", showHint],
    ["change:seconds", timed], ["change:ticks", timed], ["msg:custom", answered],
  ];
  for (const [what, act] of followed) model.on(what, act);
  const ticking = setInterval(tick, 250);
  choose(chosen, false);
  for (const begin of [busy, showState, showMessage, showChances, showHint, timed]) begin();
  ask({ do: "look" }); // the time has gone on since the page was stored
  return () => {
    clearInterval(ticking);
    for (const [what, act] of followed) model.off(what, act);
  };
}

export default { render };
