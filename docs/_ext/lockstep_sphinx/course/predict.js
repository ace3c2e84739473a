// Judges a prediction when the reader asks, and keeps the right ones with the reader's place.
"use strict";

(() => {
  const place = window.lockstepPlace; // not where the browser stores nothing
  const boxes = [...document.querySelectorAll(".lockstep-predict")];
  const now = new Set(); // right since the page was opened
  const count = document.createElement("p");
  count.className = "predict-count";
  boxes.at(-1).after(count);

  function show() {
    const kept = place?.kept().predicted ?? now;
    const right = boxes.filter(({ dataset }) => kept.has(dataset.name) || now.has(dataset.name));
    for (const box of boxes) box.classList.toggle("predicted", right.includes(box));
    count.textContent = right.length ? `${right.length} of ${boxes.length} predicted right` : "";
  }

  function keep(name) {
    now.add(name);
    const all = place?.kept();
    try {
      if (all) place.keep({ ...all, predicted: all.predicted.add(name) });
    } catch {
      // no room: it counts until the page is left
    }
    show();
  }

  for (const box of boxes) {
    const status = box.querySelector("[role=status]");
    const inputs = [...box.querySelectorAll("input")];
    const reasons = box.querySelectorAll("dd");
    const button = box.querySelector("button");
    button.hidden = false;
    for (const input of inputs) input.addEventListener("change", () => status.replaceChildren());
    button.addEventListener("click", () => {
      const chosen = inputs.findIndex((input) => input.checked);
      if (chosen < 0) return status.replaceChildren("Choose an answer first.");
      const right = "right" in inputs[chosen].dataset;
      const verdict = Object.assign(document.createElement("strong"), { textContent: right ? "Right." : "Not this one." });
      status.replaceChildren(verdict, ...reasons[chosen].cloneNode(true).childNodes);
      if (right) keep(box.dataset.name);
    });
  }
  addEventListener("storage", show);
  show();
})();
