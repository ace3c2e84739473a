// What the calculators share: a form made of a model's fields, the model's answer in words, and a drawing of it. A model
// says what it predicts and draws it; it needs no page, so the checks ask the same file.
"use strict";
{
  const escaped = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

  // Collects shapes in the kinds of box that the site's figures have.
  function pen() {
    const shapes = [];
    return {
      shapes,
      box(x, y, width, height, kind) {
        shapes.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" class="lf-${kind}"/>`);
      },
      text(x, y, text, anchor = "start", kind = "muted") {
        shapes.push(`<text x="${x}" y="${y}" text-anchor="${anchor}" class="lt-${kind}">${escaped(text)}</text>`);
      },
      legend(y, entries) {
        let x = 0;
        for (const [kind, text] of entries) {
          this.box(x + 1, y - 10, 12, 12, kind);
          this.text(x + 18, y, text);
          x += 36 + text.length * 6.4;
        }
      },
    };
  }

  function control(field, values) {
    const label = document.createElement("label");
    label.textContent = field.label;
    const input = document.createElement(field.choices ? "select" : "input");
    input.name = field.name;
    if (field.choices) input.append(...field.choices.map(([value, text]) => new Option(text, value)));
    else Object.assign(input, { type: "number", step: 1, required: true, inputMode: "numeric" });
    input.value = values[field.name];
    label.append(input);
    return label;
  }

  // The row of the recorded cases that has these inputs, by column; nothing if none has.
  function recorded(box, values) {
    const columns = box.dataset.columns.split(" ");
    for (const row of box.querySelector("table")?.tBodies[0].rows ?? []) {
      const cells = Object.fromEntries(columns.map((column, i) => [column, row.cells[i].textContent]));
      if (Object.keys(values).every((name) => cells[name] === String(values[name]))) return cells;
    }
    return null;
  }

  function build(box, model) {
    const values = Object.fromEntries(model.fields.map((field) => [field.name, field.value]));
    const form = document.createElement("form");
    form.setAttribute("aria-label", model.title);
    form.append(...model.fields.map((field) => control(field, values)));
    const answer = document.createElement("output");
    answer.setAttribute("aria-live", "polite");
    const figure = document.createElement("div");

    // Whether all fields hold what the model takes; says which does not.
    function read() {
      const wrong = [];
      for (const field of model.fields) {
        const input = form.elements[field.name];
        if (!field.choices) [input.min, input.max] = field.range(values);
        const good = input.checkValidity();
        input.setAttribute("aria-invalid", String(!good));
        if (!good) wrong.push(`${field.label}: a whole number from ${input.min} to ${input.max}`);
        else values[field.name] = Number.isNaN(Number(input.value)) ? input.value : Number(input.value);
      }
      if (wrong.length) answer.textContent = wrong.join("; ");
      return !wrong.length;
    }

    function show() {
      const result = model.predict(values);
      const row = recorded(box, values);
      const same = row && `Recorded: ${model.counts.map((name) => `${row[name]} ${name.replaceAll("_", " ")}`).join(", ")}.`;
      answer.textContent = [model.says(values, result), same].filter(Boolean).join(" ");
      const width = Math.max(300, Math.min(Math.floor(figure.clientWidth), 720));
      const drawn = pen();
      const height = model.draw(drawn, values, width);
      figure.innerHTML = `<svg class="lockstep-svg" role="img" aria-label="${escaped(model.describes(values, result))}"
        width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${drawn.shapes.join("")}</svg>`;
    }

    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => read() && show());
    box.querySelector(".explore-needs").remove();
    box.querySelector("[hidden]").hidden = false;
    box.prepend(form, answer, figure);
    let known = 0;
    new ResizeObserver(() => {
      if (figure.clientWidth === known) return;
      known = figure.clientWidth;
      if (read()) show();
    }).observe(figure);
  }

  const style = Object.assign(document.createElement("link"), {
    rel: "stylesheet",
    href: new URL("explore.css", document.currentScript.src),
  });
  const styled = new Promise((resolve) => (style.onload = style.onerror = resolve));
  document.head.append(style);

  globalThis.lockstepExplore = async (model) => {
    await styled;
    for (const box of document.querySelectorAll(`[data-explore="${model.name}"]`)) build(box, model);
  };
}
