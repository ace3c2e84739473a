// Occupancy: the blocks that an SM holds at once.
"use strict";
{
  const WARP = 32;
  const REGISTERS = 65536; // of an SM, and at most of a block
  const REGISTER_UNIT = 256; // a warp gets its registers in such portions
  const SCHEDULERS = 4; // each with a quarter of the registers
  const BLOCK_THREADS = 1024;

  // By compute capability: blocks and threads of an SM, KiB of shared memory of an SM and of a block, bytes of it that the
  // system keeps of each block, and the portions in which a block gets it.
  const LIMITS = {
    75: [16, 1024, 64, 64, 0, 256],
    80: [32, 2048, 164, 163, 1024, 128],
    86: [16, 1536, 100, 99, 1024, 128],
    87: [16, 1536, 164, 163, 1024, 128],
    89: [24, 1536, 100, 99, 1024, 128],
    90: [32, 2048, 228, 227, 1024, 128],
    100: [32, 2048, 228, 227, 1024, 128],
    103: [32, 2048, 228, 227, 1024, 128],
    110: [24, 1536, 228, 227, 1024, 128],
    120: [24, 1536, 100, 99, 1024, 128],
    121: [24, 1536, 100, 99, 1024, 128],
  };
  const NAMES = { 75: "Turing", 80: "A100", 86: "Ampere", 87: "Orin", 89: "Ada", 90: "Hopper", 100: "Blackwell", 110: "Thor" };

  const up = (amount, unit) => Math.ceil(amount / unit) * unit;

  // What an SM has of each resource, what a block takes of it, and how many blocks fit.
  function resources({ capability, threads, registers, shared_bytes: shared }) {
    const [blocks, smThreads, smKib, blockKib, reserved, unit] = LIMITS[capability];
    const warps = Math.ceil(threads / WARP);
    const ofWarp = up(registers * WARP, REGISTER_UNIT);
    const room = SCHEDULERS * Math.floor(REGISTERS / SCHEDULERS / ofWarp); // warps that have their registers
    const ofBlock = up(shared + reserved, unit);
    return [
      { name: "threads", has: smThreads, takes: warps * WARP, fit: threads > BLOCK_THREADS ? 0 : Math.floor(smThreads / (warps * WARP)) },
      { name: "places for blocks", has: blocks, takes: 1, fit: blocks },
      { name: "registers", has: REGISTERS, takes: warps * ofWarp, fit: ofWarp ? Math.floor(room / warps) : Infinity },
      {
        name: "shared memory",
        has: smKib * 1024,
        takes: ofBlock,
        fit: shared > blockKib * 1024 ? 0 : ofBlock ? Math.floor((smKib * 1024) / ofBlock) : Infinity,
      },
    ];
  }

  const least = (all) => Math.min(...all.map(({ fit }) => fit));

  const model = {
    name: "occupancy",
    title: "Calculator of resident blocks",
    limits: LIMITS,
    fields: [
      {
        name: "capability",
        label: "compute capability",
        value: 90,
        choices: Object.keys(LIMITS).map((key) => [Number(key), `${key.slice(0, -1)}.${key.slice(-1)}${NAMES[key] ? ` (${NAMES[key]})` : ""}`]),
      },
      { name: "threads", label: "threads of a block", value: 256, range: () => [1, BLOCK_THREADS] },
      { name: "registers", label: "registers of a thread", value: 32, range: () => [1, 255] },
      { name: "shared_bytes", label: "shared memory of a block, bytes", value: 49152, range: () => [0, 232448] },
    ],
    counts: ["blocks"],
    predict: (values) => ({ blocks: least(resources(values)) }),

    says(values, { blocks }) {
      const all = resources(values);
      const scarce = all.filter(({ fit }) => fit === blocks).map(({ name }) => name);
      const names = scarce.join(" and ");
      if (blocks === 0) return `No block fits: it needs more than an SM has to give (${names}).`;
      const warps = blocks * Math.ceil(values.threads / WARP);
      const share = Math.round((1000 * warps * WARP) / all[0].has) / 10;
      return `${blocks} resident ${blocks === 1 ? "block" : "blocks"}: ${warps} of ${all[0].has / WARP} warps, an occupancy of ${share} %. Limited by ${names}.`;
    },

    describes: (values) =>
      resources(values)
        .map(({ name, fit }) => `${name}: ${fit === Infinity ? "no limit" : `room for ${fit}`}`)
        .join("; "),

    // A bar for each resource; a portion is what one block takes.
    draw(pen, values, width) {
      const all = resources(values);
      const blocks = least(all);
      const bar = width - 4;
      let y = 30;
      for (const { name, has, takes, fit } of all) {
        const number = (n) => n.toLocaleString("en");
        pen.text(2, y + 11, name, "start", "strong");
        pen.text(width - 2, y + 11, `${number(takes)} of ${number(has)} a block`, "end");
        pen.box(2, y + 18, bar, 24, "ghost");
        const portion = (bar * takes) / has;
        const portions = (from, to, kind) => {
          const run = portion < 3 ? to - from : 1; // many that could not be told apart are one shape
          for (let n = from; n < to; n += run) pen.box(2 + n * portion, y + 18, run * portion, 24, kind);
        };
        if (takes) {
          portions(0, blocks, "gpu");
          portions(blocks, fit, "plain");
        }
        y += 54;
      }
      pen.legend(13, [["gpu", "a resident block"], ["plain", "room for one"], ["ghost", "left"]]); // prettier-ignore
      return y;
    },
  };

  if (typeof module === "object") module.exports = model;
  else lockstepExplore(model);
}
