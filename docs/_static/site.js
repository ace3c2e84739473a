// Buttons at code, definitions of terms, keyboard access to wide code, and "/" for the search box.
"use strict";

// What a reader wants of a terminal session is what was typed, without prompts; of all else, everything.
function copyText(pre) {
  const text = pre.textContent.replace(/\n$/, "");
  const typed = text.split("\n").filter((line) => line.startsWith("$ "));
  return typed.length ? typed.map((line) => line.slice(2)).join("\n") : text;
}

async function writeClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea"); // a page from disk or over plain http has no clipboard object
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("the browser refused");
}

const announcer = document.createElement("p");
announcer.className = "visually-hidden";
announcer.setAttribute("role", "status");
document.getElementById("furo-main-content").append(announcer);

function codeButton(text, label) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  if (label) button.setAttribute("aria-label", label);
  return button;
}

for (const pre of document.querySelectorAll("div.highlight > pre")) {
  const button = codeButton("Copy", "Copy this code");
  button.addEventListener("click", async () => {
    let result = "Copied";
    try {
      await writeClipboard(copyText(pre));
    } catch {
      result = "Not copied";
    }
    button.textContent = announcer.textContent = result;
    setTimeout(() => {
      button.textContent = "Copy";
      announcer.textContent = "";
    }, 2000);
  });
  const buttons = document.createElement("div");
  buttons.className = "code-buttons";
  buttons.append(button);
  pre.after(buttons);
}

// A click on the number of a line makes the line's address that of the page.
for (const pre of document.querySelectorAll("pre.numbered")) {
  pre.addEventListener("click", (event) => {
    const line = event.target.closest(".line");
    if (!line || event.clientX > line.getBoundingClientRect().left + parseFloat(getComputedStyle(line).paddingLeft)) return;
    const top = scrollY;
    location.hash = line.id;
    scrollTo({ top, behavior: "instant" });
  });
}

// What scrolls sideways must be reachable with the keyboard.
function letScrollersFocus() {
  const boxes = [...document.querySelectorAll("div.highlight > pre, .table-wrapper")];
  const wide = boxes.map((box) => box.scrollWidth > box.clientWidth); // all before the first change, for one layout
  boxes.forEach((box, i) => (wide[i] ? (box.tabIndex = 0) : box.removeAttribute("tabindex")));
}
addEventListener("load", () => setTimeout(letScrollersFocus)); // the page is laid out by then
addEventListener("resize", letScrollersFocus);

addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const box = [...document.querySelectorAll("input[name=q]")].reverse().find((input) => input.checkVisibility());
  if (!box) return;
  event.preventDefault();
  box.focus();
});

// The search is loaded when a reader is about to use it; on the search page, at once.
const searchFile = new URL("../_search/search.js", document.currentScript.src);
let searchLoads = false;

function loadSearch() {
  if (searchLoads) return;
  searchLoads = true;
  const script = Object.assign(document.createElement("script"), { src: searchFile });
  script.onerror = () => {
    searchLoads = false; // the next focus tries again
    const status = document.querySelector(".search-status");
    if (status) status.textContent = "The search did not load; try again when this site can be reached.";
  };
  document.head.append(script);
}

for (const box of document.querySelectorAll(".sidebar-search")) {
  const states = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": `${box.id}-list`,
    autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "search" }; // prettier-ignore
  for (const name in states) box.setAttribute(name, states[name]);
  box.addEventListener("focus", loadSearch);
}
if (document.querySelector(".search-form")) loadSearch();

// A term's definition, at its link: under the pointer, on focus, and at the first touch. Escape hides it.
let defined = null; // the link whose definition is shown

function hideDefinition() {
  if (!defined) return;
  document.getElementById(defined.getAttribute("aria-describedby")).hidden = true;
  defined = null;
}

function showDefinition(link) {
  if (defined === link) return;
  hideDefinition();
  const box = document.getElementById(link.getAttribute("aria-describedby"));
  defined = link;
  box.hidden = false;
  const at = link.getClientRects()[0];
  const frame = box.offsetParent.getBoundingClientRect();
  const left = Math.min(at.left, document.documentElement.clientWidth - box.offsetWidth - 16);
  const below = at.bottom + box.offsetHeight + 8 < innerHeight || at.top < box.offsetHeight + 8;
  box.style.left = `${Math.max(left, 16) - frame.left}px`;
  box.style.top = `${(below ? at.bottom : at.top - box.offsetHeight) - frame.top}px`;
}

for (const link of document.querySelectorAll("a[aria-describedby^=defined-]")) {
  const box = document.getElementById(link.getAttribute("aria-describedby"));
  let timer = 0;
  const later = (action, wait) => {
    clearTimeout(timer);
    timer = setTimeout(action, wait);
  };
  const leave = () => later(() => defined === link && !box.matches(":hover, :focus-within") && hideDefinition(), 200);
  link.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && later(() => showDefinition(link), 150));
  link.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && leave());
  box.addEventListener("pointerleave", leave);
  link.addEventListener("focus", () => link.matches(":focus-visible") && showDefinition(link));
  link.addEventListener("blur", leave);
  box.addEventListener("focusout", leave);
  link.addEventListener("click", (event) => {
    if (event.pointerType !== "touch" || defined === link) return;
    event.preventDefault();
    showDefinition(link);
  });
}
addEventListener("keydown", (event) => event.key === "Escape" && hideDefinition());
addEventListener("pointerdown", (event) => {
  if (defined && !event.target.closest("[role=tooltip], a[aria-describedby]")) hideDefinition();
});

// The address of a program in Compiler Explorer holds all its text, so it stands only on the page of its source, which a
// card links. A click goes on from there; where that page cannot be read, the reader does.
addEventListener("click", async (event) => {
  const link = event.target.closest("a[href$='#compiler-explorer']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  let address = link.href;
  try {
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
    address = page.querySelector("#compiler-explorer a[href^='https://godbolt.org/']").href;
  } catch {
    // the link itself is followed
  }
  location.assign(address);
});

// A program that an emulator can run gets a form; all that runs it is loaded when it is first asked to.
const emulator = new URL("emulator/run.js", document.currentScript.src);

function refusal() {
  if (location.protocol === "file:") return "A page opened from disk cannot load the program; use `make serve` or `make offline`.";
  return "The program could not be loaded; try again when this site can be reached.";
}

// A page from disk may load scripts alone. What `make offline` makes has one that holds the others.
async function runner() {
  if (location.protocol === "file:" && !globalThis.lockstepOffline) {
    const script = Object.assign(document.createElement("script"), { src: new URL("offline.js", emulator) });
    document.head.append(script);
    await new Promise((loaded, refused) => Object.assign(script, { onload: loaded, onerror: refused }));
  }
  return import(globalThis.lockstepOffline?.beside("run.js") ?? emulator);
}

for (const card of document.querySelectorAll(".lockstep-card[data-emulator]")) {
  const form = document.createElement("form");
  form.className = "lockstep-run";
  form.setAttribute("aria-label", `Run ${card.dataset.program.split("/").pop()} here`);
  form.id = `run-${card.dataset.program}`;
  form.innerHTML = `<button name="run">Run</button><button name="step">Step</button><button name="stop" type="button" hidden>Stop</button>
    <p role="status"></p>`;
  const choices = document.createElement("div"); // they belong to the form and stand where the card opens
  choices.className = "lockstep-choices";
  choices.innerHTML = `<label>Arguments <input form="${form.id}" name="arguments" autocomplete="off" autocapitalize="off" spellcheck="false"></label>
    <label>Order <input form="${form.id}" name="seed" type="number" min="0" max="999999" value="0" required></label>
    <p class="lockstep-note">Needs no GPU: an emulator of ${card.dataset.kilobytes} kB runs it on this device's processor.
    Order 1, 2, … runs the blocks and threads in another order.</p>`;
  card.querySelector(".lockstep-links").before(form);
  card.querySelector(".lockstep-more > summary").after(choices);
  const fields = form.elements;
  const status = form.querySelector("[role=status]");
  const recorded = card.dataset.arguments.split("\n");
  fields.arguments.value = recorded[0];
  if (recorded.length > 1) {
    const list = document.createElement("datalist");
    list.id = `${card.dataset.program}-arguments`;
    list.append(...recorded.filter(Boolean).map((text) => new Option("", text)));
    choices.append(list);
    fields.arguments.setAttribute("list", list.id);
    choices.querySelector(".lockstep-note").append(" The field offers the arguments that were recorded.");
  }
  if (!("steps" in card.dataset)) fields.step.remove();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (form.hasAttribute("aria-busy")) return;
    const steps = event.submitter?.name === "step";
    status.textContent = "Loading …";
    const loaded = await runner().catch(() => null);
    if (loaded) loaded.run(card, form, steps, refusal);
    else status.textContent = refusal();
  });
}

// On paper dropdowns are open. site.css sees to it where the browser lets it.
if (!CSS.supports("selector(::details-content)")) {
  const opened = [];
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open])")) opened.push(details);
    for (const details of opened) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of opened.splice(0)) details.open = false;
  });
}
