// Draws a chart again with a reader's numbers in it, as docs/_ext/lockstep_sphinx/charts/plot.py draws it without.
"use strict";

window.lockstepCompare ??= {};

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const WIDE = 700;
  const CHARACTER = 6.7; // mean width of a label's character, in pixels
  const DASHES = ["", "7 3", "2 3", "9 3 2 3", "12 4", "4 4 1 4"];
  const SMALL = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  function make(name, attributes = {}, ...children) {
    const element = document.createElementNS(SVG, name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    element.append(...children);
    return element;
  }

  const raised = (exponent) => (exponent < 0 ? "⁻" : "") + [...String(Math.abs(exponent))].map((digit) => SMALL[digit]).join("");
  const precise = (value, places) => String(Number(value.toPrecision(places)));

  // A tick's label.
  function number(value) {
    for (const [limit, scale, suffix] of [[1e12, 1e12, "T"], [1e9, 1e9, "G"], [1e6, 1e6, "M"], [1e4, 1e3, "k"]]) {
      if (Math.abs(value) >= limit) return `${precise(value / scale, 3)} ${suffix}`;
    } // prettier-ignore
    return Math.abs(value) >= 1e-4 || value === 0 ? precise(value, 6) : `10${raised(Math.round(Math.log10(value)))}`;
  }

  const axis = (low, high, start, end, log, ticks) => {
    const part = log ? (value) => Math.log(value / low) / Math.log(high / low) : (value) => (value - low) / (high - low);
    return { ticks, at: (value) => start + part(value) * (end - start) };
  };

  function linear(values, start, end, zero = true) {
    let [low, high] = [Math.min(...values), Math.max(...values)];
    if (zero && low > 0) low = 0;
    if (high === low) high = low + 1;
    let step = 10 ** Math.floor(Math.log10((high - low) / 4));
    step *= [1, 2, 2.5, 5, 10].find((factor) => (high - low) / (step * factor) <= 6) ?? 10;
    const [first, last] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
    const ticks = [];
    for (let index = first; index <= last; index++) ticks.push([index * step, number(Number((index * step).toFixed(10)))]);
    return axis(first * step, last * step, start, end, false, ticks);
  }

  function logarithmic(values, start, end) {
    const positive = values.filter((value) => value > 0);
    let [low, high] = [Math.min(...positive), Math.max(...positive)];
    if (positive.every((value) => Number.isInteger(Math.log2(value))) && high > low) {
      const [first, last] = [Math.log2(low), Math.log2(high)];
      const step = Math.max(1, Math.ceil((last - first + 1) / 9));
      const ticks = [];
      for (let power = first; power <= last; power += step) ticks.push([2 ** power, high > 8192 || low < 1 ? `2${raised(power)}` : String(2 ** power)]);
      return axis(low, high, start, end, true, ticks);
    }
    const [bottom, top] = [Math.floor(Math.log10(low) + 1e-9), Math.ceil(Math.log10(high) - 1e-9)];
    let candidates = [];
    for (let power = bottom; power <= top; power++) candidates.push(...(top - bottom <= 1 ? [1, 2, 5] : [1]).map((factor) => factor * 10 ** power));
    low = Math.max(...candidates.filter((value) => value <= low * 1.0001), candidates[0]);
    high = candidates.find((value) => value >= high * 0.9999) ?? candidates.at(-1);
    if (high <= low) high = low * 10;
    candidates = candidates.filter((value) => value >= low && value <= high);
    return axis(low, high, start, end, true, candidates.map((value) => [value, number(value)]));
  }

  function counted(values, start, end) {
    const steps = [...new Set(values)].sort((a, b) => a - b);
    const fit = steps.length > 1 && steps.length <= 12 && Number.isInteger(steps[0]) && steps.every((step, index) => step === steps[0] + index);
    return fit && axis(steps[0], steps.at(-1), start, end, false, steps.map((step) => [step, number(step)]));
  }

  function spaced({ ticks, at }) {
    const widest = Math.max(...ticks.map(([, label]) => label.length)) * CHARACTER + 6;
    for (let step = 1; step <= ticks.length; step++) {
      const kept = ticks.filter((_, index) => index % step === 0);
      if (kept.every(([value], index) => index === 0 || at(value) - at(kept[index - 1][0]) >= widest)) return kept;
    }
    return ticks.slice(0, 1);
  }

  function mark(index, x, y) {
    return [
      `M${x - 3.5} ${y}a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z`,
      `M${x - 3.2} ${y - 3.2}h6.4v6.4h-6.4z`,
      `M${x} ${y - 4.2}l4 7h-8z`,
      `M${x} ${y - 4.6}l4.6 4.6l-4.6 4.6l-4.6-4.6z`,
      `M${x - 3.5} ${y - 3.5}l7 7m0-7l-7 7`,
      `M${x - 4} ${y}h8m-4-4v8`,
    ][index % 6];
  }

  const write = (x, y, text, size, anchor, room = Infinity) => {
    const fitting = room === Infinity ? size : Math.max(9, Math.min(size, Math.floor(room / Math.max(text.length, 1) / 0.56)));
    return make("text", { class: `lf-${anchor} lt-plain`, x, y, "font-size": fitting }, text);
  };

  const group = (index, theirs, ...children) => make("g", { class: `lc-${(index % 6) + 1}${theirs ? " compare-theirs" : ""}` }, ...children);

  function frame(title, width, height, children) {
    const attributes = { class: "lockstep-svg", role: "img", "aria-label": title, viewBox: `0 0 ${width} ${height}`, width, height };
    return make("svg", attributes, ...children);
  }

  // Names beside their samples, in as many rows as they need; returns the height.
  function legend(parts, entries, left, end, top) {
    let [x, y] = [left, top];
    for (const [name, sample] of entries) {
      const room = 54 + name.length * 6.8;
      if (x > left && x + room > end) [x, y] = [left, y + 18];
      parts.push(sample(x, y), write(x + 32, y + 4, name, 12, "start"));
      x += room;
    }
    return y + 18;
  }

  const isNumber = (text) => text.trim() !== "" && Number.isFinite(Number(text));
  const labelOf = (column) => column.replace(/^~/, "").replaceAll("_", " ");

  // One series for each value of the column `by`.
  function series(rows, { x, y, by }, numeric) {
    const names = by ? [...new Set(rows.map((row) => row[by]))] : [""];
    return names.map((name) => ({
      name: by && isNumber(name) ? `${labelOf(by)} ${name}` : name,
      points: rows.filter((row) => !by || row[by] === name).map((row) => [numeric ? Number(row[x]) : row[x], Number(row[y])]),
    }));
  }

  function chart(ours, theirs, spec, names, title, width) {
    const numeric = [...ours, ...theirs].every((row) => isNumber(row[spec.x]));
    const sides = [series(ours, spec, numeric), series(theirs, spec, numeric)];
    const order = [...new Set(sides.flat().map((line) => line.name))];
    const wide = width >= WIDE;
    const parts = [];
    const bar = (x, y) => make("rect", { class: "lc-bar", x, y: y - 5, width: 22, height: 10 });
    const stroke = (index, x, y) => {
      const dash = DASHES[index % 6];
      return make("path", { class: "lc-line", d: `M${x} ${y}h26`, ...(dash && { "stroke-dasharray": dash }) });
    };
    const sample = (index, isTheirs) => (x, y) =>
      group(index, isTheirs, ...(numeric ? [stroke(index, x, y), make("path", { class: "lc-mark", d: mark(index, x + 13, y) })] : [bar(x, y)]));
    const start = wide ? 72 : 4;
    let top = legend(parts, [[names[0], sample(0, false)], [names[1], sample(0, true)]], start, width, 17); // prettier-ignore
    if (order.length > 1) top = legend(parts, order.map((name, index) => [name, sample(index, false)]), start, width, top + 4);
    top += 12;
    const height = wide ? Math.max(360, top + 290) : top + 250;
    const bottom = height - 52;
    const values = sides.flat().flatMap((line) => line.points.map(([, y]) => y));
    const vertical = spec.log.includes("y") ? logarithmic(values, bottom, top) : linear(values, bottom, top);
    const [left, right] = wide ? [72, width - 18] : [36 + Math.max(...vertical.ticks.map(([, label]) => label.length)) * CHARACTER, width - 4];
    parts.push(make("path", { class: "lc-grid", d: vertical.ticks.map(([value]) => `M${left} ${vertical.at(value)}H${right}`).join("") }));
    for (const [value, label] of vertical.ticks) parts.push(write(left - 8, vertical.at(value) + 4, label, 12, "end"));
    if (numeric) {
      const xs = sides.flat().flatMap((line) => line.points.map(([x]) => x));
      const spread = Math.max(...xs) > 2 * Math.min(...xs) || Math.min(...xs) <= 0;
      const [from, to] = [left + 14, right - 14];
      const across = spec.log.includes("x") ? logarithmic(xs, from, to) : counted(xs, from, to) || linear(xs, from, to, spread);
      for (const [value, label] of spaced(across)) parts.push(write(across.at(value), bottom + 18, label, 12, "middle"));
      sides.forEach((lines, side) => {
        for (const line of lines) {
          const index = order.indexOf(line.name);
          const points = line.points.filter(([, y]) => y > 0 || !spec.log.includes("y"));
          const places = points.sort((a, b) => a[0] - b[0]).map(([x, y]) => [across.at(x).toFixed(1), vertical.at(y).toFixed(1)].map(Number));
          const dash = DASHES[index % 6];
          const path = { class: "lc-line", d: `M${places.map((place) => place.join(" ")).join("L")}`, ...(dash && { "stroke-dasharray": dash }) };
          const marks = places.length <= 40 ? places.map(([x, y]) => mark(index, x, y)).join("") : "M0 0";
          parts.push(group(index, side === 1, make("path", path), make("path", { class: "lc-mark", d: marks })));
        }
      });
    } else {
      const words = [...new Set(sides.flat().flatMap((line) => line.points.map(([x]) => x)))];
      const room = (right - left) / words.length;
      const size = Math.min(40, (room * 0.85) / (2 * order.length));
      words.forEach((word, at) => {
        const middle = left + (at + 0.5) * room;
        parts.push(write(middle, bottom + 18, word, 12, "middle", room));
        sides.forEach((lines, side) => {
          for (const line of lines) {
            const index = order.indexOf(line.name);
            for (const [, y] of line.points.filter(([x]) => x === word)) {
              const x = middle + (2 * index + side - order.length) * size;
              const box = { x: x + 1, y: vertical.at(y), width: size - 2, height: Math.max(bottom - vertical.at(y), 0.5) };
              parts.push(group(index, side === 1, make("rect", { class: "lc-bar", ...box })));
            }
          }
        });
      });
    }
    parts.push(make("path", { class: "lc-axis", d: `M${left} ${bottom}H${right}` }));
    parts.push(write(wide ? (left + right) / 2 : width / 2, height - 10, spec.xlabel, 13, "middle", width));
    const side = write(0, 0, spec.ylabel, 13, "middle", bottom - top + 40);
    side.setAttribute("transform", `translate(15 ${(top + bottom) / 2}) rotate(-90)`);
    parts.push(side);
    return frame(title, width, height, parts);
  }

  // Two bars for each rung, in percent of the peak that its own run measured.
  function ladder(ours, theirs, spec, names, title, width) {
    const rungs = [...new Set([...ours, ...theirs].map((row) => row.rung))];
    const percent = (rows, rung) => rows.filter((row) => row.rung === rung).map((row) => Number(row[spec.y]))[0];
    const wide = width >= WIDE;
    const left = wide ? 24 + Math.max(...rungs.map((rung) => rung.length)) * 7.2 : 4;
    const parts = [];
    const sample = (isTheirs) => (x, y) => group(0, isTheirs, make("rect", { class: "lc-bar", x, y: y - 5, width: 22, height: 10 }));
    const top = legend(parts, [[names[0], sample(false)], [names[1], sample(true)]], left, width, 17) + 4; // prettier-ignore
    const [row, above] = wide ? [42, 0] : [60, 18];
    const bottom = top + row * rungs.length;
    const right = width - 56;
    const values = [ours, theirs].flatMap((rows) => rungs.map((rung) => percent(rows, rung) ?? 0));
    const across = linear([0, 100, ...values], left, right);
    parts.push(make("path", { class: "lc-grid", d: across.ticks.map(([value]) => `M${across.at(value)} ${top}V${bottom}`).join("") }));
    for (const [value, label] of spaced(across)) parts.push(write(across.at(value), bottom + 18, label, 12, "middle"));
    rungs.forEach((rung, at) => {
      const y = top + row * at + above;
      parts.push(wide ? write(left - 8, y + 25, rung, 13, "end") : write(left, y, rung, 13, "start"));
      [ours, theirs].forEach((rows, side) => {
        const value = percent(rows, rung);
        if (value === undefined) return;
        const box = { x: left, y: y + 5 + 17 * side, width: Math.max(across.at(value) - left, 0.5), height: 14 };
        parts.push(group(0, side === 1, make("rect", { class: "lc-bar", ...box })));
        parts.push(write(across.at(value) + 6, box.y + 11, `${precise(value, 3)} %`, 12, "start"));
      });
    });
    parts.push(make("path", { class: "lc-axis", d: `M${left} ${top}V${bottom}` }));
    parts.push(write(wide ? (left + right) / 2 : width / 2, bottom + 40, spec.xlabel, 13, "middle", width));
    return frame(title, width, bottom + 52, parts);
  }

  window.lockstepCompare.draw = { chart, ladder, labelOf };
})();
