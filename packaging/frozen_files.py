"""What goes into the folder that packaging/unified-explorer.spec makes, and what its programs say of themselves."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

from places import BUILD, NAME, VERSION

MODULES_LEFT_OUT = [
    # pyarrow is as large as all else together: Parquet is for who installs the wheel with its extra.
    *(
        "pyarrow",
        "numpy",
        "pandas",
        "pytest",
        "hypothesis",
        "setuptools",
        "tkinter",
        "IPython",
        "rich.jupyter",
    ),
    *(
        "zstandard.backend_cffi",
        "zstandard._cffi",
        "readline",
        "curses",
        "_curses",
        "nis",
        "_dbm",
        "_gdbm",
        "bz2",
        "_bz2",
    ),
    *(f"PySide6.Qt{each}" for each in ("Network", "Qml", "Quick", "PrintSupport", "Sql")),
]
PLUGINS = (
    "platforms/(lib)?q(xcb|wayland|offscreen|windows|cocoa)",
    "(imageformats|iconengines)/(lib)?q(svg|svgicon)",
    "platforminputcontexts/lib(compose|ibus)",
    "platformthemes/libqxdgdesktopportal",
    "xcbglintegrations/",
    "wayland-(shell-integration/libxdg-shell|decoration-client/|graphics-integration-client/libqt-plugin)",
    "styles/",
)
"""The plugins of Qt that stay: windows of X11, Wayland, Windows and macOS, pictures, input methods, system dialogs."""
LEFT_OUT = (
    r"Qt6?(Network|Pdf|Qml|Quick|EglF|VirtualKeyboard|Sql|PrintSupport|Labs|WlShell)\w*\b",
    r"(Qt|PySide6)/translations/",
    r"opengl32sw|d3dcompiler",
)
FROM_LINUX = r"lib(python3|ssl|crypto|sqlite3|ffi|lzma|mpdec|uuid|xcb-|xkbcommon|Qt6|icu|pyside6|shiboken6)"
"""The libraries that are taken from the system on which the folder is made; packaging/linux/check_libraries.py names
those that stay the user's own system's: a graphics driver needs the ones that it was built with.
"""


def stays(path: str) -> bool:
    """Whether a file of that path, in the folder, belongs to the program."""
    path = path.replace("\\", "/")
    if "/plugins/" in path:
        return re.match("|".join(PLUGINS), path.split("/plugins/")[1]) is not None
    if sys.platform == "linux" and re.match(r"lib[^/]*\.so", path) and not re.match(FROM_LINUX, path):
        return False
    return not any(re.search(each, path) for each in LEFT_OUT)


def icon() -> str | None:
    """The icon file of this system, which packaging/icons.py has drawn; None on Linux, where it is installed beside."""
    ending = {"win32": "ico", "darwin": "icns"}.get(sys.platform)
    return str(BUILD / f"{NAME}.{ending}") if ending else None


def signing_identity() -> str | None:
    """The Developer ID to sign with on macOS; None where none is named."""
    return os.environ.get("CODESIGN_IDENTITY") or None


def version_information(program: str) -> str:
    """Writes what Windows shows under Properties, Details of a program, and returns the file's path."""
    numbers = ", ".join([*re.findall(r"\d+", VERSION)[:3], "0"])
    strings = {
        "CompanyName": "Unified Explorer contributors",
        "FileDescription": "Unified Explorer"
        if program.endswith("-gui")
        else "Unified Explorer, command line",
        "FileVersion": VERSION,
        "InternalName": program,
        "LegalCopyright": "MIT licence",
        "OriginalFilename": f"{program}.exe",
        "ProductName": "Unified Explorer",
        "ProductVersion": VERSION,
    }
    table = ", ".join(f"StringStruct({name!r}, {value!r})" for name, value in strings.items())
    file = BUILD / f"{program}.version"
    # 0409 is English (United States), 04B0 (1200) is Unicode; both stand in the two places that Windows looks at.
    file.write_text(
        f"VSVersionInfo(ffi=FixedFileInfo(filevers=({numbers}), prodvers=({numbers})), kids=[\n"
        f"  StringFileInfo([StringTable('040904B0', [{table}])]),\n"
        "  VarFileInfo([VarStruct('Translation', [0x0409, 1200])]),\n])\n",
        encoding="utf-8",
    )
    return str(file)


def info_plist() -> dict[str, Any]:
    """What macOS reads of the program beside its name, icon, identifier and version."""
    return {
        "CFBundleDisplayName": "Unified Explorer",
        "CFBundleName": "Unified Explorer",
        "LSApplicationCategoryType": "public.app-category.developer-tools",
        "LSMinimumSystemVersion": "13.0",
        "NSHighResolutionCapable": True,
        "NSHumanReadableCopyright": "MIT licence",
        "NSPrincipalClass": "NSApplication",
        # The sandbox and test services answer on this machine in plain http.
        "NSAppTransportSecurity": {"NSAllowsLocalNetworking": True},
    }


def licences(site_packages: Path) -> list[tuple[Path, str]]:
    """Each licence text of an installed package, and where it goes: licences/PACKAGE/FILE."""
    return [
        (path, f"licences/{folder.name.split('-')[0]}/{path.name}")
        for folder in sorted(site_packages.glob("*.dist-info"))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and re.match(r"(?i)(licen[cs]e|copying|notice|authors)", path.name)
    ]
