# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Forms as text, compiled while the test runs, against the bake-off's problems."""

import numpy
import pytest
import sumfac
from block import Block
from conftest import TOP

FLAGS = ["-O0", "-fopenmp"]  # which compile sooner


def test_a_form_has_what_the_problem_has(random):
    N = TOP
    block = Block(2, N, bend=0.06)
    k = numpy.full((8, N + 2, N + 2, N + 2), 2.0)  # at the points, which multigrid keeps
    form = sumfac.form("(k*grad(u), grad(v)) + c*u*v", k=k, c=0.5, flags=FLAGS)
    del k  # which the form keeps
    R = sumfac.restriction(block.numbers, block.count, constrained=block.boundary)
    A = sumfac.operator(form, block.nodes, node_set="gauss_lobatto", degree=N, restriction=R)
    B = sumfac.bp3(block.nodes, node_set="gauss_lobatto", degree=N, restriction=R, lambda_=0.25)  # half of A
    inside = ~block.boundary
    x = random.standard_normal(A.shape[0])
    assert numpy.allclose((A @ x)[inside], 2 * (B @ x)[inside], rtol=1e-12, atol=1e-12)
    assert numpy.allclose(A.diagonal()[inside], 2 * B.diagonal()[inside], rtol=1e-12)
    assert (A.flops, A.bytes) != (0, 0)
    b = A @ x
    b[block.boundary] = 0
    u, report = sumfac.cg(A, b, preconditioner="jacobi", tolerance=1e-10)
    assert report and numpy.abs(u - x)[inside].max() < 1e-7
    E = sumfac.operator(form, block.nodes, node_set="gauss_lobatto", degree=N)
    F = sumfac.bp3(block.nodes, node_set="gauss_lobatto", degree=N, lambda_=0.25)
    u = random.standard_normal(E.vector_shape)
    assert numpy.allclose(E @ u, 2 * (F @ u), rtol=1e-12, atol=1e-12)
    if min(sumfac.degrees()) < N:
        P = sumfac.multigrid(A)
        assert P.degrees[0] == N and len(P.degrees) > 1
        v, cycles = sumfac.cg(A, b, preconditioner=P, tolerance=1e-10)
        assert cycles and cycles.iterations < report.iterations / 3
        assert numpy.abs(v - x)[inside].max() < 1e-7


def test_newtons_method(random):
    mesh = sumfac.box_mesh((3, 3), lambda at: (at[0] + 0.2 * at[1] ** 2, at[1]), 2)
    V = sumfac.function_space(mesh, 2, mesh.boundary())
    form = sumfac.form("(grad(u), grad(v)) + (20*pow(u, 3) - f)*v", f=5.0, flags=FLAGS)
    F, J = sumfac.operator(form, V), sumfac.operator(form.tangent(), V)
    with pytest.raises(ValueError, match="linearize"):
        J @ numpy.zeros(V.size)
    with pytest.raises(ValueError, match="has not been taken anywhere"):
        sumfac.multigrid(J)
    block = Block(1, TOP)
    R = sumfac.restriction(block.numbers, block.count)
    with pytest.raises(ValueError, match="A is no tangent"):
        A = sumfac.bp5(block.nodes, node_set="gauss_lobatto", degree=TOP, restriction=R)
        A.linearize(numpy.zeros(block.count))

    u, w = random.standard_normal((2, V.size)) * ~V.fixed
    J.linearize(u)
    slopes = (F @ (u + 1e-4 * w) - F @ (u - 1e-4 * w)) / 2e-4
    assert numpy.allclose((J @ w), slopes, rtol=1e-6, atol=1e-6 * numpy.abs(slopes).max())

    u = numpy.zeros(V.size)
    norms = []
    for _ in range(6):
        r = F @ u
        norms.append(numpy.linalg.norm(r))
        J.linearize(u)
        step, report = sumfac.cg(J, r, preconditioner=sumfac.multigrid(J), tolerance=1e-10)
        assert report and report.iterations <= 14
        u -= step
    assert norms[-1] < 1e-10 * norms[0]


def test_what_is_refused():
    with pytest.raises(ValueError, match=r"the name w is not known .* \(at character 3\)"):
        sumfac.form("u*w")
    with pytest.raises(ValueError, match=r"sumfac.form: k has another rank \(expected 1.* got 5\)"):
        sumfac.form("k*u*v", k=numpy.ones((2,) * 5))
    block = Block(1, 1)
    with pytest.raises(ValueError, match=r"k has another shape \(expected \(1,\) or \(1, 3, 3, 3\), got \(2, 2\)\)"):
        sumfac.operator(sumfac.form("k*u*v", k=numpy.ones((2, 2))), block.nodes, degree=1)
    with pytest.raises(ValueError, match="is a function, whose points a function space knows"):
        sumfac.operator(sumfac.form("k*u*v", k=lambda at: 1.0), block.nodes, degree=1)
    with pytest.raises(TypeError, match="sumfac.form: k is neither a number, a numpy array"):
        sumfac.form("k*u*v", k="x")
    assert repr(sumfac.form("u*v")) == "<sumfac.Form u*v>"
