# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""How pages and the sources of examples are called on the site."""


# Lists that Doxygen writes.
DOXYGENS = {"annotated", "classes", "examples", "files", "functions", "globals", "hierarchy", "modules", "namespaces",
            "pages", "topics"}


def page_name(path):
    """Of a page's path in the repository; the main page is `index`."""
    if path.as_posix() == "README.md":
        return "index"
    parts = [*path.parts[1 if path.parts[0] == "docs" else 0:-1], path.stem]
    name = "-".join(parts[:-1] if parts[-1] == "README" else parts).lower() or "contents"
    return "page-" + name if name in DOXYGENS else name


def is_page(path):
    return path.suffix == ".md" and (path.parts[0] == "docs" or path.as_posix() in ("README.md", "CHANGELOG.md"))


def example_page(path):
    """The file that Doxygen writes for an example, a path below examples/."""
    name = path.relative_to("examples").as_posix()
    return name.replace("/", "_2").replace(".", "_8") + "-example.html"
