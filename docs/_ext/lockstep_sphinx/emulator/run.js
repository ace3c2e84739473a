// Runs a program of a page in a worker; shows what it prints, and how that compares with what the GPU printed.

const TIME_LIMIT_S = 20;
const MAX_PIXELS = 1 << 20; // of a picture, as of a recorded one
const MAX_MARKED = 100; // lines that differ and are shown with what was recorded

const MEASURED = /~[-+]?[0-9][0-9.]*(?:e[-+]?[0-9]+)?/g;
export const SAYS = "emulator: ";

// Where a file beside this one stands, and what answers for those of the programs: in a copy on disk, scripts hold both.
const beside = globalThis.lockstepOffline?.beside ?? ((name) => new URL(name, import.meta.url));
const answer = globalThis.lockstepOffline?.fetch ?? fetch.bind(globalThis);

const fetched = new Map(); // what the page has loaded, by address

// Remembers what `load` makes of an address, unless it fails.
function once(address, load) {
  const key = String(address);
  if (!fetched.has(key)) {
    const promise = load(address);
    promise.catch(() => fetched.delete(key));
    fetched.set(key, promise);
  }
  return fetched.get(key);
}

async function get(address, options) {
  const response = await answer(address, options);
  if (!response.ok) throw new TypeError(`${response.status} for ${address}`);
  return response;
}

async function compile(address) {
  const response = await get(address);
  const streams = response.headers.get("Content-Type")?.startsWith("application/wasm"); // some hosts call it octets
  return streams ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

function addStyle(address) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = address;
  document.head.append(link);
  return new Promise((resolve) => (link.onload = link.onerror = resolve));
}

// Splits arguments as a shell does, quotes included.
export function words(text) {
  const found = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return found.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

// A line with everything that may differ replaced; the rule is that of ci/lockstep/recordings/transcripts.py.
export function comparable(line, varies) {
  for (const pattern of varies) line = line.replace(pattern, "*");
  return line.replace(MEASURED, " ~").replace(/\s+/g, " ").trimEnd();
}

// Where lines differ from those recorded: pairs of a line's number, if it was printed, and what was recorded, if it was.
export function differences(lines, recorded, varies = [], unordered = false) {
  const patterns = varies.map((pattern) => new RegExp(pattern, "g"));
  const masked = (all) => all.map((line) => comparable(line, patterns));
  const [found, wanted] = [masked(lines), masked(recorded)];
  if (!unordered) {
    const count = Math.max(found.length, wanted.length);
    return [...Array(count).keys()]
      .filter((i) => found[i] !== wanted[i])
      .map((i) => ({ line: i < found.length ? i : undefined, recorded: recorded[i] }));
  }
  const left = wanted.map((text, i) => ({ text, recorded: recorded[i] }));
  const extra = [];
  found.forEach((text, line) => {
    const at = left.findIndex((other) => other.text === text);
    if (at < 0) extra.push({ line });
    else left.splice(at, 1);
  });
  return [...extra, ...left.map(({ recorded }) => ({ recorded }))];
}

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

// Where the program's recorded output stands, seen from its card.
function recordedWhere(card) {
  const shown = [...document.querySelectorAll(".lockstep-transcript")].find(
    (box) => box.dataset.program === card.dataset.program,
  );
  if (!shown) return "";
  const below = card.compareDocumentPosition(shown) & Node.DOCUMENT_POSITION_FOLLOWING;
  return `; the GPU's own output is recorded ${below ? "below" : "above"}`;
}

// The image in a binary pixmap with a byte for each channel; null if the bytes are none.
export function pixels(bytes) {
  const header = /^P([56])\s+(\d+)\s+(\d+)\s+255\s/.exec(new TextDecoder("latin1").decode(bytes.slice(0, 64)));
  if (!header) return null;
  const [channels, width, height] = [header[1] === "6" ? 3 : 1, Number(header[2]), Number(header[3])];
  const parts = bytes.subarray(header[0].length);
  const count = width * height;
  if (!count || count > MAX_PIXELS || parts.length !== channels * count) return null;
  const image = new ImageData(width, height);
  for (let i = 0; i < count; i++) {
    for (let part = 0; part < 3; part++) image.data[4 * i + part] = parts[channels * i + (part % channels)];
    image.data[4 * i + 3] = 255;
  }
  return image;
}

// The region under the form that holds a program's output.
class Output {
  constructor(card, form) {
    card.querySelector(".lockstep-emulated")?.remove();
    this.box = element("div", "lockstep-emulated");
    this.log = element("pre", "");
    this.log.setAttribute("role", "log");
    this.log.setAttribute("aria-label", "Output of the emulator");
    this.log.tabIndex = 0;
    this.tail = element("span", "");
    this.log.append(this.tail);
    this.box.append(
      element("p", "lockstep-caption", `Emulated on this device's processor${recordedWhere(card)}.`),
      this.log,
    );
    form.after(this.box);
    this.lines = []; // {text, row} of what the program printed
    this.remarks = []; // of the emulator
    this.rest = "";
  }

  add(text) {
    const lines = (this.rest + text).split("\n");
    this.rest = lines.pop();
    this.tail.before(...lines.map((line) => this.row(line)));
    this.tail.textContent = this.rest.replace(MEASURED, "~…");
  }

  row(text) {
    const row = element("span", "", text.replace(MEASURED, "~…"));
    if (text.startsWith(SAYS)) {
      row.className = "says";
      this.remarks.push(text);
    } else {
      this.lines.push({ text, row });
    }
    return row;
  }

  // Shows a file that the program has written, if it is a picture.
  draw(file, bytes) {
    const image = pixels(bytes);
    if (!image) return;
    const canvas = element("canvas", "");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${file}, as the emulator drew it`);
    canvas.getContext("2d").putImageData(image, 0, 0);
    const figure = element("figure", "");
    figure.append(canvas, element("figcaption", "", file));
    this.pictures ??= this.box.appendChild(element("div", "pictures"));
    this.pictures.append(figure);
  }

  end() {
    if (this.rest) this.add("\n");
    if (!this.log.textContent) this.tail.textContent = "(no output)";
  }

  // Marks the lines that differ from those of a recording; says how many there are.
  compare(recorded, { varies, unordered }) {
    const found = differences(
      this.lines.map((line) => line.text),
      recorded.lines,
      varies,
      unordered,
    );
    for (const { line, recorded: wanted } of found.slice(0, MAX_MARKED)) {
      const row = this.lines[line]?.row;
      const note = element("span", "recorded", wanted === undefined ? "≠ not in the recording" : `≠ recorded: ${wanted}`);
      row?.classList.add("differs");
      if (row) row.after(note);
      else this.tail.before(note);
    }
    return found.length;
  }
}

const same = (a, b) => a.length === b.length && a.every((item, i) => item === b[i]);
const plural = (count, thing) => `${count} ${thing}${count === 1 ? "" : "s"}`;

// Whether the emulator's remarks on a run are those that may stop a recorded one.
export function caught({ finds }, remarks) {
  return finds !== undefined && remarks.some((text) => text.includes(finds));
}

// What to say of a run that came to its end.
function conclusion(status, output, told, given) {
  const parts = [];
  const recorded = told.recorded.find((one) => same(given, words(one.arguments)));
  if (recorded && caught(recorded, output.remarks)) {
    output.compare(recorded, told);
    return "The emulator found the mistake. On the GPU the program went on.";
  }
  if (status) parts.push(`Ended with status ${status}.`);
  if (recorded) {
    const count = output.compare(recorded, told);
    if (recorded.status !== status) parts.push(`On the GPU its status was ${recorded.status}.`);
    if (count) parts.push(`${plural(count, "line")} ${count === 1 ? "differs" : "differ"} from the recording on the GPU.`);
    else if (recorded.status === status) parts.push("Same as recorded on the GPU.");
  } else {
    if (!status) parts.push("Ended.");
    const others = told.recorded.map((one) => one.arguments || "no arguments");
    if (others.length) parts.push(`On the GPU it was recorded with ${others.join(", or with ")}.`);
  }
  if (output.remarks.length) parts.push(`The emulator made ${plural(output.remarks.length, "remark")}.`);
  return parts.join(" ");
}

// Runs a module in a worker until it ends or `stop` is aborted; returns the last message.
export function execute(job, stop, heard) {
  const worker = new Worker(beside("worker.js"));
  let timer;
  return new Promise((resolve) => {
    timer = setTimeout(() => resolve({ late: true }), TIME_LIMIT_S * 1000);
    stop.addEventListener("abort", () => resolve({ stopped: true }));
    worker.onerror = (event) => resolve({ trap: event.message || "the worker did not load" });
    worker.onmessage = ({ data }) => ("out" in data ? heard(data) : resolve(data));
    worker.postMessage(job);
  }).finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}

// Swaps the buttons for Stop while a program runs; returns what swaps them back.
function busy(form, abort) {
  const { run, step, stop } = form.elements;
  const onEscape = (event) => event.key === "Escape" && abort();
  stop.hidden = false;
  stop.addEventListener("click", abort);
  form.addEventListener("keydown", onEscape);
  stop.focus();
  for (const button of [run, step]) if (button) button.hidden = true;
  form.setAttribute("aria-busy", "true");
  return () => {
    const focused = document.activeElement === stop;
    for (const button of [run, step]) if (button) button.hidden = false;
    if (focused) run.focus();
    stop.hidden = true;
    stop.removeEventListener("click", abort);
    form.removeEventListener("keydown", onEscape);
    form.removeAttribute("aria-busy");
  };
}

// What the site tells of the program that is described at an address, and its module, with steps or without.
export async function program(address, steps = false) {
  const told = await once(address, async (it) => (await get(it, { cache: "no-cache" })).json());
  return { told, module: await once(new URL(steps ? told.steps : told.wasm, address), compile) };
}

// All that a run needs: the program, and for stepping what shows the steps.
async function load(card, steps) {
  const [found, stepper] = await Promise.all([
    program(new URL(card.dataset.emulator, document.baseURI), steps),
    steps && import(beside("steps.js")),
    once(beside("emulator.css"), addStyle),
  ]);
  return { ...found, stepper };
}

// Loads the program of a card, runs it, and says how it went. `refusal` says why nothing can be loaded.
export async function run(card, form, steps, refusal) {
  if (form.hasAttribute("aria-busy")) return;
  const status = form.querySelector("[role=status]");
  const stopping = new AbortController();
  const stopped = new Promise((resolve) => stopping.signal.addEventListener("abort", () => resolve({})));
  const idle = busy(form, () => stopping.abort());
  const given = words(form.elements.arguments.value);
  card.querySelector(".lockstep-emulated")?.remove();
  const failed = (error) => {
    if (typeof WebAssembly === "undefined") return "This browser cannot run it: it has no WebAssembly.";
    return error instanceof WebAssembly.CompileError ? `This browser cannot run it: ${error.message}.` : refusal();
  };
  try {
    const loaded = await Promise.race([load(card, steps).catch((error) => ({ failure: failed(error) })), stopped]);
    if (loaded.module) {
      const { told, module, stepper } = loaded;
      const output = new Output(card, form);
      const traced = [];
      status.textContent = "Running …";
      const job = { module, name: told.name, arguments: given, seed: form.elements.seed.value };
      const last = await execute(job, stopping.signal, ({ out, trace, cut, file, bytes }) => {
        output.add(out);
        traced.push(trace);
        if (file) output.draw(file, bytes);
        output.cut ||= cut;
      });
      output.end();
      status.textContent = outcome(last, output, told, given);
      if (stepper && !stepper.show(output.box, traced.join("")))
        status.textContent += " No kernel ran: there are no steps.";
    } else {
      status.textContent = loaded.failure ?? "Stopped.";
    }
  } catch (error) {
    status.textContent = `This browser cannot run it: ${error.message}.`;
  } finally {
    idle();
  }
}

function outcome(last, output, told, given) {
  const cut = output.cut ? " What it printed beyond 200 kB is left out." : "";
  if (last.stopped) return `Stopped.${cut}`;
  if (last.late) return `Stopped after ${TIME_LIMIT_S} s: an emulator is slower than a GPU; try less data.${cut}`;
  if (last.full) return `Stopped after ${last.full.toLocaleString("en")} steps: more are not kept.${cut}`;
  if ("trap" in last) return `The program stopped: ${last.trap}.${cut}`;
  return conclusion(last.status, output, told, given) + cut;
}
