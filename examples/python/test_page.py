# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""The code of docs/python.md runs as it stands there."""

import functools
import pathlib
import re

import pytest
import sumfac

PAGE = pathlib.Path(__file__).parents[2] / "docs" / "python.md"


@pytest.mark.skipif(4 not in sumfac.degrees() or len(sumfac.degrees()) < 2, reason="degree 4 alone, or none, is built")
def test_page(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where its files go
    monkeypatch.setattr(sumfac, "form", functools.partial(sumfac.form, flags=["-O0", "-fopenmp"]))
    names = {}
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert blocks
    for block in blocks:
        exec(block, names)
    printed = re.search(r"print\(report\) +# (.*)", blocks[0])[1]
    expected = ".+".join(map(re.escape, printed.split("...")))
    assert re.fullmatch(expected, capsys.readouterr().out.strip())
