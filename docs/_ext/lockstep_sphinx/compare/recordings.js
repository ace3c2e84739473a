// Reads a reader's recordings, and refuses what is none: transcripts (.console) and data files (.csv).
"use strict";

window.lockstepCompare ??= {};

(() => {
  const NUMBER = "[-+]?[0-9][0-9.]*(?:e[-+]?[0-9]+)?";
  const READING = new RegExp(`~(${NUMBER})(?:\\s*([A-Za-z%][A-Za-z%/]*))?`, "g");
  const WHOLE = new RegExp(`^${NUMBER}$`);
  const MOST_BYTES = 256 * 1024; // several times the largest recording
  const MOST_ROWS = 5000;
  const FACTOR = 1e6; // between two GPUs; more is a mistake
  const GPU = /^[\w][\w .+/-]{0,60}$/;
  const YOURS = "Your GPU";

  class Refused extends Error {}

  const short = (text) => (text.length > 40 ? `${text.slice(0, 40)} …` : text);

  // A transcript's GPU, and its commands with the lines that they printed.
  function parse(text) {
    const commands = [];
    let gpu = "";
    let headers = false;
    text.split("\n").forEach((line, at) => {
      if (line.startsWith("$ ")) commands.push({ text: line.slice(2).trim(), lines: [] });
      else if (commands.length) {
        const output = /^\\+(\$ |# |\[exit status )/.test(line) ? line.slice(1) : line;
        if (line.trim() && !/^\[exit status \d+\]$/.test(line)) commands.at(-1).lines.push({ text: output, at: at + 1 });
      } else if (line.startsWith("# ")) {
        headers = true;
        if (line.startsWith("# gpu: ")) gpu = line.slice(7).split(" (")[0].trim();
      }
    });
    return { gpu, commands, headers };
  }

  const readings = (line) => [...line.matchAll(READING)].map((found) => ({ text: found[1], value: Number(found[1]), unit: found[2] ?? "" }));
  const isMeasured = (line) => line.text.search(READING) >= 0;
  const masked = (line) => line.text.replace(new RegExp(`~${NUMBER}`, "g"), " ~").replace(/\s+/g, " ").trim();
  const rough = (line) => masked(line).replace(/0x[0-9a-f]+/g, "#").replace(/[0-9][0-9.]*/g, "#");

  // Each measured line of a recorded command with the line of another run that says the same.
  function pairs(ours, theirs) {
    const left = [...theirs.lines];
    const take = (line, form) => {
      const index = left.findIndex((other) => form(other) === form(line));
      return index < 0 ? null : left.splice(index, 1)[0];
    };
    const lines = ours.lines.filter(isMeasured);
    const exact = lines.map((line) => take(line, masked));
    return lines.map((line, index) => [line, exact[index] ?? take(line, rough)]);
  }

  function believable(value, recorded, where, text) {
    if (!Number.isFinite(value)) throw new Refused(`${where}: "${short(text)}" is not a number`);
    if (value < 0 && recorded >= 0) throw new Refused(`${where}: ${short(text)} is negative`);
    if (recorded && value && Math.max(Math.abs(value / recorded), Math.abs(recorded / value)) > FACTOR) {
      throw new Refused(`${where}: ${short(text)} is more than a million times larger or smaller than the recorded number`);
    }
  }

  // The commands of a file that ours can be compared with.
  function readConsole(text, ours) {
    const found = parse(text);
    const wanted = parse(ours).commands.filter((command) => command.lines.some(isMeasured));
    if (found.headers && !found.commands.length) throw new Refused("it ends before the first command");
    if (!found.commands.length) {
      if (!wanted.length) throw new Refused("this program prints no measured number");
      const lines = text.split("\n").map((line, at) => ({ text: line, at: at + 1 }));
      found.commands = [{ text: wanted[0].text, lines }]; // the output of one run
      wanted.length = 1;
    }
    if (found.gpu && !GPU.test(found.gpu)) throw new Refused(`"${short(found.gpu)}" is not the name of a GPU`);
    for (const { lines } of found.commands) {
      for (const line of lines) {
        const odd = /~\s*[-+]?(nan|inf\w*)/i.exec(line.text);
        if (odd && !ours.includes(odd[0])) throw new Refused(`line ${line.at}: "${short(odd[0])}" is not a number`);
      }
    }
    for (const command of wanted) {
      const theirs = found.commands.find((other) => other.text === command.text);
      if (!theirs) throw new Refused(`it lacks the command "${short(command.text)}"`);
      for (const [line, other] of pairs(command, theirs)) {
        if (!other) throw new Refused(`it lacks the line "${short(masked(line))}"`);
        const numbers = readings(other.text);
        readings(line.text).forEach(({ value }, index) => {
          believable(numbers[index].value, value, `line ${other.at}`, numbers[index].text);
        });
      }
    }
    return found;
  }

  // The rows of a data file; a cell in quotes may hold commas.
  function cellsOf(text) {
    return text.split("\n").filter(Boolean).map((line) => {
      const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)];
      return cells.map((cell) => (cell[1] !== undefined ? cell[1].replaceAll('""', '"') : cell[2]));
    });
  }

  function rows(text) {
    const [header, ...lines] = cellsOf(text);
    return lines.map((line) => Object.fromEntries(header.map((name, index) => [name, line[index]])));
  }

  function readData(text, ours) {
    const [header = [], ...lines] = cellsOf(text);
    const recorded = rows(ours);
    const columns = Object.keys(recorded[0]);
    const missing = columns.find((name) => !header.includes(name));
    if (missing) throw new Refused(`it lacks the column "${missing}"`);
    if (header.length !== columns.length) throw new Refused(`it has ${header.length} columns, the recorded file ${columns.length}`);
    if (!lines.length) throw new Refused("it holds no rows");
    if (lines.length > MOST_ROWS) throw new Refused(`it holds more than ${MOST_ROWS} rows`);
    if (!text.endsWith("\n")) throw new Refused("it ends in the middle of a line");
    lines.forEach((line, index) => {
      if (line.length !== header.length) throw new Refused(`row ${index + 1} has ${line.length} columns, the header ${header.length}`);
    });
    for (const name of columns) {
      const values = recorded.map((row) => row[name]);
      const numeric = values.every((value) => WHOLE.test(value));
      const negative = values.some((value) => Number(value) < 0);
      const sizes = values.map(Math.abs).filter(Boolean); // a column may span more than a million times itself
      const nearest = (size) => (sizes.length ? Math.min(Math.max(size, Math.min(...sizes)), Math.max(...sizes)) : 0);
      rows(text).forEach((row, index) => {
        const where = `row ${index + 1}, column "${name}"`;
        if (numeric) {
          if (!WHOLE.test(row[name])) throw new Refused(`${where}: "${short(row[name])}" is not a number`);
          const value = Number(row[name]);
          believable(value, value < 0 && negative ? -nearest(-value) : nearest(Math.abs(value)), where, row[name]);
        } else if (!values.includes(row[name])) {
          throw new Refused(`${where}: this program does not write "${short(row[name])}"`);
        }
      });
    }
  }

  function decode(bytes) {
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw new Refused("it is not UTF-8 text");
    }
    if (/[\0-\x08\x0e-\x1f]/.test(text)) throw new Refused("it is not a text file");
    if (!text.trim()) throw new Refused("it is empty");
    return text.replaceAll("\r\n", "\n");
  }

  // What a file holds, for which program: {path, gpu, console} or {path, file, text}. Throws Refused.
  function judge(name, bytes, programs) {
    const [, stem, kind] = /^(\w+)(?: ?\(\d+\))?\.(console|csv)$/.exec(name) ?? [];
    if (!kind) throw new Refused("its name is not that of a program with .console or .csv after it");
    if (bytes.byteLength > MOST_BYTES) throw new Refused("it is larger than 256 KiB, and no recording is");
    const file = `${stem}.csv`;
    const holds = ([path, ours]) => (kind === "csv" ? file in ours.data : path.split("/").pop() === stem);
    const [path, ours] = Object.entries(programs).find(holds) ?? [];
    if (!path) throw new Refused(`this page shows no measured numbers of ${stem}`);
    const text = decode(bytes);
    if (kind === "csv") {
      readData(text, ours.data[file]);
      return { path, file, text };
    }
    return { path, gpu: readConsole(text, ours.console).gpu || YOURS, console: text };
  }

  // The commands in a console text that was judged: that of one run belongs to the first command with measured numbers.
  const commandsOf = (text, ours) => (text ? readConsole(text, ours).commands : []);

  // -------------------------------------------------------------------------------------------------------------------
  // Numbers that a claims file computes, from either side's recordings

  class Absent extends Error {}

  function computer(programs) {
    const program = (name) => {
      const found = Object.entries(programs).find(([path]) => path === name || path.endsWith(`/${name}`));
      if (!found) throw new Absent(name);
      return found[1];
    };

    function printed(name, label, wanted) {
      for (const command of program(name).commands) {
        if (wanted !== undefined && command.text !== wanted) continue;
        for (const line of command.lines) {
          const text = line.text.trim();
          const rest = text.slice(label.length);
          if (!text.startsWith(label) || !rest.trim() || !":~ ".includes(rest[0])) continue;
          const value = rest.replace(/^[: ]+/, "");
          if (rest.startsWith("  ") || ":~".includes(rest[0]) || new RegExp(`^~?${NUMBER}`).test(value)) return value;
        }
      }
      throw new Absent(label);
    }

    function column(file, name, where = {}) {
      const holder = Object.values(programs).find(({ data }) => data[file]);
      if (!holder) throw new Absent(file);
      const same = (row, key, wanted) => {
        const cell = row[key in row ? key : key.replaceAll("_", " ")];
        return cell === String(wanted) || (cell !== "" && Number(cell) === Number(wanted));
      };
      const picked = rows(holder.data[file]).filter((row) => Object.entries(where).every(([key, wanted]) => same(row, key, wanted)));
      return picked.map((row) => Number(row[name]));
    }

    const sorted = (values) => [...values].sort((a, b) => a - b);
    const middle = (values) => (values[(values.length - 1) >> 1] + values[values.length >> 1]) / 2;
    const flat = (values) => values.flat();
    const functions = {
      printed, column,
      value: (...where) => Number.parseFloat(printed(...where).replace("~", "")),
      cell: (...where) => {
        const found = column(...where);
        if (found.length !== 1) throw new Absent(where[0]);
        return found[0];
      },
      "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b, "/": (a, b) => a / b, "**": (a, b) => a ** b,
      "//": (a, b) => Math.floor(a / b), "%": (a, b) => a - b * Math.floor(a / b),
      min: (...values) => Math.min(...flat(values)), max: (...values) => Math.max(...flat(values)),
      sum: (values) => values.reduce((a, b) => a + b, 0), len: (values) => values.length, median: (values) => middle(sorted(values)),
      abs: Math.abs, round: Math.round, sorted, list: (...values) => values, at: (values, index) => values.at(index),
    }; // prettier-ignore
    const compute = (formula) => {
      if (!Array.isArray(formula)) return formula;
      const [name, ...operands] = formula;
      if (!functions[name]) throw new Absent(name);
      return functions[name](...operands.map(compute));
    };
    return compute;
  }

  const digits = (number) => {
    const size = Math.abs(number);
    return number.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
  };

  function written(result, form) {
    if (typeof result === "string") return result.replace(/^~/, "");
    if (!Number.isFinite(result)) throw new Absent("no number");
    if (!form) return digits(result);
    return form.replace(/\{:(,?)\.(\d)([fg])\}/, (_, commas, places, kind) => {
      if (kind === "g") return String(Number(result.toPrecision(Number(places))));
      const fraction = { minimumFractionDigits: Number(places), maximumFractionDigits: Number(places) };
      const format = new Intl.NumberFormat("en-US", { ...fraction, useGrouping: Boolean(commas), roundingMode: "halfEven" });
      return format.format(result.toFixed(60)); // all digits, as Python rounds: 10.95 is a little less, and gives 10.9
    });
  }

  Object.assign(window.lockstepCompare, {
    Refused, Absent, YOURS, judge, parse, commandsOf, pairs, readings, isMeasured, masked, rows, computer, written, digits,
  }); // prettier-ignore
})();
