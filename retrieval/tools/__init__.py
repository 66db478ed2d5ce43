"""The agent's tools, as everybody else uses them too: search, list, grep, read, inventory.

A `Toolbox` is one reader's set over one scope. Every call returns a `ToolResult`: a bad address, a
bad pattern or nothing found is a result that says so, for the model to read, never an exception.
Tenant, permissions and scope are enforced in here, not by the caller.
"""

from retrieval.tools.result import ToolItem, ToolResult
from retrieval.tools.toolbox import Toolbox

__all__ = ["ToolItem", "ToolResult", "Toolbox"]
