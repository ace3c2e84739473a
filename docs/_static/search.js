// The search page. Pagefind fetches only the parts of its index that a query needs.
"use strict";

const form = document.querySelector(".search-form");
const input = form.elements.q;
const status = document.querySelector(".search-status");
const list = document.querySelector(".search-results");
const root = new URL("..", document.currentScript.src);
const PAGE = 5;

const query = new URLSearchParams(location.search).get("q") ?? "";
input.value = query;
if (!query) input.focus();

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

// Excerpts come as HTML in which only <mark> is a tag.
function excerpt(html) {
  return element("p", { innerHTML: html });
}

// The section or definition that holds the best place found; Pagefind itself knows of headings with an id only.
function address(data) {
  const best = data.weighted_locations.reduce((a, b) => (b.balanced_score > a.balanced_score ? b : a), { balanced_score: -1 });
  const before = data.anchors.filter((a) => (a.element === "section" || a.element === "dt") && a.location <= best.location);
  return before.length > 1 ? `${data.url}#${before.at(-1).id}` : data.url;
}

function entry(data) {
  return element("li", {}, element("a", { href: address(data), textContent: data.meta.title }), excerpt(data.excerpt));
}

async function show(results, from) {
  const entries = await Promise.all(results.slice(from, from + PAGE).map(async (result) => entry(await result.data())));
  list.append(...entries);
  if (from > 0) entries[0].querySelector("a").focus();
  if (results.length <= from + PAGE) return;
  const more = element("button", { type: "button", className: "search-more", textContent: "More results" });
  more.addEventListener("click", () => {
    more.remove();
    show(results, from + PAGE);
  });
  list.after(more);
}

// Without a worker: Pagefind's worker is as large again as Pagefind, and one query is quick.
let engine;
async function pagefind() {
  engine ??= (await import(new URL("pagefind/pagefind.js", root))).createInstance({ noWorker: true });
  return engine;
}

let asked = "";
async function search(text) {
  asked = text;
  document.querySelector(".search-more")?.remove();
  if (!text.trim()) {
    status.textContent = "";
    list.replaceChildren();
    return;
  }
  const { results } = await (await pagefind()).search(text);
  if (asked !== text) return; // a later query overtook this one
  list.replaceChildren();
  const count = results.length === 1 ? "1 page" : `${results.length} pages`;
  status.textContent = results.length ? `${count} for “${text}”` : `Nothing found for “${text}”`;
  await show(results, 0);
}

// A page opened from disk may not load Pagefind, but it may load Sphinx's own index.
async function searchFromDisk() {
  status.textContent = "Opened from disk: a simpler search. “make serve” gives you the full one.";
  const parts = ["documentation_options", "doctools", "sphinx_highlight", "language_data", "searchtools"];
  for (const part of parts) await load(`_static/${part}.js`);
  await load("searchindex.js");
}

function load(path) {
  return new Promise((resolve, reject) => {
    document.body.append(element("script", { src: new URL(path, root), onload: resolve, onerror: reject }));
  });
}

function run(text) {
  search(text).catch(() => {
    status.textContent = "The search index did not load. The index of programs, under “Look up”, still works.";
  });
}

if (location.protocol === "file:") {
  searchFromDisk();
} else {
  let timer;
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => run(input.value), 250);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    clearTimeout(timer);
    history.replaceState(null, "", `?q=${encodeURIComponent(input.value)}`);
    run(input.value);
  });
  if (query) run(query);
}
