"""How few pages are read and written: by one process, and without looking for garbage.

To hand other processes all that is known of the pages, and to take it back, takes longer than to do some of them here.
"""

import gc
from collections.abc import Set as AbstractSet

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

FEW = 8  # pages, of which one takes some 50 ms


def setup(app: Sphinx) -> None:
    jobs = app.parallel
    gc.disable()

    def begin(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
        app.parallel = 1 if len(docnames) <= FEW else jobs
        if len(docnames) > FEW:
            gc.enable()

    def end(app: Sphinx, env: BuildEnvironment) -> list[str]:
        app.parallel = jobs
        return []

    def watch(app: Sphinx) -> None:
        builder, write = app.builder, app.builder.write_documents

        def write_documents(docnames: AbstractSet[str]) -> None:
            builder.parallel_ok = builder.parallel_ok and len(docnames) > FEW
            write(docnames)

        builder.write_documents = write_documents  # type: ignore[method-assign]

    app.connect("builder-inited", watch)
    app.connect("env-before-read-docs", begin)
    app.connect("env-updated", end)
    app.connect("build-finished", lambda app, exception: gc.enable())
