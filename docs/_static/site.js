// Copy buttons, keyboard access to wide code, and "/" for the search box.
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

for (const pre of document.querySelectorAll("div.highlight > pre")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", "Copy this code");
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
  pre.after(button);
}

// What scrolls sideways must be reachable with the keyboard.
function letScrollersFocus() {
  for (const box of document.querySelectorAll("div.highlight > pre, .table-wrapper")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}
letScrollersFocus();
addEventListener("resize", letScrollersFocus);

addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const box = [...document.querySelectorAll("input[type=search]")].reverse().find((input) => input.checkVisibility());
  if (!box) return;
  event.preventDefault();
  box.focus();
});
