"""The states of a registered object: the calls between them, who may use it, and the calls that each state refuses."""

from lockstep_sphinx.drawings.canvas import Canvas

UNREGISTERED = ("not registered", "only OpenGL knows the object")
REGISTERED = ("registered, not mapped", "OpenGL may use the object, CUDA may not")
MAPPED = ("mapped", "CUDA may use the object, OpenGL may not")
NOT_MAPPED = (
    "refused: cudaErrorNotMapped",
    "cudaGraphicsUnmapResources",
    "cudaGraphicsResourceGetMappedPointer",
)
ALREADY_MAPPED = (
    "refused: cudaErrorAlreadyMapped",
    "cudaGraphicsMapResources",
    "cudaGraphicsResourceSetMapFlags",
)


def _state(c: Canvas, x: float, y: float, w: float, words: tuple[str, str]) -> None:
    """The name of a state, and who may use the object."""
    c.text(x + w / 2, y + 20, words[0], 14, kind="strong")
    c.text(x + w / 2, y + 42, words[1], 13)


def _refused(c: Canvas, x: float, y: float, w: float, words: tuple[str, ...]) -> None:
    """An error, and the calls that return it."""
    c.box(x, y, w, 70, "", "warn")
    c.text(x + w / 2, y + 16, words[0], 13, kind="strong")
    c.text(x + w / 2, y + 44, "\n".join(words[1:]), 12)


def draw(c: Canvas) -> None:
    c.size(720, 352)
    width, right = 430, 468
    for y, h, words, kind in ((1, 62, UNREGISTERED, "ghost"), (135, 72, REGISTERED, "plain"), (279, 72, MAPPED, "gpu")):
        c.box(1, y, width, h, "", kind)
        _state(c, 1, y + (h - 62) / 2, width, words)
    c.arrow(24, 66, 24, 131, "cudaGraphicsGLRegisterBuffer\nor …RegisterImage, once")
    c.arrow(236, 131, 236, 66, "cudaGraphicsUnregisterResource,\nonce")
    c.arrow(24, 210, 24, 275, "cudaGraphicsMapResources,\nfor each picture")
    c.arrow(236, 275, 236, 210, "cudaGraphicsUnmapResources,\nfor each picture")
    for y, refused in ((136, NOT_MAPPED), (280, ALREADY_MAPPED)):
        c.line(1 + width + 3, y + 35, right - 3, y + 35, dashed=True)
        _refused(c, right, y, 250, refused)


def draw_narrow(c: Canvas) -> None:
    c.size(350, 520)
    c.box(1, 1, 348, 62, "", "ghost")
    _state(c, 1, 1, 348, UNREGISTERED)
    c.arrow(16, 66, 16, 137, "cudaGraphicsGL-\nRegisterBuffer or\n…RegisterImage,\nonce")
    c.arrow(186, 137, 186, 66, "cudaGraphics-\nUnregisterResource,\nonce")
    c.box(1, 140, 348, 148, "", "plain")
    _state(c, 1, 142, 348, REGISTERED)
    _refused(c, 40, 206, 270, NOT_MAPPED)
    c.arrow(16, 291, 16, 362, "cudaGraphics-\nMapResources,\nfor each picture")
    c.arrow(186, 362, 186, 291, "cudaGraphics-\nUnmapResources,\nfor each picture")
    c.box(1, 365, 348, 148, "", "gpu")
    _state(c, 1, 367, 348, MAPPED)
    _refused(c, 40, 431, 270, ALREADY_MAPPED)
