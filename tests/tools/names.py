#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/names.md: every public name, by the header that a user opens for it, with the first sentence above it.

usage: names.py REPOSITORY

Names of a folder below a floor stand under the open header that includes them. A name without a sentence of its own
shares that of the name before it. check_house says when the page is not what this would write.
"""
import pathlib
import re
import sys

# Declarations of namespace scope, which stand at the beginning of a line.
ATTRIBUTES = re.compile(r"^(?:\[\[.*?\]\] )?")
DECLARATION = re.compile(
    r"(?!template|namespace|inline namespace|static_assert|struct alignas|#|//|[{} ])"
    r"(?:(?:class|struct|enum class|concept|using) (\w+)(?![\w:<])|"
    r"inline constexpr [^=({]*?\b(\w+)(?: =|\{)|"
    r"[^=(]*?[ &*>]\(?(\w+)\)?\()")
NAMESPACE = re.compile(r"^namespace sumfac((?:::\w+)*)(?: \{)?$.*?^\}  // namespace sumfac", re.M | re.S)
DETAIL = re.compile(r"^namespace detail \{$.*?^\}  // namespace detail$", re.M | re.S)
SENTENCE = re.compile(r"(.*?)(?<![ .])(?<!e\.g)\.(?=$| )")
ONLY_DECLARED = re.compile(r"(?!using|inline constexpr)[^{]*;")
# Where more is said of a header's names, or of a floor's.
PAGES = {
    "error": "getting_started", "view": "getting_started", "view/vector_argument": "global_vectors", "math": "forms",
    "math/dual": "nonlinear", "math/precision": "geometry_policies", "backend": "kernels",
    "backend/architecture": "tuning", "basis": "spaces", "tensor": "kernels", "mesh": "meshes",
    "mesh/policy": "geometry_policies", "mesh/classify": "geometry_policies", "mesh/element_order": "geometry_policies",
    "mesh/locator": "points", "mesh/mapping": "forms", "mesh/boundary_faces": "spaces", "mesh/face_mapping": "spaces",
    "dofs": "global_vectors", "dofs/function_space": "meshes", "dofs/joined_spaces": "cells",
    "dofs/field_point": "meshes", "dofs/halo": "parallel",
    "form": "forms", "form/tangent": "nonlinear", "form/weak": "weak_forms", "element": "tuning",
    "element/work": "geometry_policies", "operator": "getting_started", "operator/apply_element": "kernels",
    "operator/face_operator": "spaces", "operator/field": "forms", "operator/global_operator": "solvers",
    "operator/transposed_operator": "global_vectors", "points": "points", "solver": "solvers", "tools": "tuning",
    "tools/explain": "explain", "tools/roofs": "explain", "tools/write_vtu": "meshes", "tools/describe": "weak_forms",
    "intrepid": "contractions", "interop": "parallel", "interop/eigen": "solvers", "interop/hypre": "solvers",
    "interop/petsc_gamg": "solvers", "interop/kokkos": "contractions", "interop/mdspan": "getting_started",
    "interop/gmsh": "meshes", "interop/sundials": "cookbook", "jit": "jit",
}
HEAD = """# Names

The public names of namespace `sumfac`, by the header that has them, with the first sentence that the header says of
each. Names in `sumfac::detail` are the library's own and may change with any version. Macros are described in
`config.hpp`. `tests/tools/names.py` writes this page.
"""


def declarations(text):
    """(inner namespace, name, comment, whether it is only declared) of what a header has outside of detail."""
    text = DETAIL.sub("", text)
    for part in NAMESPACE.finditer(text):
        inner = "::".join(word for word in part[1].split("::") if word and not word.startswith("SUMFAC"))
        if "detail" in inner:
            continue
        comment = []
        for line in part[0].split("\n"):
            if line.startswith("//"):
                if not line.startswith("// clang-format"):
                    comment.append(line.removeprefix("//").removeprefix(" "))
                continue
            if match := DECLARATION.match(ATTRIBUTES.sub("", line)):
                yield inner, match[match.lastindex], comment, bool(ONLY_DECLARED.fullmatch(line))
                comment = []
            elif line == "" or line.startswith("}"):
                comment = []


def first_sentence(comment):
    """The first sentence of a comment, as a cell of a table: code that follows, set in or not, is no part of it."""
    ends = [number for number, line in enumerate(comment) if line == "" or line.startswith("  ")]
    paragraph = " ".join(comment[:ends[0]] if ends else comment)
    match = SENTENCE.match(paragraph)
    sentence = (match[1] if match else paragraph.rstrip(" .:,")).replace("|", r"\|")
    return re.sub(r"`[^`]*`|[<*]", lambda found: {"<": "&lt;", "*": r"\*"}.get(found[0], found[0]), sentence)


def headers(root):
    """Each header below include/sumfac with the one that a user opens for it: (path, name of that)."""
    include = root / "include" / "sumfac"
    texts = {path.relative_to(include).as_posix(): path.read_text(encoding="utf-8") for path in include.rglob("*.hpp")}
    includers = {}
    for path, text in texts.items():
        for other in re.findall(r"#\s*include <sumfac/([\w/]+\.hpp)>", text):
            includers.setdefault(other, []).append(path)

    def opened(path, seen=()):
        if path.count("/") < 2:
            return path
        folder = "/".join(path.split("/")[:2])
        candidates = sorted((other for other in includers.get(path, ()) if other not in seen and other != "sumfac.hpp"),
                            key=lambda other: (other != folder + ".hpp", other.split("/")[0] != path.split("/")[0],
                                               other.count("/"), other))
        for other in candidates:
            if found := opened(other, (*seen, path)):
                return found
        return None

    for path in sorted(texts, key=lambda path: (path.count("/"), path)):
        yield texts[path], opened(path) or path


def rows_of(root):
    """Of each header that users open its rows: names, and the sentence that describes them."""
    rows, described = {}, set()
    for text, header in headers(root):
        own, was_declared = rows.setdefault(header, []), False
        for inner, name, comment, only_declared in declarations(text):
            full = f"{inner}::{name}" if inner else name
            if (header, full) in described:
                continue
            sentence = first_sentence(comment)
            follows_declared, was_declared = was_declared, only_declared
            if not sentence and only_declared and not follows_declared:
                was_declared = False
                continue
            described.add((header, full))
            if not sentence and name.endswith("_options"):
                sentence = f"The options of `{full.removesuffix('_options')}`"
            if sentence or not own:
                own.append(([full], sentence))
            else:
                own[-1][0].append(full)
    return {header: own for header, own in rows.items() if own}


def undescribed(root):
    """(header, names) of rows without a sentence."""
    for header, own in rows_of(root).items():
        yield from ((root / "include/sumfac" / header, ", ".join(names)) for names, sentence in own if not sentence)


def page(root):
    rows, lines, floor = rows_of(root), [HEAD], None
    order = re.findall(r"^\| .*?`(\w+)/`", (root / "docs/architecture.md").read_text(encoding="utf-8"), re.M)
    for header in sorted(rows, key=lambda name: (order.index(name.split("/")[0]) + 1 if "/" in name else 0, name)):
        stem = header.removesuffix(".hpp")
        here = f"`{stem.split('/')[0]}/`" if "/" in stem else "Root"
        if here != floor:
            floor = here
            lines.append(f"## {here}\n")
        more = PAGES.get(stem, PAGES.get(stem.split("/")[0]))
        link = f"; more in [{more.replace('_', ' ')}]({more}.md)" if more else ""
        lines.append(f"`{header}`{link}\n\n| name | what it is |\n|---|---|")
        lines += [f"| {', '.join(f'`{name}`' for name in names)} | {sentence} |" for names, sentence in rows[header]]
        lines.append("")
    return "\n".join(lines)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    (root / "docs" / "names.md").write_text(page(root), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
