// Ticks the steps of a path that are done, and says how much time is left.
"use strict";

(() => {
  const clock = (minutes) => {
    const rounded = Math.max(5, 5 * Math.round(minutes / 5));
    const [hours, rest] = [Math.floor(rounded / 60), rounded % 60];
    return [hours && `${hours} h`, rest && `${rest} min`].filter(Boolean).join(" ");
  };

  function tick(step, text, says) {
    const mark = step.querySelector(".course-mark") ?? Object.assign(document.createElement("span"), { className: "course-mark" });
    if (!text) return mark.remove();
    mark.textContent = text;
    if (says) Object.assign(mark, { role: "img", ariaLabel: says });
    else for (const name of ["role", "aria-label"]) mark.removeAttribute(name);
    step.querySelector("p").append(" ", mark);
  }

  function show() {
    const place = window.lockstepPlace.kept();
    for (const path of document.querySelectorAll(".course-path")) {
      let left = 0;
      let begun = false;
      for (const step of path.querySelectorAll("[data-parts]")) {
        const parts = step.dataset.parts.split(" ").map((part) => part.split(/[:=]/));
        const open = parts.filter(([kind, name]) => !place[kind].has(name));
        for (const [, , minutes] of open) left += Number(minutes);
        const done = parts.length - open.length;
        begun ||= done > 0;
        if (!open.length) tick(step, "✓", "done");
        else tick(step, done && `${done} of ${parts.length} done`);
      }
      path.querySelector(".course-left").textContent = !begun ? "" : left ? ` For you, ${clock(left)} are left.` : " You are done.";
    }
  }
  addEventListener("storage", show);
  show();
})();
