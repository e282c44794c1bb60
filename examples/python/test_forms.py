# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Forms as text, compiled while the test runs, against the bake-off's problems."""

import numpy
import pytest
import sumfac
from block import Block

FLAGS = ["-O0", "-fopenmp"]  # which compile sooner


def test_a_form_has_what_the_problem_has(random):
    block = Block(2, 2, bend=0.06)
    k = numpy.full(8, 2.0)
    form = sumfac.form("(k*grad(u), grad(v)) + c*u*v", k=k, c=0.5, flags=FLAGS)
    del k  # which the form keeps
    R = sumfac.restriction(block.numbers, block.count, constrained=block.boundary)
    A = sumfac.operator(form, block.nodes, node_set="gauss_lobatto", degree=2, restriction=R)
    B = sumfac.bp3(block.nodes, node_set="gauss_lobatto", degree=2, restriction=R, lambda_=0.25)  # half of A
    inside = ~block.boundary
    x = random.standard_normal(A.shape[0])
    assert numpy.allclose((A @ x)[inside], 2 * (B @ x)[inside], rtol=1e-12, atol=1e-12)
    assert numpy.allclose(A.diagonal()[inside], 2 * B.diagonal()[inside], rtol=1e-12)
    assert (A.flops, A.bytes) != (0, 0)
    b = A @ x
    b[block.boundary] = 0
    u, report = sumfac.cg(A, b, preconditioner="jacobi", tolerance=1e-10)
    assert report and numpy.abs(u - x)[inside].max() < 1e-7
    E = sumfac.operator(form, block.nodes, node_set="gauss_lobatto", degree=2)
    F = sumfac.bp3(block.nodes, node_set="gauss_lobatto", degree=2, lambda_=0.25)
    u = random.standard_normal(E.vector_shape)
    assert numpy.allclose(E @ u, 2 * (F @ u), rtol=1e-12, atol=1e-12)
    with pytest.raises(ValueError, match="it is for the bake-off's problems"):
        sumfac.multigrid(A)


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"the name w is not known .* \(at character 3\)"):
        sumfac.form("u*w")
    with pytest.raises(ValueError, match=r"sumfac.form: k has another rank \(expected 1.* got 2\)"):
        sumfac.form("k*u*v", k=numpy.ones((2, 2)))
    with pytest.raises(TypeError, match="sumfac.form: k is neither a number nor a numpy array"):
        sumfac.form("k*u*v", k="x")
    assert repr(sumfac.form("u*v")) == "<sumfac.Form u*v>"
