"""`.. capability-table:: limits` - one of the tables that are made of docs/reference/compute_capabilities.toml."""

from docutils import nodes
from sphinx.application import Sphinx

from lockstep import capabilities
from lockstep.capabilities import TABLES
from lockstep.data import DataError
from lockstep_sphinx import outdated
from lockstep_sphinx.directive import SiteDirective


class CapabilityTable(SiteDirective):
    """Shows one table, as if its rows were typed there."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        name, root = self.arguments[0], self.project.root
        if name not in TABLES:
            return self.warn("no table of compute capabilities %s; there are %s", name, ", ".join(TABLES))
        outdated.depend(self.env, [root / capabilities.FILE])
        try:
            book = capabilities.load(root)
        except DataError as error:
            return self.warn("%s", error)
        return self.parse_text_to_nodes(capabilities.as_list_table(TABLES[name](book)))


def setup(app: Sphinx) -> None:
    app.add_directive("capability-table", CapabilityTable)
