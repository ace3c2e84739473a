// What a reader adds to the pages, in this browser alone: read pages, solved exercises, predictions, numbers of an own GPU.
"use strict";

(() => {
  const scripts = new URL(".", document.currentScript.src);
  const root = new URL("../", scripts);
  const PLACE = "lockstep-place";
  const GPU = "lockstep-gpu:"; // and a program's path

  const load = (name) =>
    new Promise((loaded, failed) => {
      const script = Object.assign(document.createElement("script"), { src: new URL(name, scripts), onload: loaded });
      script.onerror = () => failed(new Error(name));
      document.head.append(script);
    });

  // The name of the page at an address of this site: foundations/hello_kernel.
  function pageOf(address) {
    const url = new URL(address, location.href);
    if (url.origin !== root.origin || !url.pathname.startsWith(root.pathname)) return "";
    const path = url.pathname.slice(root.pathname.length).replace(/\.html$/, "");
    return path === "" || path.endsWith("/") ? `${path}index` : path;
  }

  // The reader's place

  // What is kept, and nothing where it cannot be read.
  function kept() {
    try {
      const { read, solved, predicted } = JSON.parse(localStorage.getItem(PLACE));
      return { read: new Set(read), solved: new Set(solved), predicted: new Set(predicted) };
    } catch {
      return { read: new Set(), solved: new Set(), predicted: new Set() };
    }
  }

  const names = (set) => [...set].sort();

  function fileOf({ read, solved, predicted }) {
    return { format: PLACE, version: 1, read: names(read), solved: names(solved), predicted: names(predicted) };
  }

  function keep(place) {
    localStorage.setItem(PLACE, JSON.stringify(fileOf(place)));
    show();
  }

  const page = pageOf(location.href);
  const boxes = []; // check box, "read" or "solved", and the name of the page or exercise

  function addBox(parent, text, what, name) {
    const label = document.createElement("label");
    const box = Object.assign(document.createElement("input"), { type: "checkbox" });
    box.addEventListener("change", () => {
      const place = kept();
      place[what][box.checked ? "add" : "delete"](name);
      try {
        keep(place);
      } catch {
        box.checked = !box.checked; // no room: what the page shows is what is kept
      }
    });
    label.append(box, ` ${text}`);
    parent.append(label);
    boxes.push([box, what, name]);
  }

  const links = [...document.querySelectorAll(".sidebar-tree a.reference.internal")];

  const list = (text) => (text ?? "").split(" ").filter(Boolean);

  function mark(link, className, text, says) {
    const made = link.querySelector(`.${className}`) ?? Object.assign(document.createElement("span"), { className, role: "img" });
    if (!text) return made.remove();
    made.textContent = text;
    made.setAttribute("aria-label", says);
    if (!made.parentNode) link.append(" ", made);
  }

  function show() {
    const place = kept();
    const solved = (names) => names.filter((name) => place.solved.has(name)).length;
    const tell = (names) => `${solved(names)} of ${names.length} exercises solved`;
    for (const [box, what, name] of boxes) box.checked = place[what].has(name);
    for (const link of links) {
      const names = list(link.dataset.exercises);
      mark(link, "place-mark", place.read.has(pageOf(link.href)) && "✓", "read");
      mark(link, "place-solved", solved(names) && `${solved(names)}/${names.length}`, tell(names));
    }
    const count = document.querySelector(".place-count");
    if (!count) return;
    const folder = page.replace(/index$/, "");
    const pages = count.dataset.pages.split(" ");
    const exercises = list(count.dataset.exercises);
    const done = pages.filter((name) => place.read.has(folder + name)).length;
    const said = [`${done} of ${pages.length} pages read`];
    if (exercises.length) said.push(tell(exercises));
    count.textContent = done || solved(exercises) ? said.join(", ") : ""; // nothing to a new reader
  }

  let stores = true;
  try {
    localStorage.setItem("lockstep-probe", "");
    localStorage.removeItem("lockstep-probe");
  } catch {
    stores = false; // then nothing is offered
  }
  if (stores) {
    const end = document.querySelector(".place");
    if (end) {
      end.hidden = false;
      addBox(end, "I have read this page", "read", page);
      end.prepend(end.lastChild);
    }
    for (const card of document.querySelectorAll(".lockstep-exercise[data-program]")) {
      addBox(card.querySelector(".lockstep-links"), "Solved", "solved", card.dataset.program.split("/").pop());
    }
    show();
    addEventListener("storage", show);
    window.lockstepPlace = { kept, keep, fileOf, name: PLACE, gpu: GPU };
    if (document.querySelector(".place-settings")) load("place/settings.js");
    if (document.querySelector(".course-path")) load("course/path.js");
  }
  if (document.querySelector(".lockstep-predict")) load("course/predict.js");

  // An own GPU's numbers beside ours: loaded when a reader asks, and where numbers of this page are kept

  const measured = ".lockstep-figure[data-kind=chart], .lockstep-transcript:has(.measured), .table-wrapper:has(span.measured)";
  let comparison;

  async function compare(button) {
    try {
      window.lockstepData ??= [];
      comparison ??= Promise.all(["compare/recordings.js", "compare/draw.js", `../_compare/${page}.js`].map(load)).then(() =>
        load("compare/compare.js"),
      );
      await comparison;
    } catch {
      comparison = undefined; // the next press tries again
      if (button) button.textContent = "The comparison did not load; try again when this site can be reached.";
      return;
    }
    window.lockstepCompare.ask(button);
  }

  const offered = [...document.querySelectorAll(measured)];
  for (const shown of offered) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "compare-ask" });
    button.textContent = "Compare with my GPU";
    button.addEventListener("click", () => compare(button));
    shown.after(button);
  }
  const has = ({ dataset }) => localStorage.getItem(GPU + dataset.program) !== null;
  const asked = () => document.querySelector(".compare-found") || (stores && [...document.querySelectorAll("[data-program]")].some(has));
  if (offered.length && asked()) compare();
})();
