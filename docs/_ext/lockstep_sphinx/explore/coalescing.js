// Coalescing: the 32-byte sectors that one load of a warp touches.
"use strict";
{
  const LANES = 32;
  const SECTOR = 32; // bytes
  const LINE = 4; // sectors of a cache line
  const CELL = 4; // bytes; what the drawing shows of a sector

  // The sectors that lanes touch when each reads one word, by number, each with the bytes that are used of it.
  function touched(words, wordBytes) {
    const sectors = new Map();
    for (const word of words) {
      for (let byte = word * wordBytes; byte < (word + 1) * wordBytes; ++byte) {
        const sector = Math.floor(byte / SECTOR);
        if (!sectors.has(sector)) sectors.set(sector, new Set());
        sectors.get(sector).add(byte % SECTOR);
      }
    }
    return sectors;
  }

  const wordsOf = ({ stride, offset }) => Array.from({ length: LANES }, (_, lane) => lane * stride + offset);
  const count = (words, wordBytes) => ({ requests: 1, sectors: touched(words, wordBytes).size });

  const model = {
    name: "coalescing",
    title: "Calculator of sectors",
    fields: [
      { name: "word_bytes", label: "size of a word", value: 4, choices: [1, 2, 4, 8, 16].map((n) => [n, n > 1 ? `${n} bytes` : "1 byte"]) },
      { name: "stride", label: "stride, words", value: 2, range: () => [0, 256] },
      { name: "offset", label: "offset, words", value: 0, range: () => [0, 256] },
    ],
    counts: ["sectors"],
    count,
    predict: (values) => count(wordsOf(values), values.word_bytes),

    says(values, { sectors }) {
      let used = 0;
      for (const bytes of touched(wordsOf(values), values.word_bytes).values()) used += bytes.size;
      const share = Math.round((1000 * used) / (sectors * SECTOR)) / 10;
      return `${sectors} ${sectors === 1 ? "sector" : "sectors"} a request: ${sectors * SECTOR} bytes moved, ${used} used (${share} %).`;
    },

    describes(values) {
      const numbers = [...touched(wordsOf(values), values.word_bytes).keys()].sort((a, b) => a - b);
      const ranges = [];
      for (const n of numbers) {
        if (ranges.length && ranges.at(-1)[1] === n - 1) ranges.at(-1)[1] = n;
        else ranges.push([n, n]);
      }
      return `Sectors touched: ${ranges.map(([from, to]) => (from === to ? from : `${from} to ${to}`)).join(", ")}`;
    },

    // Each cache line that is touched is a row of four sectors; a sector is a row of cells of 4 bytes.
    draw(pen, values, width) {
      const sectors = touched(wordsOf(values), values.word_bytes);
      const lines = [...new Set([...sectors.keys()].map((n) => Math.floor(n / LINE)))].sort((a, b) => a - b);
      const columns = width >= 600 && lines.length > 1 ? 2 : 1;
      const perColumn = Math.ceil(lines.length / columns);
      const left = 78;
      const cell = Math.min(9, Math.floor(((width - 24 * (columns - 1)) / columns - left - 16) / (LINE * (SECTOR / CELL))));
      const sectorWidth = cell * (SECTOR / CELL);
      lines.forEach((line, i) => {
        const x = Math.floor(i / perColumn) * (width / columns + 12);
        const y = 32 + (i % perColumn) * 20;
        pen.text(x + left - 8, y + 11, `byte ${line * LINE * SECTOR}`, "end");
        for (let n = 0; n < LINE; ++n) {
          const used = sectors.get(line * LINE + n);
          const at = x + left + n * (sectorWidth + 4);
          pen.box(at, y, sectorWidth, 14, used ? "memory" : "ghost");
          for (let c = 0; used && c < SECTOR / CELL; ++c)
            if (Array.from({ length: CELL }, (_, b) => c * CELL + b).some((b) => used.has(b))) pen.box(at + c * cell, y, cell, 14, "gpu");
        }
      });
      pen.legend(13, [["gpu", "used"], ["memory", "moved, not used"], ["ghost", "not moved"]]); // prettier-ignore
      return 36 + perColumn * 20;
    },
  };

  if (typeof module === "object") module.exports = model;
  else lockstepExplore(model);
}
