// On pages with a calculator: loads its files when a reader is about to see it.
"use strict";
{
  const folder = document.currentScript.src;
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        seen.unobserve(target);
        for (const name of ["explore", target.dataset.explore]) {
          const script = Object.assign(document.createElement("script"), { src: new URL(`${name}.js`, folder), async: false });
          script.onerror = () => target.prepend("The calculator did not load; try again when this site can be reached.");
          document.head.append(script);
        }
      }
    },
    { rootMargin: "400px" },
  );
  for (const box of document.querySelectorAll("[data-explore]")) seen.observe(box);
}
