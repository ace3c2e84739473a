// Export, import and forget what the browser keeps of a reader: on the page about it alone.
"use strict";

(() => {
  const { kept, keep, fileOf, name, gpu } = window.lockstepPlace;
  const place = document.querySelector(".place-settings");
  const status = place.querySelector("[role=status]");
  const pages = place.dataset.pages.split(" ");
  const exercises = place.dataset.exercises.split(" ").filter(Boolean);
  const predictions = place.dataset.predictions.split(" ").filter(Boolean);
  const MOST = 1_000_000; // bytes of a file, far above what all pages and exercises take
  const NAME = /^[a-z0-9_]+(\/[a-z0-9_]+)*$/;

  const gpuKeys = () => Object.keys(localStorage).filter((key) => key.startsWith(gpu));

  function say(text = "") {
    const { read, solved, predicted } = kept();
    const count = gpuKeys().length;
    const own = count ? `, and the numbers of your GPU for ${count} program${count === 1 ? "" : "s"}` : "";
    const done = `${pages.filter((page) => read.has(page)).length} of ${pages.length} pages read`;
    const work = `${exercises.filter((exercise) => solved.has(exercise)).length} of ${exercises.length} exercises solved`;
    const right = `${predictions.filter((name) => predicted.has(name)).length} of ${predictions.length} predictions right`;
    status.textContent = `${text} Kept: ${done}, ${work}, ${right}${own}.`.trim();
  }

  // The lists in a file that was exported here or by `make progress`; throws what to say of any other.
  function parse(bytes) {
    let found;
    try {
      found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    } catch {
      throw new Error("it does not hold JSON");
    }
    if (found?.format !== name) throw new Error(`its "format" is not "${name}"`);
    if (found.version !== 1) throw new Error("this site reads version 1 of the format only");
    found.predicted ??= []; // older files and those of `make progress` have none
    for (const list of ["read", "solved", "predicted"]) {
      const good = Array.isArray(found[list]) && found[list].every((entry) => typeof entry === "string" && NAME.test(entry));
      if (!good) throw new Error(`its "${list}" is not a list of names`);
    }
    return found;
  }

  async function bring(file) {
    try {
      if (file.size > MOST) throw new Error("it is larger than 1 MB");
      const found = parse(await file.arrayBuffer());
      const all = kept();
      for (const list of Object.keys(all)) for (const entry of found[list]) all[list].add(entry);
      keep(all);
      say(`Imported ${file.name}.`);
    } catch (error) {
      say(`Not imported: ${file.name}: ${error.message}. Nothing was changed.`);
    }
  }

  function add(text, action) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    button.addEventListener("click", action);
    status.before(button);
    return button;
  }

  add("Export to a file", () => {
    const url = URL.createObjectURL(new Blob([JSON.stringify(fileOf(kept()), null, 2)], { type: "application/json" }));
    Object.assign(document.createElement("a"), { href: url, download: "lockstep-place.json" }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
    say("Exported.");
  });

  const chooser = Object.assign(document.createElement("input"), { type: "file", accept: ".json,application/json", hidden: true });
  chooser.setAttribute("aria-label", "File to import");
  chooser.addEventListener("change", async () => {
    if (chooser.files[0]) await bring(chooser.files[0]);
    chooser.value = "";
  });
  add("Import a file", () => chooser.click());
  status.before(chooser);

  add("Forget everything", () => {
    if (!confirm("Forget read pages, solved exercises, predictions and the numbers of your GPU? A file that you exported stays.")) return;
    for (const key of gpuKeys()) localStorage.removeItem(key);
    keep({ read: new Set(), solved: new Set(), predicted: new Set() });
    localStorage.removeItem(name);
    say("Everything is forgotten.");
  });
  addEventListener("storage", () => say());
  say();
})();
