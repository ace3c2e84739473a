"""Links at first uses that a page's author left plain: of basic terms, and of the helpers that its programs use.

A page that says "warp" and links the glossary nowhere gets a link at the first "warp" in its prose. A page that shows
code with `lockstep::` and links the page about the helpers nowhere gets a line under the first such listing. Whatever an
author linked is left as it is. conf.py turns this on; it needs the glossary and the page about the helpers.
"""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from lockstep_sphinx.card.card import program_card
from lockstep_sphinx.listing.listing import program_listing

# Words that are the term wherever they stand in prose, by the entry's names in the glossary, the first of which is
# linked. Others, such as "event", also mean something else.
TERMS = {
    ("kernel",): r"(?<!Linux )\bkernels?\b",
    ("warp",): r"\bwarps?\b",
    ("lane",): r"\blanes?\b",
    ("sm", "streaming multiprocessor"): r"\bSMs?\b",
    ("thread block", "block", "cooperative thread array"): r"\b(?:thread blocks?|(?<=\b(?:the|one) )block(?! of))\b",
    ("thread block cluster", "cluster"): r"\b(?:thread block )?clusters?\b",
    ("bank conflict",): r"\bbank conflicts?\b",
    ("shared memory",): r"(?<!distributed )\bshared memory\b",
    ("global memory", "device memory"): r"\b(?:global|device) memory\b",
    ("local memory",): r"\blocal memory\b",
    ("constant memory",): r"\bconstant memory\b",
    ("managed memory",): r"\bmanaged memory\b",
    ("pinned memory", "page-locked memory"): r"\b(?:pinned|page-locked) memory\b",
    ("pageable memory",): r"\bpageable memory\b",
    ("l1 cache",): r"\bL1 caches?\b",
    ("l2 cache",): r"\bL2 caches?\b",
    ("register",): r"\bregisters\b(?!\s+(?:an?|the|its?|them|memory|with)\b)",
    ("compute capability",): r"\bcompute capabilit(?:y|ies)\b",
    ("tensor core",): r"\btensor cores?\b",
    ("atomic operation", "atomic"): r"\batomic operations?\b",
    ("stream",): r"\bstreams?\b(?!-| compaction)",
    ("tile",): r"\btiles?\b",
    ("latency",): r"\blatency\b(?! hiding)",
    ("throughput",): r"\bthroughput\b",
    ("ptx",): r"\bPTX\b",
    ("sass",): r"\bSASS\b",
    ("fma", "fused multiply-add"): r"\bFMAs?\b",
    ("tma", "tensor memory accelerator"): r"\bTMA\b",
}
HELPERS = "/reference/headers"
_NO_PROSE = (
    nodes.docinfo,
    nodes.title,
    nodes.rubric,
    nodes.reference,
    nodes.literal,
    nodes.literal_block,
    nodes.caption,
    nodes.topic,
    nodes.term,
    addnodes.pending_xref,
    addnodes.glossary,
)


def above(node: nodes.Node) -> Iterator[nodes.Element]:
    """What a node stands in, from the inside out."""
    while (node := node.parent) is not None:
        yield node


def _prose(doctree: nodes.document) -> Iterator[nodes.Text]:
    """The text that an author wrote as sentences, in the order of the page."""
    for text in doctree.findall(nodes.Text):
        around = list(above(text))
        classes = [name for node in around for name in node["classes"]]
        sentence = any(isinstance(node, nodes.paragraph) for node in around)
        made = any(name.startswith(("lockstep-", "sd-summary")) for name in classes)
        if sentence and not made and not any(isinstance(node, (*_NO_PROSE, program_card)) for node in around):
            yield text


def _linked(doctree: nodes.document, kind: str) -> set[str]:
    """What the page links already."""
    found = [node for node in doctree.findall(addnodes.pending_xref) if node.get("reftype") == kind]
    return {str(node["reftarget"]).lower() for node in found}


def _link(docname: str, kind: str, target: str, shown: str) -> addnodes.pending_xref:
    inner = nodes.inline("", shown, classes=["xref", "std", f"std-{kind}"])
    options = {"refdomain": "std", "reftype": kind, "reftarget": target, "refexplicit": True, "refwarn": True}
    return addnodes.pending_xref("", inner, refdoc=docname, **options)


def link_terms(doctree: nodes.document, docname: str) -> None:
    """Links the first use of each basic term that the page links nowhere."""
    linked, texts = _linked(doctree, "term"), list(_prose(doctree))
    for names, form in TERMS.items():
        if linked.isdisjoint(names):
            uses = ((at, re.search(form, text)) for at, text in enumerate(texts))
            at, use = next(((at, use) for at, use in uses if use), (0, None))
            if use is not None:
                text, link = texts[at], _link(docname, "term", names[0], use[0])
                around = [nodes.Text(part) for part in (text[: use.start()], text[use.end() :])]
                text.parent.replace(text, [piece for piece in (around[0], link, around[1]) if piece is link or piece])
                texts[at : at + 1] = [part for part in around if part]


def link_helpers(doctree: nodes.document, docname: str) -> None:
    """Says under the first listing with `lockstep::` where such names come from, unless the page links that page."""
    if HELPERS in _linked(doctree, "doc") or docname == HELPERS[1:]:
        return
    for shown in doctree.findall(program_listing):
        if "lockstep::" in shown.astext():
            line = nodes.paragraph("", "Names that begin with ", classes=["lockstep-helpers"])
            link = _link(docname, "doc", HELPERS, "this site's helper headers")
            line += [nodes.literal("", "lockstep::"), nodes.Text(" come from "), link, nodes.Text(".")]
            shown.parent.insert(shown.parent.index(shown) + 1, line)
            return


def _first_uses(app: Sphinx, doctree: nodes.document) -> None:
    if app.config.lockstep_link_first_uses:
        link_helpers(doctree, app.env.docname)
        link_terms(doctree, app.env.docname)


def setup(app: Sphinx) -> None:
    app.add_config_value("lockstep_link_first_uses", False, "env")
    app.connect("doctree-read", _first_uses, priority=400)  # before `terms` asks which terms a page uses
