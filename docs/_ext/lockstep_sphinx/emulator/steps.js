// Shows a trace of the emulator: one block at a time, a row for each warp, a cell for each of its lanes; then what the
// variables of one warp's lanes hold, what the warp asks of the memory, and the arrays in shared memory.

const beside = globalThis.lockstepOffline?.beside ?? ((name) => new URL(name, import.meta.url));
const trace = await import(beside("trace.js"));
const { BANKS, Contents, WARP, activeWarp, describe, judge, parse, spelled, unpack, visited } = trace;

const PLAY_MS = 350;
const SLOW_MS = 1000; // for who wants little motion
const NARROW = "(max-width: 46em)";
const REGION = /^\s*\/\/ \[\/?[\w-]+\]$/; // a comment that marks what a page shows
const [SHORT, LONG] = [6, 10]; // characters of values, by which fewer of them fit into a row

const STATES = {
  "#": ["active", "runs this line"],
  ".": ["elsewhere", "is at another line"],
  "|": ["barrier", "waits at a barrier"],
  w: ["collective", "waits in a warp operation"],
  "-": ["ended", "has ended"],
};
const WORDS = [
  ["read", "read in this step"],
  ["written", "written in this step"],
  ["clash", "in a bank conflict"],
  ["held", "holds a value"],
];

const VIEW = `
  <p class="lockstep-caption"></p>
  <label class="which" hidden>Block <select name="block"></select></label>
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
  <ul class="legend"></ul>
  <div class="lanes" hidden>
    <p class="head"><span></span> <label hidden>Warp <select name="warp"></select></label></p>
    <div class="variables"></div>
    <ul class="accesses"></ul>
  </div>
  <div class="arrays"></div>`;

function element(tag, className, ...content) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...content);
  return made;
}

const row = (state, meaning) => element("li", "", element("i", state), ` ${meaning}`);

// Adds the view of a trace to a box and gives it the focus; false if the trace has no step.
export function show(box, told) {
  const { source, variables, launches, blocks } = parse(told);
  if (!blocks.length) return false;
  const view = element("section", "lockstep-steps");
  view.setAttribute("aria-label", "Steps of a kernel");
  view.innerHTML = VIEW;
  const find = (selector) => view.querySelector(selector);
  const [range, select, now, chosen] = ["[type=range]", "[name=block]", ".now", "[name=warp]"].map(find);
  now.setAttribute("aria-live", "polite");

  for (const [state, meaning] of Object.values(STATES)) find(".legend").append(row(state, meaning));
  blocks.forEach(({ launch, kernel, block }, i) => {
    select.add(new Option(launches > 1 ? `${block} of ${kernel[0]}, launch ${launch}` : block, i));
  });
  find(".which").hidden = blocks.length === 1;

  let shown, contents, rows, cells, arrays, timer;
  let warp = 0; // whose lanes are shown
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");
  const narrow = matchMedia(NARROW);

  function choose(number) {
    pause();
    shown = blocks[number];
    contents = new Contents(shown);
    const { kernel, block, steps, cut } = shown;
    const first = cut ? `; the first ${steps.length.toLocaleString("en")} steps` : "";
    find("p").textContent = `${kernel[0]}: grid ${kernel[1]}, block ${kernel[2]}; here block ${block}${first}`;
    const lines = visited(source, steps).filter((line) => !REGION.test(source.get(line)));
    rows = new Map(lines.map((line) => [line, sourceRow(line, source.get(line))]));
    find(".source").replaceChildren(...rows.values());
    const threads = steps[0].lanes.length;
    cells = warpCells(find(".warps"), threads);
    const warps = Math.ceil(threads / WARP);
    chosen.replaceChildren(new Option("the active one", ""), ...Array.from({ length: warps }, (_, i) => new Option(i)));
    find(".warps").classList.toggle("many", warps > 8);
    chosen.parentElement.hidden = warps === 1;
    warp = 0;
    arrays = shown.arrays.map((array) => new ArrayView(array, narrow));
    const legend = element("ul", "legend", ...WORDS.map(([state, meaning]) => row(state, meaning)));
    find(".arrays").replaceChildren(...arrays.map(({ box: each }) => each), ...(arrays.length ? [legend] : []));
    find(".lanes").hidden = !variables.length && !steps.some(({ accesses }) => accesses.length);
    range.max = steps.length - 1;
    go(0);
  }

  function go(number) {
    const { steps } = shown;
    const at = Math.min(Math.max(number, 0), steps.length - 1);
    const step = steps[at];
    contents.go(at);
    const follows = chosen.value === "";
    if (!follows) warp = Number(chosen.value);
    else if (activeWarp(step) >= 0) warp = activeWarp(step);
    const judged = step.accesses.map((access) => ({ warp: access.warp, ...judge(access, shown.arrays) }));
    const own = judged.filter((access) => access.warp === warp);
    const conflict = Math.max(0, ...own.map((access) => access.conflict ?? 0));
    const words = describe(step) + (conflict ? `, a bank conflict: ${conflict} wavefronts` : "");
    range.value = at;
    range.setAttribute("aria-valuetext", `${at + 1} of ${steps.length}`);
    find("output").textContent = `${at + 1} of ${steps.length}`;
    now.textContent = words;
    find(".warps").setAttribute("aria-label", `Threads by warp. ${words}`);
    cells.forEach((cell, i) => (cell.className = STATES[step.lanes[i]]?.[0] ?? ""));
    find("[aria-current]")?.removeAttribute("aria-current");
    const line = rows.get(step.line);
    line?.setAttribute("aria-current", "step");
    if (line) center(line);
    showLanes(step, own);
    arrays.forEach((array, i) => {
      const accesses = judged.filter((access) => access.array === i);
      array.show(contents.arrays.get(i) ?? [], accesses, warp);
    });
    find("[name=previous]").setAttribute("aria-disabled", at === 0);
    find("[name=next]").setAttribute("aria-disabled", at === steps.length - 1);
    return at < steps.length - 1;
  }

  // The variables and accesses of the shown warp's lanes.
  function showLanes(step, own) {
    const lanes = step.lanes.slice(warp * WARP, warp * WARP + WARP);
    find(".lanes .head span").textContent = `Lanes of warp ${warp} after this line`;
    const threads = (list) => new Set(unpack(list).map(([thread]) => thread));
    const assigned = new Map(step.set.map(([variable, list]) => [variable, threads(list)]));
    const known = variables
      .map((variable, number) => ({ ...variable, number }))
      .filter(({ first, last }) => first <= step.line && step.line <= last)
      .sort((a, b) => a.first - b.first);
    find(".variables").replaceChildren(
      ...known.map(({ name, kind, number }) => {
        const values = [...lanes].map((state, lane) => {
          const thread = warp * WARP + lane;
          const value = spelled(contents.variables.get(number)?.[thread], kind);
          return { value, state: [assigned.get(number)?.has(thread) && "fresh", state !== "#" && "idle"] };
        });
        return variableView(name, values, narrow.matches);
      }),
    );
    const texts = new Map();
    for (const { text, excess } of own) texts.set(text, { excess, times: (texts.get(text)?.times ?? 0) + 1 });
    const items = [...texts].map(([text, { times, excess }]) => {
      return element("li", excess ? "excess" : "", times > 1 ? `${times} × ${text}` : text);
    });
    find(".accesses").replaceChildren(...items);
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
  chosen.addEventListener("change", () => go(here()));
  narrow.addEventListener("change", () => view.isConnected && go(here()));
  view.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const own = [range, select, chosen].includes(event.target); // these keys mean something else there
    if (!by || own || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(by);
  });
  box.append(view);
  choose(0);
  find("[name=next]").focus({ preventScroll: true });
  return true;
}

function sourceRow(line, text) {
  const made = element("li", "", element("code", "", text.trimStart()));
  made.value = line;
  made.style.setProperty("--indent", text.length - text.trimStart().length);
  return made;
}

// A cell for each thread, in rows of a warp.
function warpCells(box, threads) {
  box.replaceChildren();
  const cells = [];
  for (let thread = 0; thread < threads; thread++) {
    if (thread % WARP === 0) box.append(element("b", "", thread / WARP));
    const cell = element("i");
    if (thread % WARP === 0) cell.style.gridColumn = 2;
    box.append(cell);
    cells.push(cell);
  }
  return cells;
}

// A row of a table for each so many values; `label` names the first of a row.
function table(values, columns, label = (first) => first) {
  const made = element("table", "values");
  for (let first = 0; first < values.length; first += columns) {
    const head = element("th", "", label(first));
    head.scope = "row";
    const row = values.slice(first, first + columns);
    const cells = row.map(({ value, state }) => element("td", state.filter(Boolean).join(" "), value));
    made.append(element("tr", "", head, ...cells));
  }
  return made;
}

// How many values stand side by side: as many of the longest as fit.
function columnsFor(values, narrow) {
  const longest = Math.max(...values.map(({ value }) => value.length));
  if (longest <= SHORT) return narrow ? 8 : 16;
  return longest <= (narrow ? LONG : 2 * SHORT) ? (narrow ? 4 : 8) : narrow ? 2 : 4;
}

// What a variable holds in each lane: one number where it is the same for all that have one.
function variableView(name, values, narrow) {
  const different = new Set(values.map(({ value }) => value).filter(Boolean));
  const title = element("code", "", name);
  if (different.size > 1) {
    const made = table(values, columnsFor(values, narrow));
    made.setAttribute("aria-label", `${name} by lane`);
    return element("div", "", title, made);
  }
  const lanes = values.filter(({ value }) => value).length;
  const fresh = values.some(({ state }) => state[0]) ? "fresh" : "";
  const where = lanes === values.length ? " in all lanes" : ` in ${lanes} of ${values.length} lanes`;
  const text = lanes ? [element("b", fresh, ...different), where] : ["has no value yet"];
  return element("div", "same", title, element("span", "", ...text));
}

// An array in shared memory: a cell for each word, in columns by bank, or its values.
class ArrayView {
  constructor(array, narrow) {
    this.array = array;
    this.narrow = narrow;
    const { name, element: bytes, extents, bytes: all, kind } = array;
    this.size = kind === "x" ? 4 : Number(kind.slice(1));
    this.width = ((extents.at(-1) ?? all / bytes) * bytes) / this.size; // values in a row
    const single = extents.length === 1 && extents[0] === 1;
    const size = single ? "" : (extents.length ? extents : [Math.floor(all / bytes)]).map((n) => `[${n}]`).join("");
    this.values = document.createElement("input");
    this.values.type = "checkbox";
    this.values.checked = this.width * this.size < BANKS * 4;
    this.values.addEventListener("change", () => this.draw());
    const toggle = element("label", "", this.values, " values");
    toggle.hidden = kind === "x";
    if (kind === "x") this.values.checked = false;
    this.summary = element("span");
    this.grid = element("div", "grid");
    const head = element("p", "head", element("code", "", name + size), this.summary, toggle);
    this.box = element("div", "array", head, this.grid);
  }

  show(values, accesses, warp) {
    this.shown = { values, accesses, warp };
    this.draw();
  }

  draw() {
    const { values, accesses, warp } = this.shown;
    const { place, bytes: all } = this.array;
    const marks = new Map(); // by word
    const mark = (address, bytes, state) => {
      for (let word = Math.floor(address / 4); word * 4 < address + bytes; word++) {
        if (!marks.has(word)) marks.set(word, new Set());
        marks.get(word).add(state);
      }
    };
    const served = Array(BANKS).fill(0); // words that a bank delivers one after another
    for (const access of accesses) {
      const clashes = access.conflict && access.warp === warp;
      if (clashes) access.words.forEach((count, bank) => (served[bank] = Math.max(served[bank], count)));
      for (const address of access.addresses) {
        if (access.kind !== "w") mark(address, access.bytes, "read");
        if (access.kind !== "r") mark(address, access.bytes, "written");
        const bank = Math.floor((address + place) / 4) % BANKS;
        if (clashes && access.words[bank] > 1) mark(address, access.bytes, "clash");
      }
    }
    const conflict = Math.max(...served);
    const count = (state) => [...marks.values()].filter((all) => all.has(state)).length;
    const [read, written] = [count("read"), count("written")];
    const told = [read && `${read} words read`, written && `${written} words written`, conflict && `${conflict} wavefronts`];
    this.summary.textContent = told.filter(Boolean).join(", ");
    const grid = this.values.checked ? this.table(values, marks) : this.banks(values, marks, served);
    this.grid.replaceChildren(grid);
    this.grid.className = this.values.checked ? "grid" : "grid banks";
    if (this.grid.scrollHeight > this.grid.clientHeight + 1) this.grid.tabIndex = 0;
    else this.grid.removeAttribute("tabindex");
    this.grid.setAttribute("role", this.grid.tabIndex === 0 ? "region" : "group");
    this.grid.setAttribute("aria-label", `${this.array.name} in shared memory, ${all} bytes`);
    const touched = grid.querySelector(".clash, .read, .written");
    if (touched) center(touched);
  }

  table(values, marks) {
    const { size, width, array } = this;
    const words = Array.from({ length: Math.min(array.bytes / size, 4096) }, (_, i) => {
      const state = marks.get(Math.floor((i * size) / 4)) ?? new Set();
      return { value: spelled(values[i], array.kind), state: [...state] };
    });
    const columns = Math.min(columnsFor(words, this.narrow.matches), width);
    const made = element("table", "values");
    for (let first = 0; first < words.length; first += width) {
      const label = (at) => (array.extents.length > 1 ? `${first / width},${at}` : first + at);
      made.append(...table(words.slice(first, first + width), columns, label).children);
    }
    return made;
  }

  banks(values, marks, served) {
    const { place, bytes } = this.array;
    const words = Math.min(Math.ceil(bytes / 4), Math.ceil((4096 * this.size) / 4));
    const made = element("div", "words");
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", `${this.array.name} by banks. ${this.summary.textContent}`);
    made.append(element("b", "row", "bank"), ...served.map((_, bank) => element("b", "", bank % 8 ? "" : bank)));
    made.append(element("b", "row", "words"), ...served.map((count) => element("b", "clash", count > 1 ? count : "")));
    const start = (place / 4) % BANKS;
    for (let word = 0; word < words; word++) {
      const column = (start + word) % BANKS;
      if (word === 0 || column === 0) made.append(element("b", "row", word));
      const held = values[Math.floor((word * 4) / this.size)] !== undefined;
      const cell = element("i", [...(marks.get(word) ?? []), ...(held ? ["held"] : [])].join(" "));
      if (word === 0) cell.style.gridColumn = column + 2;
      made.append(cell);
    }
    return made;
  }
}

// Scrolls something to the middle of the box that it stands in, without moving the page.
function center(inner) {
  const box = inner.closest(".source, .grid");
  const at = inner.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
  box.scrollTop = at - (box.clientHeight - inner.offsetHeight) / 2;
}
