// Bank conflicts: the wavefronts that one load of a warp from shared memory takes.
"use strict";
{
  const LANES = 32;
  const BANKS = 32;
  const BANK = 4; // bytes that a bank delivers in one wavefront
  const KINDS = ["gpu", "cpu"]; // of box, by turns, for the parts of a request

  const index = {
    linear: (a, b, lane) => a * lane + b,
    swizzle: (a, b, lane) => (a * lane) ^ (lane >> b),
    tile: (a, b, lane) => Math.floor(lane / a) * (32 + b) + (lane % a),
  };
  const wordsOf = ({ pattern, a, b }) => Array.from({ length: LANES }, (_, lane) => index[pattern](a, b, lane));

  // Whether neighbors, or lanes two apart, read the same word everywhere: then twice as many lanes are served together.
  const paired = (words) => [1, 2].some((apart) => words.every((word, lane) => word === words[lane ^ apart]));

  // The groups of lanes that are served together: 128 bytes at a time, half-warps of 16-byte words each by themselves.
  function parts(words, wordBytes) {
    const groups = [];
    const reach = wordBytes === 16 ? 16 : LANES;
    for (let first = 0; first < LANES; first += reach) {
      const lanes = words.slice(first, first + reach);
      const served = (BANKS * BANK) / wordBytes;
      const step = Math.min(reach, wordBytes > BANK && paired(lanes) ? 2 * served : served);
      for (let lane = 0; lane < reach; lane += step) groups.push({ first: first + lane, words: lanes.slice(lane, lane + step) });
    }
    return groups;
  }

  // For each part, the different 4-byte words that each bank has to deliver.
  function served(words, wordBytes) {
    return parts(words, wordBytes).map((part) => {
      const banks = Array.from({ length: BANKS }, () => new Set());
      for (const word of part.words)
        for (let at = (word * wordBytes) / BANK; at < ((word + 1) * wordBytes) / BANK; ++at) banks[at % BANKS].add(at);
      const most = Math.max(...banks.map((bank) => bank.size));
      return { first: part.first, lanes: part.words.length, banks, most };
    });
  }

  const count = (words, wordBytes) => ({ requests: 1, wavefronts: served(words, wordBytes).reduce((sum, { most }) => sum + most, 0) });

  const model = {
    name: "bank_conflicts",
    title: "Calculator of wavefronts",
    fields: [
      {
        name: "pattern",
        label: "word that a lane reads",
        value: "linear",
        choices: [
          ["linear", "a × lane + b"],
          ["swizzle", "(a × lane) ^ (lane >> b)"],
          ["tile", "tile[lane / a][lane % a], rows of 32 + b words"],
        ],
      },
      { name: "word_bytes", label: "size of a word", value: 4, choices: [4, 8, 16].map((n) => [n, `${n} bytes`]) },
      { name: "a", label: "a", value: 2, range: ({ pattern }) => (pattern === "tile" ? [1, 32] : [0, 128]) },
      { name: "b", label: "b", value: 0, range: ({ pattern }) => (pattern === "linear" ? [0, 128] : [0, 31]) },
    ],
    counts: ["wavefronts"],
    count,
    predict: (values) => count(wordsOf(values), values.word_bytes),

    says(values, { wavefronts }) {
      const groups = served(wordsOf(values), values.word_bytes);
      const most = Math.max(...groups.map((part) => part.most));
      const ways = most > 1 ? `a ${most}-way bank conflict` : "no bank conflict";
      const shares = groups.length > 1 ? ` in ${groups.length} parts of ${groups[0].lanes} lanes,` : ",";
      return `${wavefronts} ${wavefronts === 1 ? "wavefront" : "wavefronts"}${shares} ${ways}.`;
    },

    describes(values) {
      return served(wordsOf(values), values.word_bytes)
        .map(({ first, lanes, banks, most }) => {
          const busiest = banks.flatMap((bank, n) => (bank.size === most ? [n] : []));
          const which = busiest.length > 4 ? `${busiest.length} banks deliver` : `bank ${busiest.join(", ")} delivers`;
          return `Lanes ${first} to ${first + lanes - 1}: ${which} ${most} ${most === 1 ? "word" : "words"} each`;
        })
        .join("; ");
    },

    // A column is a bank, a row a wavefront; a filled cell is a word that the bank delivers.
    draw(pen, values, width) {
      const left = 92;
      const cell = Math.min(16, Math.floor((width - left - 4) / BANKS));
      const high = Math.max(12, cell);
      for (const bank of [0, 8, 16, 24, 31]) pen.text(left + (bank + 0.5) * cell, 28, bank, "middle");
      pen.text(left - 8, 28, "bank", "end");
      const groups = served(wordsOf(values), values.word_bytes);
      let y = 36;
      let wavefront = 0;
      groups.forEach(({ banks, most }, part) => {
        for (let row = 0; row < most; ++row, y += high) {
          pen.text(left - 8, y + high - 2, `wavefront ${++wavefront}`, "end");
          banks.forEach((bank, n) => pen.box(left + n * cell, y, cell - 1, high - 1, bank.size > row ? KINDS[part % 2] : "muted"));
        }
        y += 4;
      });
      const next = groups.length > 1 ? [[KINDS[1], "to the next part"]] : [];
      pen.legend(11, [[KINDS[0], "delivers a word"], ...next, ["muted", "idle"]]);
      return y + 2;
    },
  };

  if (typeof module === "object") module.exports = model;
  else lockstepExplore(model);
}
