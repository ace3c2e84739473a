"""Nodes of the pages that only HTML draws."""


def add_node(app, node_class, visit, depart=None) -> None:
    """Registers a node that only HTML draws; all else shows its children."""

    def nothing(translator, node):
        pass

    plain = (nothing, nothing)
    app.add_node(node_class, html=(visit, depart or nothing), latex=plain, text=plain, man=plain, texinfo=plain)
