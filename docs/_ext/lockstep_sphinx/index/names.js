// A box above a list of CUDA names that leaves those which hold what is typed.
"use strict";

const NAMES = "dt, .lockstep-names li"; // with the programs of each, or alone

for (const index of document.querySelectorAll(".lockstep-index:has(.lockstep-letters)")) {
  const rows = [...index.querySelectorAll(NAMES)].map((term) => ({
    term,
    list: term.localName === "dt" ? term.nextElementSibling : term,
    name: term.textContent.toLowerCase(),
  }));
  const letters = new Map([...index.querySelectorAll(".lockstep-letters a")].map((link) => [link.hash.slice(1), link]));
  const box = document.createElement("search");
  box.className = "lockstep-filter";
  box.innerHTML = `<label>Filter <input type="search" autocomplete="off" autocapitalize="off" spellcheck="false"
    placeholder="part of a name, such as memcpy"></label> <span role="status"></span>`;
  const input = box.querySelector("input");
  const status = box.querySelector("[role=status]");

  function filter() {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { term, list, name } of rows) {
      const fits = wanted.every((part) => name.includes(part));
      term.hidden = list.hidden = !fits;
      shown += fits;
    }
    for (const section of index.querySelectorAll("section")) {
      section.hidden = !section.querySelector(`:is(${NAMES}):not([hidden])`);
      letters.get(section.id).parentElement.hidden = section.hidden;
    }
    status.textContent = wanted.length ? `${shown} of ${rows.length} names` : `${rows.length} names`;
  }

  input.addEventListener("input", filter);
  index.prepend(box);
  if (input.value) filter(); // a browser may have kept what was typed
  else status.textContent = `${rows.length} names`;

  // A link to a name, such as the search gives, shows it whatever is typed.
  addEventListener("hashchange", () => {
    if (!document.getElementById(decodeURIComponent(location.hash.slice(1)))?.closest("[hidden]")) return;
    input.value = "";
    filter();
    document.getElementById(decodeURIComponent(location.hash.slice(1))).scrollIntoView();
  });
}
