// Runs one module: the system calls that it makes, and the switching between the emulator's fibres.
// Told {module, name, arguments, seed}; tells {out, trace, cut} as it goes, then {file, bytes} for each file that the
// program has written, at last {status}, {full} or {trap}.
"use strict";

const BATCH_MS = 50;
const AT_ONCE = 1000; // messages that wait for no others: a program may be silent, and be stopped, after any of them
const MAX_OUTPUT = 200_000; // characters
const MAX_STEPS = 20_000;
const [EBADF, ENOENT, ENOSPC, ENOSYS, ESPIPE] = [8, 44, 51, 52, 70];
const FOLDER = 3; // the only one, in which a program may write files; what is written to it is the trace
const CREATES = 1; // a flag of path_open
const MAX_FILES = 8_000_000; // bytes

class Abandoned {}

class End {
  constructor(message) {
    this.message = message;
  }
}

// What goes to the page, in batches.
let pending = { out: "", trace: "" };
let sent = -Infinity;
let messages = 0;
let begun = false; // a line that is not at its end
let printed = 0;
let steps = 0;
let carried = ""; // the end of the trace so far, where a record may begin

function flush() {
  if (!pending.out && !pending.trace && !pending.cut) return;
  postMessage(pending);
  messages++;
  pending = { out: "", trace: "" };
  sent = performance.now();
}

function flushInTime() {
  if (messages < AT_ONCE || performance.now() - sent > BATCH_MS) flush();
}

function print(text) {
  if (begun && text.startsWith("emulator: ")) text = `\n${text}`; // a remark has a line of its own
  if (text) begun = !text.endsWith("\n");
  const room = MAX_OUTPUT - printed;
  printed += text.length;
  if (room > 0) pending.out += text.slice(0, room);
  if (printed > MAX_OUTPUT) pending.cut = true;
}

function trace(text) {
  const seen = carried + text;
  steps += seen.split("\nstep ").length - 1;
  carried = seen.slice(-5);
  pending.trace += text;
  if (steps > MAX_STEPS) throw new End({ full: MAX_STEPS });
}

// Memory
let exports, memory;
let data = new DataView(new ArrayBuffer(0));

function view() {
  if (data.buffer !== memory.buffer) data = new DataView(memory.buffer); // it was replaced when memory grew
  return data;
}

// Writes texts, each ended by a zero byte, and where each begins: as a program wants arguments and environment.
function put(texts, pointers, at) {
  const bytes = new Uint8Array(memory.buffer);
  for (const text of texts) {
    const encoded = new TextEncoder().encode(`${text}\0`);
    view().setUint32(pointers, at, true);
    bytes.set(encoded, at);
    pointers += 4;
    at += encoded.length;
  }
  return 0;
}

function putSizes(texts, count, size) {
  view().setUint32(count, texts.length, true);
  view().setUint32(size, new TextEncoder().encode(texts.map((text) => `${text}\0`).join("")).length, true);
  return 0;
}

let argv = [];
let environment = [];
let slept = 0n; // nanoseconds: a program that sleeps does not wait, its clock is put forward
let random = 1;
const decoders = { 1: new TextDecoder(), 2: new TextDecoder(), 3: new TextDecoder() };

// A browser's clock is coarse, and two readings that are the same would make a rate endless.
let told = 0n;
function now() {
  const read = BigInt(Math.round((performance.timeOrigin + performance.now()) * 1e6)) + slept;
  told = read > told ? read : told + 1000n;
  return told;
}

// Files that the program writes: it opens one, writes it from its beginning, closes it, and may rename it.
const opened = new Map(); // by descriptor
const files = new Map(); // by name: what was written, in pieces
let descriptors = 0;
let filled = 0; // bytes of all

const textAt = (at, length) => new TextDecoder().decode(new Uint8Array(memory.buffer, at >>> 0, length >>> 0));

function writeFile(chunks, parts, count, written) {
  let total = 0;
  for (let i = 0; i < count; i++) {
    const from = view().getUint32(parts + 8 * i, true);
    const length = view().getUint32(parts + 8 * i + 4, true);
    total += length;
    filled += length;
    if (filled > MAX_FILES) return ENOSPC;
    chunks.push(new Uint8Array(memory.buffer.slice(from, from + length)));
  }
  view().setUint32(written, total, true);
  return 0;
}

async function tellFiles() {
  for (const [file, chunks] of files) {
    const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
    postMessage({ out: "", trace: "", file, bytes });
  }
}

const system = {
  args_get: (pointers, at) => put(argv, pointers >>> 0, at >>> 0),
  args_sizes_get: (count, size) => putSizes(argv, count >>> 0, size >>> 0),
  environ_get: (pointers, at) => put(environment, pointers >>> 0, at >>> 0),
  environ_sizes_get: (count, size) => putSizes(environment, count >>> 0, size >>> 0),

  fd_write(file, parts, count, written) {
    if (opened.has(file)) return writeFile(opened.get(file), parts >>> 0, count, written >>> 0);
    if (!decoders[file]) return EBADF;
    let total = 0;
    let text = "";
    for (let i = 0; i < count; i++) {
      const from = view().getUint32((parts >>> 0) + 8 * i, true);
      const length = view().getUint32((parts >>> 0) + 8 * i + 4, true);
      text += decoders[file].decode(new Uint8Array(memory.buffer, from, length), { stream: true });
      total += length;
    }
    view().setUint32(written >>> 0, total, true);
    if (file === 3) trace(text);
    else print(text);
    flushInTime();
    return 0;
  },
  fd_fdstat_get(file, at) {
    if (!decoders[file] && !opened.has(file)) return EBADF;
    view().setUint8(at >>> 0, opened.has(file) ? 4 : file === FOLDER ? 3 : 2); // a file, a folder, a terminal
    view().setUint16((at >>> 0) + 2, 0, true);
    view().setBigUint64((at >>> 0) + 8, file === FOLDER ? ~0n : 64n, true); // to be written to
    view().setBigUint64((at >>> 0) + 16, file === FOLDER ? ~0n : 0n, true); // what its files allow
    return 0;
  },
  fd_close: (file) => (opened.delete(file), 0),
  fd_seek: () => ESPIPE,
  fd_prestat_get(file, at) {
    if (file !== FOLDER) return EBADF; // any other answer stops a program that opens files
    view().setUint32(at >>> 0, 0, true);
    view().setUint32((at >>> 0) + 4, 1, true); // characters of its name
    return 0;
  },
  fd_prestat_dir_name(file, at) {
    view().setUint8(at >>> 0, ".".charCodeAt(0));
    return 0;
  },
  path_open(folder, lookup, at, length, flags, rights, inherited, mode, result) {
    if (!(flags & CREATES)) return ENOENT;
    const file = FOLDER + ++descriptors;
    const chunks = [];
    files.set(textAt(at, length), chunks);
    opened.set(file, chunks);
    view().setUint32(result >>> 0, file, true);
    return 0;
  },
  path_rename(folder, at, length, other, to, toLength) {
    const [from, name] = [textAt(at, length), textAt(to, toLength)];
    if (!files.has(from)) return ENOENT;
    files.set(name, files.get(from));
    files.delete(from);
    return 0;
  },

  proc_exit(status) {
    throw new End({ status });
  },
  clock_time_get(clock, precision, at) {
    flushInTime();
    view().setBigUint64(at >>> 0, now(), true);
    return 0;
  },
  random_get(at, length) {
    const bytes = new Uint8Array(memory.buffer, at >>> 0, length >>> 0);
    for (let i = 0; i < bytes.length; i++) bytes[i] = (random = (Math.imul(random, 1103515245) + 12345) >>> 0) >>> 16;
    return 0;
  },
  sched_yield: () => 0,
  poll_oneoff(subscriptions, events, count, happened) {
    const [from, to] = [subscriptions >>> 0, events >>> 0];
    if (count === 0 || view().getUint8(from + 8) !== 0) return ENOSYS; // it waits for something other than a clock
    const timeout = view().getBigUint64(from + 24, true);
    const absolute = view().getUint16(from + 40, true) & 1;
    const left = absolute ? timeout - now() : timeout;
    if (left > 0n) slept += left;
    for (let i = 0; i < 4; i++) view().setBigUint64(to + 8 * i, 0n, true);
    view().setBigUint64(to, view().getBigUint64(from, true), true);
    view().setUint32(happened >>> 0, 1, true);
    return 0;
  },
};

const fibres = {
  // Runs the module's emu_guarded, which ends early if the module calls abandon.
  guard() {
    flush();
    const stack = exports.__stack_pointer.value;
    try {
      exports.emu_guarded();
    } catch (error) {
      if (!(error instanceof Abandoned)) throw error;
      exports.__stack_pointer.value = stack;
    }
  },
  abandon() {
    throw new Abandoned();
  },
};

function explain(error) {
  if (!(error instanceof RangeError)) return error.message ?? String(error);
  return error.message.includes("call stack") ? "its calls are nested too deep" : "out of memory";
}

onmessage = async ({ data: job }) => {
  argv = [`./${job.name}`, ...job.arguments];
  environment = [`EMULATOR_SEED=${job.seed}`];
  let message = { status: 0 };
  try {
    const missing = { get: (calls, name) => calls[name] ?? (() => ENOSYS) };
    const imports = { wasi_snapshot_preview1: new Proxy(system, missing), emu: fibres };
    exports = (await WebAssembly.instantiate(job.module, imports)).exports;
    memory = exports.memory;
    exports._start();
  } catch (error) {
    message = error instanceof End ? error.message : { trap: explain(error) };
  }
  flush();
  await tellFiles();
  postMessage(message);
};
