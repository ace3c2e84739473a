// In a copy of the site that is opened from disk: what a server would answer. Browsers let a page from disk load scripts,
// but neither modules nor workers nor data; so scripts hold these, and this one hands them out. `FILES`, in front of it,
// holds the texts beside emulator/run.js.
"use strict";

globalThis.lockstepOffline = (() => {
  const emulator = new URL("../../_emulator/", document.currentScript.src);
  const kept = new Map(); // what scripts brought, by the name of a file in _emulator: its bytes, compressed, as text
  const addresses = new Map();

  function load(name) {
    return new Promise((resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: new URL(`${name}.js`, emulator) });
      script.onload = () => resolve(script.remove());
      script.onerror = () => reject(new TypeError(`${name} is missing`), script.remove());
      document.head.append(script);
    });
  }

  return {
    keep: (name, text) => kept.set(name, text),

    // The address of a file beside run.js.
    beside(name) {
      const type = name.endsWith(".css") ? "text/css" : "text/javascript";
      if (!addresses.has(name)) addresses.set(name, URL.createObjectURL(new Blob([FILES[name]], { type })));
      return addresses.get(name);
    },

    // Answers for a file of _emulator as fetch would.
    async fetch(address) {
      const name = new URL(address).pathname.split("/").pop();
      if (!kept.has(name)) await load(name);
      const bytes = Uint8Array.from(atob(kept.get(name)), (sign) => sign.charCodeAt(0));
      kept.delete(name);
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      const type = name.endsWith(".wasm") ? "application/wasm" : "application/json";
      return new Response(stream, { headers: { "Content-Type": type } });
    },
  };
})();
