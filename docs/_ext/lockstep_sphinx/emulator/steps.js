// Shows a trace of the emulator: one block at a time, a row for each warp, a cell for each of its lanes.
//
// A trace has one record on each line:
//   source LINE TEXT                   a line of a kernel's source; each once, at the beginning
//   kernel NAME GRID BLOCK             a launch; only the name may hold blanks
//   step BLOCK LINE LANES              what each thread of a block does: one of the characters of STATES
//   event BLOCK LINE TEXT              something to say of the step before

const WARP = 32;
const PLAY_MS = 350;
const SLOW_MS = 1000; // for who wants little motion

const STATES = {
  "#": ["active", "runs this line"],
  ".": ["elsewhere", "is at another line"],
  "|": ["barrier", "waits at a barrier"],
  w: ["collective", "waits in a warp operation"],
  "-": ["ended", "has ended"],
};

// Reads a trace: the lines of source, and for each block of each launch its steps.
export function parse(trace) {
  const source = new Map();
  const blocks = new Map();
  let launch = 0;
  let kernel = ["", "", ""];
  for (const record of trace.split("\n").slice(0, -1)) {
    const [kind, first, second, ...rest] = record.split(" ");
    if (kind === "source") {
      source.set(Number(first), record.slice(`source ${first} `.length));
    } else if (kind === "kernel") {
      launch += 1;
      const [, name, grid, block] = record.match(/^kernel (.*) (\S+) (\S+)$/);
      kernel = [name, grid, block];
    } else if (kind === "step" || kind === "event") {
      const key = `${launch} ${first}`;
      if (!blocks.has(key)) blocks.set(key, { launch, kernel, block: Number(first), steps: [] });
      const { steps } = blocks.get(key);
      if (kind === "step") steps.push({ line: Number(second), lanes: rest[0] ?? "", event: "" });
      else if (steps.length) steps.at(-1).event = [second, ...rest].slice(1).join(" ");
    }
  }
  return { source, launches: launch, blocks: [...blocks.values()].filter(({ steps }) => steps.length) };
}

const count = (lanes, state) => lanes.split(state).length - 1;

// A step in words.
export function describe({ line, lanes, event }) {
  const warps = [];
  for (let at = 0; at < lanes.length; at += WARP) {
    const warp = lanes.slice(at, at + WARP);
    if (warp.includes("#")) warps.push({ warp: at / WARP, active: count(warp, "#"), of: warp.length });
  }
  const parts = [];
  if (warps.length === 1) parts.push(`${warps[0].active} of ${warps[0].of} lanes active in warp ${warps[0].warp}`);
  else if (warps.length) parts.push(`${count(lanes, "#")} of ${lanes.length} threads active, in ${warps.length} warps`);
  else parts.push("no thread active");
  if (lanes.includes("|")) parts.push(`${count(lanes, "|")} at a barrier`);
  if (lanes.includes("w")) parts.push(`${count(lanes, "w")} in a warp operation`);
  if (lanes.includes("-")) parts.push(`${count(lanes, "-")} ended`);
  if (event) parts.push(event);
  return `line ${line}: ${parts.join(", ")}`;
}

// The source of the functions that a block ran through: runs of neighboring lines that hold one of its steps.
export function visited(source, steps) {
  const seen = new Set(steps.map(({ line }) => line));
  const numbers = [...source.keys()].sort((a, b) => a - b);
  const groups = [];
  for (const number of numbers) {
    if (groups.at(-1)?.at(-1) === number - 1) groups.at(-1).push(number);
    else groups.push([number]);
  }
  const kept = groups.filter((group) => group.some((number) => seen.has(number)));
  return (kept.length ? kept : groups).flat();
}

const VIEW = `
  <p class="lockstep-caption"></p>
  <label class="which" hidden>Block <select></select></label>
  <div class="controls">
    <button type="button" name="previous">Previous</button>
    <button type="button" name="play">Play</button>
    <button type="button" name="next">Next</button>
    <input type="range" min="0" value="0" aria-label="Step">
    <output></output>
  </div>
  <p class="now"></p>
  <ol class="source" tabindex="0" aria-label="Source of the kernel"></ol>
  <div class="warps" role="img"></div>
  <ul class="legend"></ul>`;

// Adds the view of a trace to a box and gives it the focus; false if the trace has no step.
export function show(box, trace) {
  const { source, launches, blocks } = parse(trace);
  if (!blocks.length) return false;
  const view = document.createElement("section");
  view.className = "lockstep-steps";
  view.setAttribute("aria-label", "Steps of a kernel");
  view.innerHTML = VIEW;
  const find = (selector) => view.querySelector(selector);
  const [range, select, now] = [find("input"), find("select"), find(".now")];
  now.setAttribute("aria-live", "polite");

  for (const [state, meaning] of Object.values(STATES)) {
    const item = document.createElement("li");
    item.innerHTML = `<i class="${state}"></i> ${meaning}`;
    find(".legend").append(item);
  }
  blocks.forEach(({ launch, kernel, block }, i) => {
    select.add(new Option(launches > 1 ? `${block} of ${kernel[0]}, launch ${launch}` : block, i));
  });
  find(".which").hidden = blocks.length === 1;

  let shown, rows, cells, timer;
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");

  function choose(number) {
    pause();
    shown = blocks[number];
    const { kernel, block, steps } = shown;
    find("p").textContent = `${kernel[0]}: grid ${kernel[1]}, block ${kernel[2]}; here block ${block}`;
    rows = new Map(visited(source, steps).map((line) => [line, sourceRow(line, source.get(line))]));
    find(".source").replaceChildren(...rows.values());
    cells = warpCells(find(".warps"), steps[0].lanes.length);
    range.max = steps.length - 1;
    go(0);
  }

  function go(number) {
    const { steps } = shown;
    const at = Math.min(Math.max(number, 0), steps.length - 1);
    const { line, lanes } = steps[at];
    const words = describe(steps[at]);
    range.value = at;
    range.setAttribute("aria-valuetext", `${at + 1} of ${steps.length}`);
    find("output").textContent = `${at + 1} of ${steps.length}`;
    now.textContent = words;
    find(".warps").setAttribute("aria-label", `Threads by warp. ${words}`);
    cells.forEach((cell, i) => (cell.className = STATES[lanes[i]]?.[0] ?? ""));
    find("[aria-current]")?.removeAttribute("aria-current");
    const row = rows.get(line);
    row?.setAttribute("aria-current", "step");
    if (row) center(row);
    find("[name=previous]").setAttribute("aria-disabled", at === 0);
    find("[name=next]").setAttribute("aria-disabled", at === steps.length - 1);
    return at < steps.length - 1;
  }

  const here = () => Number(range.value);

  function pause() {
    clearInterval(timer);
    timer = undefined;
    find("[name=play]").textContent = "Play";
    now.setAttribute("aria-live", "polite");
  }

  function play() {
    if (here() === shown.steps.length - 1) go(0);
    find("[name=play]").textContent = "Pause";
    now.setAttribute("aria-live", "off"); // no screen reader can keep up
    timer = setInterval(() => {
      if (!view.isConnected || !go(here() + 1)) pause();
    }, quiet.matches ? SLOW_MS : PLAY_MS);
  }

  function move(by) {
    pause();
    go(here() + by);
  }

  find("[name=previous]").addEventListener("click", () => move(-1));
  find("[name=next]").addEventListener("click", () => move(1));
  find("[name=play]").addEventListener("click", () => (timer ? pause() : play()));
  range.addEventListener("input", () => move(0));
  select.addEventListener("change", () => choose(Number(select.value)));
  view.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by || event.target === range || event.target === select || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(by);
  });
  box.append(view);
  choose(0);
  find("[name=next]").focus({ preventScroll: true });
  return true;
}

function sourceRow(line, text) {
  const row = document.createElement("li");
  row.value = line;
  const code = document.createElement("code");
  code.textContent = text;
  row.append(code);
  return row;
}

// A cell for each thread, in rows of a warp.
function warpCells(box, threads) {
  box.replaceChildren();
  const cells = [];
  for (let thread = 0; thread < threads; thread++) {
    if (thread % WARP === 0) box.append(Object.assign(document.createElement("b"), { textContent: thread / WARP }));
    const cell = document.createElement("i");
    if (thread % WARP === 0) cell.style.gridColumn = 2;
    box.append(cell);
    cells.push(cell);
  }
  return cells;
}

// Scrolls a row of the source to the middle of its box, without moving the page.
function center(row) {
  const box = row.parentElement;
  box.scrollTop = row.offsetTop - (box.clientHeight - row.offsetHeight) / 2;
}
