"""Errors in overrides of Qt's functions: on Python 3.11 they end the process unless an instance is made of them first.

PySide puts the name of the override before the words of an error that leaves it, and reads them from the exception.
Python 3.11 carries an error that was raised in C (``int("x")``) as class and text, and makes an instance of it only
where it is caught; PySide 6.8 to 6.11 takes the text for the instance then, and the process ends with a segmentation
fault instead of a notice. From 3.12 on Python always carries an instance.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import FunctionType, MethodDescriptorType
from typing import Any

from PySide6.QtCore import QObject


def catch_errors() -> None:
    """Let each class made from now on under `QObject` catch and raise again what its overrides raise."""
    QObject.__init_subclass__ = classmethod(_made)  # type: ignore[assignment, method-assign]


def _made(cls: type[QObject], /, **given: Any) -> None:
    super(QObject, cls).__init_subclass__(**given)
    for name, function in tuple(vars(cls).items()):
        if isinstance(function, FunctionType) and _is_of_qt(cls, name):
            setattr(cls, name, _caught(function))


def _is_of_qt(cls: type[QObject], name: str) -> bool:
    of_all = (vars(base).get(name) for base in cls.__mro__)
    return not name.startswith("__") and any(isinstance(one, MethodDescriptorType) for one in of_all)


def _caught(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def run(*given: Any, **named: Any) -> Any:
        try:
            return function(*given, **named)
        except BaseException:  # being caught is what makes an instance of it
            raise

    return run
