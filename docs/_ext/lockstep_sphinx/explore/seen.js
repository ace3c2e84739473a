// Stands in the page, after a calculator's box: loads its files when a reader is about to see it.
"use strict";
{
  const box = document.currentScript.previousElementSibling;
  const load = ([{ isIntersecting }], seen) => {
    if (!isIntersecting) return;
    seen.disconnect();
    for (const name of ["explore", box.dataset.explore]) {
      const script = Object.assign(document.createElement("script"), { src: `${box.dataset.folder}${name}.js`, async: false });
      script.onerror = () => box.prepend("The calculator did not load; try again when this site can be reached.");
      document.head.append(script);
    }
  };
  new IntersectionObserver(load, { rootMargin: "400px" }).observe(box);
}
