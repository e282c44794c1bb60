# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Conjugate gradients and multigrid against numpy's dense solver, and their reports."""

import numpy
import pytest
import sumfac
from block import Block
from conftest import LAMBDA, TOP, assembled


def poisson(cells, degree, bend=0.05, **more):
    block = Block(cells, degree, bend)
    R = sumfac.restriction(block.numbers, block.count, constrained=block.boundary, **more)
    return block, sumfac.bp5(block.nodes, node_set="gauss_lobatto", degree=degree, restriction=R, **more)


def test_cg_solves(bent, random):
    R = sumfac.restriction(bent.numbers, bent.count, constrained=bent.boundary)
    A = sumfac.bp3(bent.nodes, degree=2, restriction=R, lambda_=LAMBDA)
    b = random.standard_normal(bent.count)
    expected = numpy.linalg.solve(assembled("bp3", bent, bent.boundary), b)
    for preconditioner in (None, "jacobi", lambda r: r / A.diagonal()):
        x, report = sumfac.cg(A, b, preconditioner=preconditioner, tolerance=1e-12)
        assert report and report.status == "converged"
        assert numpy.abs(x - expected).max() < 1e-9 * numpy.abs(expected).max()
    assert numpy.isclose(report.initial_residual, numpy.linalg.norm(b))
    assert report.residual <= 1e-12 * report.initial_residual
    assert f"converged in {report.iterations} iterations" in str(report)
    again, report = sumfac.cg(A, b, x, absolute=1e-6, tolerance=0)
    assert report.iterations == 0 and numpy.array_equal(again, x) and again is not x


def test_cg_reports_what_it_did_not_reach(random):
    block, A = poisson(2, TOP)
    b = random.standard_normal(block.count)
    _, report = sumfac.cg(A, b, iterations=3)
    assert not report and report.status == "iterations_done" and report.iterations == 3
    b[5] = numpy.nan
    _, report = sumfac.cg(A, b)
    assert not report and report.status == "not_finite"


def test_own_preconditioners_are_looked_at(random):
    block, A = poisson(2, TOP)
    b = random.standard_normal(block.count)
    with pytest.raises(ZeroDivisionError):
        sumfac.cg(A, b, preconditioner=lambda r: 1 / 0)
    with pytest.raises(ValueError, match=rf"expected \({block.count},\), got \({block.count - 1},\)"):
        sumfac.cg(A, b, preconditioner=lambda r: r[1:])
    _, report = sumfac.cg(A, b, preconditioner=lambda r: -r)
    assert report.status == "indefinite"


@pytest.mark.skipif(min(sumfac.degrees()) == TOP, reason="no lower degree is built")
def test_multigrid_is_symmetric(random):
    block, A = poisson(2, TOP)
    P = sumfac.multigrid(A, coarse_tolerance=1e-13)
    assert P.degrees[0] == TOP and list(P.degrees) == sorted(P.degrees, reverse=True) and len(P.degrees) > 1
    inside = numpy.flatnonzero(~block.boundary)
    columns = []
    for i in inside:
        unit = numpy.zeros(block.count)
        unit[i] = 1
        columns.append((P @ unit)[inside])
    dense = numpy.stack(columns)
    assert numpy.abs(dense - dense.T).max() < 1e-10 * numpy.abs(dense).max()
    assert numpy.linalg.eigvalsh((dense + dense.T) / 2).min() > 0


@pytest.mark.skipif(min(sumfac.degrees()) == TOP, reason="no lower degree is built")
@pytest.mark.parametrize("dtype", [dtype for backend, dtype in sumfac.kinds() if backend == "host"])
def test_multigrid_takes_few_iterations(dtype, random):
    counts = []
    for cells in (2, 4):
        block, A = poisson(cells, TOP, dtype=dtype)
        b = random.standard_normal(block.count).astype(dtype)
        x, report = sumfac.cg(A, b, preconditioner=sumfac.multigrid(A), tolerance=1e-5)
        _, by_jacobi = sumfac.cg(A, b, preconditioner="jacobi", tolerance=1e-5)
        assert report and by_jacobi and x.dtype == dtype
        assert numpy.linalg.norm(A @ x - b) < 3e-5 * numpy.linalg.norm(b)
        counts.append((report.iterations, by_jacobi.iterations))
    assert max(few for few, _ in counts) <= 12 and counts[1][0] <= counts[0][0] + 3
    assert counts[1][0] < counts[1][1] / 2


@pytest.mark.parametrize("degree", [degree for degree in sumfac.degrees() if degree != min(sumfac.degrees())])
def test_multigrid_of_all_degrees(degree, random):
    block, A = poisson(2, degree)
    P = sumfac.multigrid(A)
    assert all(fine > coarse for fine, coarse in zip(P.degrees, P.degrees[1:]))
    _, report = sumfac.cg(A, random.standard_normal(block.count), preconditioner=P)
    assert report and report.iterations <= 16


@pytest.mark.skipif(TOP == 1, reason="degree 1 shows its order on finer blocks alone")
def test_orders():
    """The error falls by degree + 1 from a block to one of half the size of elements."""
    errors = []
    for cells in (3, 6):
        block, A = poisson(cells, TOP, bend=0.02)
        M = sumfac.bp1(block.nodes, node_set="gauss_lobatto", degree=TOP,
                       restriction=sumfac.restriction(block.numbers, block.count))
        exact = numpy.sin(numpy.pi * block.places).prod(axis=1)
        b = M @ (3 * numpy.pi**2 * exact)
        b[block.boundary] = 0
        u, report = sumfac.cg(A, b, preconditioner="jacobi", tolerance=1e-12)
        assert report
        errors.append(numpy.sqrt((u - exact) @ (M @ (u - exact))))
    assert numpy.log2(errors[0] / errors[1]) > TOP + 0.7


def test_scipy_takes_operators(random):
    linalg = pytest.importorskip("scipy.sparse.linalg")
    block, A = poisson(2, TOP)
    b = random.standard_normal(block.count)
    x, info = linalg.cg(linalg.aslinearoperator(A), b, atol=0)
    assert info == 0 and numpy.linalg.norm(A @ x - b) < 1e-4 * numpy.linalg.norm(b)
