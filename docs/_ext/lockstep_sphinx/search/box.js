// The search box of every page, which answers as one types, and the search page. site.js loads it, in one file with
// engine.js.
"use strict";

if (globalThis.document) {
  const SHOWN = 8;
  const PAGE = 6; // results of the search page at a time: each loads the text of its section
  const FAILED = "The search did not load; try again when this site can be reached.";

  function element(tag, properties, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  }

  // What no page has: words, or else all of them together; nothing if a page has all.
  function lack({ length, missing, apart }) {
    if (missing.length) return `No page has ${missing.map((word) => `“${word}”`).join(" or ")}.`;
    return length && apart ? "No page has all of these words." : "";
  }

  // How many results there are; first of all, what no page has.
  function count(results, text) {
    const lacks = lack(results);
    if (!results.length) return lacks || `Nothing found for “${text}”.`;
    const number = results.length === 1 ? "1 result" : `${results.length} results`;
    if (!lacks) return `${number} for “${text}”.`;
    return `${lacks} ${number} for ${results.missing.length ? "the rest" : "some of them"}.`;
  }

  // -------------------------------------------------------------------------------------------------------------------
  // The box: a combobox with a list of results below it

  function enliven(input) {
    const { form } = input;
    const list = element("div", { className: "search-list", id: `${input.id}-list`, role: "listbox", hidden: true });
    list.setAttribute("aria-label", "Pages found");
    const status = element("p", { className: "visually-hidden", role: "status" });
    form.append(list, status);
    let active = -1;
    let timer = 0;

    function close() {
      clearTimeout(timer);
      list.hidden = true;
      input.setAttribute("aria-expanded", "false");
      choose(-1);
    }

    // Below the box, as wide as reads well, and within the window.
    function place() {
      const box = input.getBoundingClientRect();
      const width = Math.min(innerWidth - 16, Math.max(box.width, 540));
      Object.assign(list.style, {
        top: `${box.bottom + 4}px`,
        left: `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`,
        width: `${width}px`,
        maxHeight: `${Math.max(160, (globalThis.visualViewport?.height ?? innerHeight) - box.bottom - 16)}px`,
      });
    }

    const choices = () => [...list.querySelectorAll("[role=option]")];

    function choose(n) {
      active = n;
      const found = choices();
      found.forEach((option, at) => option.setAttribute("aria-selected", String(at === n)));
      if (n < 0) input.removeAttribute("aria-activedescendant");
      else {
        input.setAttribute("aria-activedescendant", found[n].id);
        found[n].scrollIntoView({ block: "nearest" });
      }
    }

    function option(href, title, way, n) {
      const made = element("a", { id: `${input.id}-${n}`, role: "option", tabIndex: -1, href },
        element("span", { className: "search-title", textContent: title })); // prettier-ignore
      if (way) made.append(" ", element("span", { className: "search-way", textContent: way }));
      made.setAttribute("aria-selected", "false");
      return made;
    }

    async function answer() {
      const text = input.value;
      if (!text.trim()) return close();
      let results;
      let shown;
      try {
        results = await lockstepSearch.find(text, true);
        shown = await Promise.all(results.slice(0, SHOWN).map(lockstepSearch.describe));
      } catch {
        status.textContent = FAILED;
        return close();
      }
      if (input.value !== text) return; // a later query overtook this one
      const all = `${form.action}?q=${encodeURIComponent(text)}`;
      list.replaceChildren(...shown.map(({ href, title, way }, n) => option(href, title, way.join(" › "), n)));
      if (results.length && lack(results)) {
        list.prepend(element("p", { className: "search-lacks", ariaHidden: "true", textContent: count(results, text) }));
      }
      if (results.length > SHOWN) list.append(option(all, `All ${results.length} results for “${text}”`, "", SHOWN));
      if (!results.length) {
        const names = new URL("reference/apis.html", form.action).href;
        list.append(option(names, count(results, text), "Look through the CUDA names", 0));
      }
      list.hidden = document.activeElement !== input;
      input.setAttribute("aria-expanded", String(!list.hidden));
      status.textContent = count(results, text);
      choose(-1);
      place();
    }

    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(answer, 60);
    });
    input.addEventListener("focus", () => list.hidden && input.value && answer());
    form.addEventListener("focusout", (event) => form.contains(event.relatedTarget) || close());
    list.addEventListener("pointerdown", (event) => event.preventDefault()); // the box keeps the focus
    addEventListener("resize", place);
    addEventListener("scroll", () => list.hidden || place(), { passive: true });
    input.addEventListener("keydown", (event) => {
      const options = list.hidden ? 0 : choices().length;
      if (event.key === "ArrowDown" && list.hidden && input.value) answer();
      else if (event.key === "ArrowDown" && options) choose((active + 1) % options);
      else if (event.key === "ArrowUp" && options) choose((active < 1 ? options : active) - 1);
      else if (event.key === "Enter" && active >= 0) choices()[active].click();
      else if (event.key === "Escape" && !list.hidden) close();
      else if (event.key === "Escape" && input.value) input.value = "";
      else return;
      event.preventDefault();
    });
    if (document.activeElement === input && input.value) answer(); // typed before this was loaded
  }

  // -------------------------------------------------------------------------------------------------------------------
  // The search page: all results, each with some words around what was found

  function searchPage(form) {
    const input = form.elements.q;
    const status = document.querySelector(".search-status");
    const list = document.querySelector(".search-results");
    const more = element("button", { type: "button", className: "search-more", textContent: "More results", hidden: true });
    list.after(more);
    let results = [];
    let asked = "";
    let timer = 0;

    async function entry(result, text) {
      const { href, title, way } = await lockstepSearch.describe(result);
      const around = element("p", {});
      const above = element("p", { className: "search-way", textContent: way.join(" › ") });
      const made = element("li", {}, element("a", { href, textContent: title }), above, around);
      const pieces = await lockstepSearch.excerpt(result, text).catch(() => []);
      around.append(...pieces.map((piece, n) => (n % 2 ? element("mark", { textContent: piece }) : piece)));
      return made;
    }

    async function show(from) {
      const text = asked;
      const entries = await Promise.all(results.slice(from, from + PAGE).map((result) => entry(result, text)));
      if (asked !== text) return;
      if (!from) list.replaceChildren();
      list.append(...entries);
      more.hidden = results.length <= from + PAGE;
      if (from) entries[0].querySelector("a").focus();
    }

    async function search(text, moves) {
      asked = text;
      if (!text.trim()) {
        status.textContent = "";
        list.replaceChildren();
        more.hidden = true;
        return;
      }
      try {
        const found = await lockstepSearch.find(text, !moves);
        if (asked !== text) return; // a later query overtook this one
        results = found;
        await show(0);
        status.textContent = count(results, text);
      } catch {
        status.textContent = FAILED;
      }
      if (moves) list.querySelector("a")?.focus();
    }

    more.addEventListener("click", () => show(list.children.length));
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => search(input.value, false), 150);
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      clearTimeout(timer);
      history.replaceState(null, "", `?q=${encodeURIComponent(input.value)}`);
      search(input.value, true);
    });
    input.value = new URLSearchParams(location.search).get("q") ?? "";
    if (input.value) search(input.value, true);
    else input.focus();
  }

  for (const input of document.querySelectorAll("input[role=combobox]")) enliven(input);
  const form = document.querySelector(".search-form");
  if (form) searchPage(form);
}
