// Takes a reader's recordings and shows their numbers beside those of the page: in this browser alone.
"use strict";

window.lockstepCompare ??= {};

(() => {
  const { lockstepCompare: tools, lockstepData: [data] } = window; // prettier-ignore
  const { judge, parse, commandsOf, pairs, readings, masked, rows, computer, written, digits, draw } = tools;
  const KEY = "lockstep-gpu:"; // and a program's path
  const PEAKS = "ladders/card/this_card";
  const MOST_ROWS = 60;
  const kept = {}; // by path: {gpu, console, data}
  const problems = []; // of what was kept

  const gpuOf = (program) => parse(program.console).gpu || "the recorded GPU";
  const here = document.currentScript.src;

  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    made.append(...children);
    return made;
  }

  // ---------------------------------------------------------------------------------------------------------------------
  // What is kept

  function remember(path) {
    try {
      localStorage.setItem(KEY + path, JSON.stringify(kept[path]));
    } catch {
      // then the numbers last as long as the page is open
    }
  }

  // Reads again what this browser kept for the page; what no longer fits is forgotten.
  function recall() {
    for (const path in data.programs) {
      const { found } = data.programs[path];
      if (found) {
        kept[path] = { gpu: gpuOf(found), ...found };
        continue;
      }
      let name = path;
      try {
        const stored = JSON.parse(localStorage.getItem(KEY + path));
        if (!stored) continue;
        const bytes = (text) => new TextEncoder().encode(text);
        const stem = path.split("/").pop();
        if (stored.console) judge(`${stem}.console`, bytes(stored.console), { [path]: data.programs[path] });
        for (name in stored.data) judge(name, bytes(stored.data[name]), { [path]: data.programs[path] });
        kept[path] = { gpu: String(stored.gpu).slice(0, 60), console: stored.console, data: stored.data };
      } catch (error) {
        problems.push(`The kept numbers of ${name.split("/").pop()} do not fit this page any more: ${error.message}.`);
        try {
          localStorage.removeItem(KEY + path);
        } catch {
          return;
        }
      }
    }
  }

  // Judges one file; returns one line about it if it is refused.
  async function take(file) {
    try {
      const bytes = await file.arrayBuffer().catch(() => {
        throw new tools.Refused("it cannot be read; choose files, not a folder");
      });
      const found = judge(file.name, bytes, data.programs);
      const other = Object.values(kept)[0]?.gpu ?? tools.YOURS;
      const mine = (kept[found.path] ??= { gpu: other, console: "", data: {} });
      if (found.file) mine.data[found.file] = found.text;
      else {
        mine.console = found.console;
        if (found.gpu !== tools.YOURS || mine.gpu === tools.YOURS) mine.gpu = found.gpu;
      }
      remember(found.path);
      return "";
    } catch (error) {
      if (!(error instanceof tools.Refused)) throw error;
      return `${file.name} is refused: ${error.message}.`;
    }
  }

  // ---------------------------------------------------------------------------------------------------------------------
  // What the page shows of it

  const readable = (programs) =>
    Object.fromEntries(Object.entries(programs).map(([path, one]) => [path, { commands: commandsOf(one.console, data.programs[path].console), data: one.data }]));

  // A rate in percent of the peak that this_card measured on the same GPU; empty where there is none.
  function ofPeak(compute, path, { value, unit }) {
    const rate = { "GB/s": 1, "TB/s": 1000 }[unit];
    const [label, scale] = rate ? ["memory, read", rate] : unit === "TFLOP/s" ? [data.programs[path].peak, 1] : [];
    if (!label || path === PEAKS) return "";
    try {
      return `${digits(((value * scale) / compute(["value", "this_card", label])) * 100)} %`;
    } catch {
      return "";
    }
  }

  const unitOf = (column) => {
    if (/GB\/s|gb_per_s|gbps/.test(column)) return "GB/s";
    return /tflop/i.test(column) ? "TFLOP/s" : "";
  };

  // Rows of {label, path, ours: [{text, value, unit}], theirs} as a table; a row with a title alone begins a command.
  function table(lines, names, caption) {
    const sides = [computer(readable(data.programs)), computer(readable(kept))];
    const joined = (numbers) => numbers.map(({ text, unit }) => [text, unit].filter(Boolean).join(" ")).join(" · ") || "–";
    const peaks = (side, path, numbers) => numbers.map((number) => ofPeak(sides[side], path, number)).filter(Boolean).join(" · ");
    const body = lines.slice(0, MOST_ROWS).map((line) => {
      if (line.title) return [line.title];
      const both = line.ours.length === line.theirs.length;
      const ratios = both ? line.ours.map(({ value }, index) => (value ? digits(line.theirs[index].value / value) : "–")) : [];
      return [line.label, joined(line.ours), joined(line.theirs), ratios.join(" · ") || "–", peaks(0, line.path, line.ours), peaks(1, line.path, line.theirs)];
    });
    const withPeaks = body.some((row) => row[5]);
    const width = withPeaks ? 6 : 4;
    const heads = ["", names[0], names[1], `${names[1]} / ${names[0]}`, `${names[0]}, of its peak`, `${names[1]}, of its peak`].slice(0, width);
    const made = element("table", { class: "lockstep-data" }, element("caption", {}, caption));
    made.append(element("thead", {}, element("tr", {}, ...heads.map((text) => element(text ? "th" : "td", text ? { scope: "col" } : {}, text)))));
    const filled = element("tbody");
    for (const row of body) {
      if (row.length === 1) filled.append(element("tr", {}, element("th", { scope: "colgroup", colspan: width }, element("code", {}, row[0]))));
      else filled.append(element("tr", {}, ...row.slice(0, width).map((text, index) => element(index ? "td" : "th", index ? {} : { scope: "row" }, text))));
    }
    made.append(filled);
    const scroller = element("div", { class: "lockstep-table", tabindex: 0, role: "region", "aria-label": caption }, made);
    const notes = [];
    if (lines.length > MOST_ROWS) notes.push(`And ${lines.length - MOST_ROWS} more rows.`);
    if (withPeaks) notes.push("A GPU's peaks are what this_card measured there: the rate of reading device memory, and for TFLOP/s the vendor's matrix product.");
    return element("div", { class: "compare-made" }, scroller, ...notes.map((note) => element("p", {}, note)));
  }

  const namesFor = (path) => [gpuOf(data.programs[path]), kept[path].gpu].map((name, index, all) => (index && name === all[0] ? `${name}, yours` : name));

  function showTranscript(box) {
    const path = box.dataset.program;
    if (!kept[path]?.console || !data.programs[path]) return;
    const shown = new Set(box.querySelector("pre").textContent.split("\n"));
    const theirs = commandsOf(kept[path].console, data.programs[path].console);
    const lines = [];
    for (const command of parse(data.programs[path].console).commands.filter(({ text }) => shown.has(`$ ${text}`))) {
      const other = theirs.find(({ text }) => text === command.text);
      if (!other) continue;
      const found = pairs(command, other).filter(([, line]) => line);
      if (found.length) lines.push({ title: command.text });
      for (const [line, match] of found) {
        const label = line.text.slice(0, line.text.indexOf("~")).trim() || masked(line);
        lines.push({ label, path, ours: readings(line.text), theirs: readings(match.text) });
      }
    }
    if (lines.length) after(box, table(lines, namesFor(path), `${path.split("/").pop()}: measured numbers of both GPUs`));
  }

  function showChart(figure, spec) {
    const files = spec.files.filter(([path, file]) => kept[path]?.data[file]);
    if (!files.length) return;
    const ours = spec.files.flatMap(([path, file]) => rows(data.programs[path].data[file]));
    const theirs = files.flatMap(([path, file]) => rows(kept[path].data[file]));
    const names = namesFor(files[0][0]);
    const old = figure.querySelector("svg");
    const title = `${old.getAttribute("aria-label")} Shown with the numbers of ${names[1]}; the table after the chart holds both.`;
    if (draw[spec.kind]) {
      for (const [width, className] of [[700, "lockstep-wide"], [328, "lockstep-narrow"]]) {
        const drawn = draw[spec.kind](ours, theirs, spec, names, title, width);
        figure.insertBefore(element("div", { class: `compare-made ${className}` }, drawn), figure.querySelector("figcaption"));
      } // prettier-ignore
      figure.classList.add("compared");
    }
    const columns = Object.keys(ours[0]);
    const values = columns.filter((name) => name === spec.y || unitOf(name) || (spec.kind === "timeline" && name.startsWith("~")));
    const keys = columns.filter((name) => !name.startsWith("~") && name !== spec.y);
    const keyOf = (row) => keys.map((name) => (/^[-\d.]+$/.test(row[name]) ? `${draw.labelOf(name)} ${row[name]}` : row[name])).join(", ");
    const left = [...theirs];
    const lines = [];
    const add = (row, other, name) => {
      const number = (from) => (from ? [{ text: digits(Number(from[name])), value: Number(from[name]), unit: unitOf(name) }] : []);
      const label = values.length > 1 ? `${keyOf(row ?? other)}: ${draw.labelOf(name)}` : keyOf(row ?? other);
      lines.push({ label, path: files[0][0], ours: number(row), theirs: number(other) });
    };
    for (const row of ours) {
      const index = left.findIndex((other) => keyOf(other) === keyOf(row));
      const [other] = index < 0 ? [] : left.splice(index, 1);
      for (const name of values) add(row, other, name);
    }
    for (const other of left) for (const name of values) add(null, other, name);
    after(figure, table(lines, names, `${spec.ylabel ?? spec.xlabel ?? "timeline"}: both GPUs`));
  }

  function showCells() {
    const shown = [...document.querySelectorAll(".table-wrapper span.measured")];
    const isFound = Object.values(data.programs).some(({ found }) => found);
    const compute = computer(readable(isFound ? data.programs : kept));
    shown.forEach((span, index) => {
      const cell = data.cells[index];
      if (!cell || cell.shown !== span.textContent) return;
      try {
        const value = written(compute(cell.is), cell.format);
        const name = isFound ? gpuOf(Object.values(data.programs)[0]) : Object.values(kept)[0].gpu;
        span.after(element("span", { class: "compare-made compare-cell" }, `${name}: ${value}`));
      } catch (error) {
        if (!(error instanceof tools.Absent)) throw error; // no recording of that program
      }
    });
  }

  // A transcript's, chart's or table's button follows it, and what is made follows the button.
  function after(shown, made) {
    let last = shown.nextElementSibling?.matches(".compare-ask") ? shown.nextElementSibling : shown;
    if (last.nextElementSibling === panel) last = panel;
    last.after(made);
  }

  function render() {
    for (const made of document.querySelectorAll(".compare-made")) made.remove();
    for (const figure of document.querySelectorAll(".compared")) figure.classList.remove("compared");
    if (!Object.keys(kept).length) return;
    for (const box of document.querySelectorAll(".lockstep-transcript[data-program]")) showTranscript(box);
    document.querySelectorAll(".lockstep-figure[data-kind=chart]").forEach((figure, index) => showChart(figure, data.charts[index]));
    showCells();
    for (const box of document.querySelectorAll(".table-wrapper")) if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }

  // ---------------------------------------------------------------------------------------------------------------------
  // Where a reader gives files

  const stem = (path) => path.split("/").pop();
  const wanted = Object.entries(data.programs).flatMap(([path, { data: files }]) => [`${stem(path)}.console`, ...Object.keys(files)]);
  const chooser = element("input", { type: "file", multiple: "", accept: ".console,.csv" });
  const list = element("ul", { class: "compare-status" });
  const status = element("div", { role: "status" }, list);
  const forget = element("button", { type: "button" }, "Remove my numbers");
  const panel = element(
    "section",
    { class: "compare", "aria-label": "Compare with my GPU" },
    element("p", {}, "Choose recordings of your GPU, or drop them anywhere on this page. They stay in this browser; nothing is sent. ", help()),
    element("details", {}, element("summary", {}, "Files that fit this page"), element("p", {}, wanted.join(", "))),
    element("label", {}, "Recordings (.console, .csv) ", chooser),
    forget,
    status,
  );

  function help() {
    return element("a", { href: new URL("../../your_progress.html#compare-with-my-gpu", here).href }, "How to make them");
  }

  function say(lines) {
    list.replaceChildren(...lines.map((line) => element("li", {}, line)));
    forget.hidden = !Object.keys(kept).length;
  }

  async function takeAll(files) {
    const refused = [];
    for (const file of files) refused.push(await take(file));
    const lines = refused.filter(Boolean);
    if (lines.length < files.length) {
      const taken = files.length - lines.length;
      lines.unshift(`${taken} of ${files.length} ${files.length === 1 ? "file" : "files"} taken: the page shows ${taken === 1 ? "its" : "their"} numbers.`);
      render();
    }
    say(lines);
  }

  chooser.addEventListener("change", async () => {
    await takeAll([...chooser.files]);
    chooser.value = "";
  });
  forget.addEventListener("click", () => {
    for (const path of Object.keys(kept)) {
      delete kept[path];
      try {
        localStorage.removeItem(KEY + path);
      } catch {
        // nothing was kept either
      }
    }
    render();
    say(["Your numbers are removed from this page and from this browser."]);
    chooser.focus();
  });
  addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  addEventListener("drop", (event) => {
    if (!event.dataTransfer?.files.length) return;
    event.preventDefault();
    if (!panel.isConnected) document.querySelector(".compare-ask")?.after(panel);
    takeAll([...event.dataTransfer.files]);
  });

  // Opens the field at the button that was pressed; without one, only what is kept is shown.
  tools.ask = (button) => {
    if (!button) return;
    button.after(panel);
    chooser.focus();
  };

  document.head.append(element("link", { rel: "stylesheet", href: new URL("compare.css", here).href }));
  recall();
  render();
  say(problems);
})();
