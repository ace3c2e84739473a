// Reads a trace of the emulator (programs/emulator/runtime/trace.cpp), and says what its steps did.
//
// A trace has one record on each line:
//   source LINE TEXT                        a line of a kernel's source; each once, at the beginning
//   variable NUMBER NAME FIRST LAST KIND    a variable of each thread, and the lines where it is in scope
//   kernel NAME GRID BLOCK                  a launch; only the name may hold blanks
//   array NAME KIND ELEMENT BYTES PLACE EXTENTS   shared memory of that launch, numbered from 0: bytes of an element, of
//                                           all, where it lies on a GPU, and "32x33" or nothing
//   step BLOCK LINE LANES                   what each thread of a block does: one of the characters of STATES
// and, of what the block's last step did:
//   set BLOCK VARIABLE LIST                 values by thread
//   values BLOCK ARRAY LIST                 values of shared memory that changed, by their place
//   access BLOCK WARP KIND WHERE BYTES LIST   r, w or a: a read, a write, an atomic operation; of an array, of other shared
//                                           memory or of global memory: addresses by lane, and bytes of each lane
//   event BLOCK LINE TEXT                   something to say of it
//   cut BLOCK                               the block has further steps, which are not told
// A KIND is a letter and a number of bytes: i signed, u unsigned, f floating-point, b truth; x if it is not known. A LIST is
// "PLACE=VALUE", or "PLACE=VALUE~STEP*COUNT" for COUNT places that follow one another.

export const WARP = 32;
export const BANKS = 32;
const WORD = 4; // bytes
const SECTOR = 32; // bytes

// The pairs of place and value that a list stands for.
export function unpack(list) {
  const found = [];
  for (const part of list ? list.split(" ") : []) {
    const [, place, value, step, count] = part.match(/^(\d+)=([^~*]+)(?:~(-?\d+))?(?:\*(\d+))?$/);
    for (let i = 0; i < Number(count ?? 1); i++)
      found.push([Number(place) + i, step ? String(BigInt(value) + BigInt(step) * BigInt(i)) : value]);
  }
  return found;
}

const READ = {
  source: (told, [line], text) => told.source.set(Number(line), text.split(" ").slice(2).join(" ")),
  variable: (told, [number, name, first, last, kind]) =>
    (told.variables[number] = { name, first: Number(first), last: Number(last), kind }),
  kernel(told, words, text) {
    told.launches += 1;
    told.kernel = text.match(/^kernel (.*) (\S+) (\S+)$/).slice(1);
    told.arrays = [];
  },
  array: (told, [name, kind, element, bytes, place, extents]) =>
    told.arrays.push({
      name,
      kind,
      element: Number(element),
      bytes: Number(bytes),
      place: Number(place),
      extents: extents ? extents.split("x").map(Number) : [],
    }),
  step: (told, [, line, lanes], text, block) =>
    block.steps.push({ line: Number(line), lanes: lanes ?? "", event: "", set: [], values: [], accesses: [] }),
  set: (told, [, variable, ...list], text, { steps }) => steps.at(-1).set.push([Number(variable), list.join(" ")]),
  values: (told, [, array, ...list], text, { steps }) => steps.at(-1).values.push([Number(array), list.join(" ")]),
  access: (told, [, warp, kind, where, bytes, ...list], text, { steps }) =>
    steps.at(-1).accesses.push({ warp: Number(warp), kind, where, bytes: Number(bytes), list: list.join(" ") }),
  event: (told, [, , ...words], text, { steps }) => (steps.at(-1).event = words.join(" ")),
  cut: (told, words, text, block) => (block.cut = true),
};
const OF_PROGRAM = ["source", "variable", "kernel", "array"];

// Reads a trace: the lines of source, the variables, and for each block of each launch its steps.
export function parse(trace) {
  const told = { source: new Map(), variables: [], launches: 0, kernel: ["", "", ""], arrays: [] };
  const blocks = new Map();
  for (const record of trace.split("\n").slice(0, -1)) {
    const [kind, ...words] = record.split(" ");
    if (OF_PROGRAM.includes(kind)) {
      READ[kind](told, words, record);
    } else if (READ[kind]) {
      const { launches: launch, kernel, arrays } = told;
      const key = `${launch} ${words[0]}`;
      if (!blocks.has(key)) blocks.set(key, { launch, kernel, arrays, block: Number(words[0]), cut: false, steps: [] });
      if (kind === "step" || blocks.get(key).steps.length) READ[kind](told, words, record, blocks.get(key));
    }
  }
  const { source, variables, launches } = told;
  return { source, variables, launches, blocks: [...blocks.values()].filter(({ steps }) => steps.length) };
}

// What variables and arrays hold after each step of a block.
export class Contents {
  constructor({ steps }) {
    this.steps = steps;
    this.forget();
  }

  forget() {
    this.last = -1;
    this.variables = new Map(); // values by thread
    this.arrays = new Map(); // values by place
  }

  // Makes the contents those after a step.
  go(number) {
    if (number < this.last) this.forget();
    while (this.last < number) {
      const { set, values } = this.steps[++this.last];
      for (const [held, lists] of [[this.variables, set], [this.arrays, values]])
        for (const [which, list] of lists) {
          if (!held.has(which)) held.set(which, []);
          for (const [place, value] of unpack(list)) held.get(which)[place] = value;
        }
    }
  }
}

// The words of shared memory that a warp's access needs, by bank; as many wavefronts as the fullest bank has words.
export function wavefronts(addresses, bytes) {
  const banks = Array.from({ length: BANKS }, () => new Set());
  for (const address of addresses)
    for (let word = Math.floor(address / WORD); word * WORD < address + bytes; word++) banks[word % BANKS].add(word);
  const words = banks.map((bank) => bank.size);
  const all = words.reduce((sum, count) => sum + count, 0);
  return { words, count: Math.max(...words), least: Math.ceil(all / BANKS) };
}

// The sectors of global memory that a warp's access needs, and how many would hold its bytes.
export function sectors(addresses, bytes) {
  const touched = new Set();
  const needed = new Set();
  for (const address of addresses)
    for (let byte = address; byte < address + bytes; byte++) {
      needed.add(byte);
      touched.add(Math.floor(byte / SECTOR));
    }
  return { count: touched.size, least: Math.ceil(needed.size / SECTOR), bytes: needed.size };
}

const plural = (count, thing, things = `${thing}s`) => `${count} ${count === 1 ? thing : things}`;
const DOES = { r: "reads", w: "writes", a: "atomic operations on" };

// What an access of a warp asks of the memory: in words, and the words by bank where it is of shared memory. It has an excess
// where another order of its addresses would need less.
export function judge({ kind, where, bytes, list }, arrays) {
  const lanes = unpack(list);
  const array = arrays[where];
  const addresses = lanes.map(([, address]) => Number(address));
  const access = { kind, bytes, addresses, array: array && Number(where), conflict: 0, excess: false };
  const does = `${DOES[kind]} ${array ? array.name : `${where} memory`}: ${plural(lanes.length, "lane")}`;
  if (kind === "a") return { ...access, text: `${does}, ${plural(new Set(addresses).size, "address", "addresses")}` };
  if (where === "global") {
    const { count, least } = sectors(addresses, bytes);
    const better = count > least ? `; ${least} would hold them` : "";
    return { ...access, excess: count > least, text: `${does} of ${bytes} bytes, ${plural(count, "sector")}${better}` };
  }
  const place = array ? array.place : 0;
  const { words, count, least } = wavefronts(addresses.map((address) => address + place), bytes);
  const excess = count > least;
  const text = `${does}, ${plural(count, "wavefront")}${excess ? ": a bank conflict" : ""}`;
  return { ...access, excess, conflict: excess ? count : 0, words, text };
}

const count = (lanes, state) => lanes.split(state).length - 1;

// The first warp with a lane that runs the line of a step; -1 if none does.
export const activeWarp = ({ lanes }) => Math.floor((lanes.includes("#") ? lanes.indexOf("#") : -WARP) / WARP);

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

// A value as a reader wants it, in at most twelve characters; nothing for none.
export function spelled(value, kind) {
  if (kind[0] === "b") return { 0: "false", 1: "true" }[value] ?? "";
  return value?.replace("e+", "e") ?? "";
}
