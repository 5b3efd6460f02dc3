"""Remote text is never read as markup: labels, boxes and tips show it as the characters it is.

Qt's labels, message boxes, tool tips and text edits guess HTML in any string and load local files for it.
So labels are `PlainLabel`, a box says its text format, markup has no door, and a tip is a literal or escaped.
"""

import ast
import functools
from collections.abc import Callable

import pytest

from tests.house.sources import PACKAGE, dotted, modules

PLAIN = "explorer/ui/kit/plain.py"
# Shows the guides of the program itself (resources/guides), a literal file each, and nothing that came from anywhere.
OWN_TEXT = "explorer/ui/help.py"
MARKUP_WIDGETS = {"QLabel", "QTextEdit", "QTextBrowser", "QErrorMessage"}
MARKUP_CALLS = {"setHtml", "insertHtml", "appendHtml", "setMarkdown", "toHtml"}
BOX_SHORTCUTS = {"information", "warning", "critical", "question", "about"}
TIPS = {"setToolTip", "setWhatsThis"}
WORDS = {*MARKUP_WIDGETS, *MARKUP_CALLS, *TIPS, "QMessageBox", "QToolTip", "ToolTipRole"}
"""A file in which none of them stands shows nothing in these ways."""
# Functions whose result holds no markup: html.escape and the one of explorer.ui.kit.plain.
ESCAPING = {"escape", "html.escape", "tooltip", "plain.tooltip"}


def _safe_tip(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return "<" not in str(node.value)
    if isinstance(node, ast.Call):
        return dotted(node.func) in ESCAPING
    if isinstance(node, ast.IfExp):
        return _safe_tip(node.body) and _safe_tip(node.orelse)
    if isinstance(node, ast.JoinedStr):
        return all(
            _safe_tip(part.value if isinstance(part, ast.FormattedValue) else part) for part in node.values
        )
    return False


def _faults(path: str, node: ast.Call, source: Callable[[], str]) -> str:
    name = dotted(node.func)
    last = name.rpartition(".")[2]
    if path == OWN_TEXT and last in {"QTextBrowser", "setMarkdown"}:
        return ""
    if last in MARKUP_WIDGETS and path != PLAIN:
        return f"{last} guesses markup: use PlainLabel or QPlainTextEdit"
    if last in MARKUP_CALLS:
        return f"{last} reads markup"
    if "QMessageBox" in name and last in BOX_SHORTCUTS:
        return "this box guesses markup: build it and set its text format"
    if last == "QMessageBox" and "setTextFormat(Qt.TextFormat.PlainText)" not in source():
        return "this box does not set its text format"
    if last in TIPS and path != PLAIN and not (node.args and _safe_tip(node.args[-1])):
        return f"{last} takes a literal or an escaped text"
    if last == "showText" and "QToolTip" in name and not (len(node.args) > 1 and _safe_tip(node.args[1])):
        return "QToolTip.showText takes a literal or an escaped text"
    return ""


def _model_tips(node: ast.If) -> list[ast.Return]:
    """What a model answers for its tool tips without escaping it."""
    if not any(
        isinstance(each, ast.Attribute) and "ToolTipRole" in each.attr for each in ast.walk(node.test)
    ):
        return []
    return [
        each
        for each in node.body
        if isinstance(each, ast.Return) and each.value is not None and not _safe_tip(each.value)
    ]


def _pictures(tree: ast.Module, source: Callable[[], str]) -> set[ast.expr]:
    """The labels made empty that are never given a text: they hold a picture."""
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and dotted(node.value.func) == "QLabel"
        and all(isinstance(each, ast.Name) and each.id == "self" for each in node.value.args)
        and f"{ast.unparse(node.targets[0])}.setText(" not in source()
    }


def breaches(path: str, tree: ast.Module) -> list[str]:
    """Each call of a module that could show remote text as markup, as "path:line: what is wrong"."""
    source = functools.cache(lambda: ast.unparse(tree))
    pictures = _pictures(tree, source)
    return [
        f"{path}:{node.lineno}: {fault}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and node not in pictures and (fault := _faults(path, node, source))
    ] + [
        f"{path}:{each.lineno}: a model's tool tip is a literal or an escaped text"
        for node in ast.walk(tree)
        if isinstance(node, ast.If)
        for each in _model_tips(node)
    ]


def test_nothing_remote_is_read_as_markup() -> None:
    found = [each for path, tree in modules(PACKAGE / "ui", WORDS) for each in breaches(path, tree)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "line",
    [
        "QLabel(name)",
        "self._name = QLabel(self)\nself._name.setText(name)",
        "QtWidgets.QTextBrowser()",
        "QMessageBox.warning(self, title, text)",
        "QMessageBox(self).open()",
        "edit.setHtml(body)",
        "button.setToolTip(name)",
        "button.setToolTip(f'{name} is here')",
        "button.setToolTip('<b>bold</b>')",
        "QToolTip.showText(where, text)",
        "def data():\n if role == Qt.ItemDataRole.ToolTipRole:\n  return text",
    ],
)
def test_the_rule_sees(line: str) -> None:
    assert breaches("explorer/ui/pages/any.py", ast.parse(line))


@pytest.mark.parametrize(
    "line",
    [
        "PlainLabel(name)",
        "self._sign = QLabel(self)\nself._sign.setPixmap(picture)",
        "button.setToolTip('Copy')",
        "button.setToolTip(escape(name))",
        "button.setToolTip(tooltip(name) if cut else '')",
        "def data():\n if role == Qt.ItemDataRole.ToolTipRole:\n  return tooltip(text)",
        "button.setToolTip(f'Copy {escape(name)}')",
        "box = QMessageBox(self)\nbox.setTextFormat(Qt.TextFormat.PlainText)",
    ],
)
def test_the_rule_lets_pass(line: str) -> None:
    assert not breaches("explorer/ui/pages/any.py", ast.parse(line))
