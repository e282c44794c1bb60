# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""What is refused, by which exception and in which words: both numbers are among them."""

import re

import numpy
import pytest
import sumfac
from block import Block
from conftest import TOP

DEGREES = sumfac.degrees()
N = TOP
BLOCK = Block(1, N)
R = sumfac.restriction(BLOCK.numbers, BLOCK.count)


def bp1(nodes, **more):
    return sumfac.bp1(nodes, node_set="gauss_lobatto", **more)


A = bp1(BLOCK.nodes, degree=N)
L = bp1(BLOCK.nodes, degree=N, restriction=R)
SHAPE = f"(1, {N + 1}, {N + 1}, {N + 1})"
U, X = numpy.ones(A.vector_shape), numpy.ones(BLOCK.count)
LIST = ", ".join(map(str, DEGREES))


def with_entry(value):
    nodes = BLOCK.nodes.copy()
    nodes[0, 0, 0, 0, 0] = value
    return nodes


def frozen():
    out = numpy.empty_like(U)
    out.flags.writeable = False
    return out


def shifted():
    """U's entries four bytes beside where doubles lie."""
    out = numpy.zeros(U.nbytes + 16, dtype="u1")
    begin = (4 - out.ctypes.data) % 8
    return out[begin:begin + U.nbytes].view("f8").reshape(U.shape)


def numbers_with(value):
    numbers = BLOCK.numbers.copy()
    numbers[0, 0, 0, 0] = value
    return numbers


REFUSED = {
    "degree": (lambda: bp1(BLOCK.nodes, degree=17), ValueError,
               f"degree 17 of bp1 is not built (built: {LIST})"),
    "problem": (lambda: sumfac.operator("bp7", BLOCK.nodes, degree=N), ValueError,
                "no problem bp7 (there are bp1, bp2, bp3, bp4, bp5, bp6)"),
    "backend": (lambda: bp1(BLOCK.nodes, degree=N, backend="abacus"), ValueError,
                "backend abacus with dtype float64 is not built (built: "),
    "dtype": (lambda: bp1(BLOCK.nodes, degree=N, dtype="int8"), ValueError, "dtype int8 is not built"),
    "no node set": (lambda: sumfac.bp1(numpy.zeros((1, 4, 4, 4, 3)), degree=N), ValueError,
                    "it is not said where the 4 mesh nodes of an edge lie (up to 3 lie alike in every set)"),
    "node set": (lambda: sumfac.bp1(BLOCK.nodes, degree=N, node_set="random"), ValueError,
                 "no node_set random (there are gauss_lobatto, equispaced)"),
    "lambda": (lambda: bp1(BLOCK.nodes, degree=N, lambda_=0.5), ValueError, "bp1 has no lambda (got 0.5"),
    "list of nodes": (lambda: bp1([0.0], degree=N), TypeError, "nodes is a list, a numpy array of float64"),
    "nodes in float": (lambda: bp1(BLOCK.nodes.astype("f4"), degree=N), TypeError,
                       "nodes has another dtype (expected float64, got float32)"),
    "nodes' bytes swapped": (lambda: bp1(BLOCK.nodes.astype(">f8"), degree=N), TypeError,
                             "nodes has another dtype (expected float64, got >f8)"),
    "rank of nodes": (lambda: bp1(BLOCK.nodes[0], degree=N), ValueError,
                      "nodes has another rank (expected 5, as (E, m, m, m, 3), got 4)"),
    "shape of nodes": (lambda: bp1(numpy.ones((1, 2, 2, 3, 3)), degree=N), ValueError,
                       "nodes has another shape (expected (1, 2, 2, 2, 3), got (1, 2, 2, 3, 3))"),
    "one node": (lambda: bp1(numpy.ones((1, 1, 1, 1, 3)), degree=N), ValueError, "got 1, 2 to 16 expected"),
    "nodes of every other": (lambda: bp1(numpy.ones((2, 2, 2, 2, 3))[::-1], degree=N), ValueError,
                             "nodes is not contiguous (strides of (192, 96, 48, 24, 8) bytes expected, "
                             "got (-192, 96, 48, 24, 8))"),
    "NaN": (lambda: bp1(with_entry(numpy.nan), degree=N), ValueError,
            "determinant of the Jacobian nan at point"),
    "infinity": (lambda: bp1(with_entry(numpy.inf), degree=N), ValueError, "greater than 0 and finite expected"),
    "inverted element": (lambda: bp1(numpy.ascontiguousarray(BLOCK.nodes[:, ::-1]), degree=N), ValueError,
                         "element 0 cannot be integrated on (determinant of the Jacobian -0.125 at point"),
    "restriction's degree": (lambda: bp1(BLOCK.nodes, degree=N, restriction=sumfac.restriction(
        numpy.arange(8).reshape(1, 2, 2, 2), 8)), ValueError, f"expected {N + 1}, got 2"),
    "restriction's components": (lambda: sumfac.bp2(BLOCK.nodes, node_set="gauss_lobatto", degree=N, restriction=R),
                                 ValueError,
                                 "expected 3, got 1"),
    "restriction's elements": (lambda: bp1(numpy.concatenate([BLOCK.nodes] * 2), degree=N, restriction=R),
                               ValueError, "expected 2, got 1"),
    "node number": (lambda: sumfac.restriction(numbers_with(BLOCK.count), BLOCK.count), ValueError,
                    f"{BLOCK.count}"),
    "negative number": (lambda: sumfac.restriction(numbers_with(-1), BLOCK.count), ValueError, "-1"),
    "table's dtype": (lambda: sumfac.restriction(BLOCK.numbers.astype("u4"), BLOCK.count), TypeError,
                      "element_nodes has another dtype (expected int32 or int64, got uint32)"),
    "table's rank": (lambda: sumfac.restriction(BLOCK.numbers[0], BLOCK.count), ValueError,
                     "another rank (expected 4, as (E, n, n, n), got 3)"),
    "marks' dtype": (lambda: sumfac.restriction(BLOCK.numbers, BLOCK.count, constrained=numpy.zeros(BLOCK.count)),
                     TypeError, "constrained has another dtype (expected bool, got float64)"),
    "marks' shape": (lambda: sumfac.restriction(BLOCK.numbers, BLOCK.count, constrained=numpy.zeros(2, dtype=bool)),
                     ValueError, f"(expected ({BLOCK.count},) or ({BLOCK.count}, 1), got (2,))"),
    "u": (lambda: A @ [1.0], TypeError, "u is a list, a numpy array of float64 is expected"),
    "u's dtype": (lambda: A @ U.astype("f4"), TypeError, "u has another dtype (expected float64, got float32)"),
    "u's shape": (lambda: A @ U[:, 1:], ValueError,
                  f"u has another shape (expected {SHAPE} or ({U.size},), got (1, {N}, {N + 1}, {N + 1}))"),
    "u's strides": (lambda: A @ U.swapaxes(1, 3), ValueError, "u is not contiguous (strides of "),
    "u's address": (lambda: A @ shifted(), ValueError, "u is not aligned (a multiple of 8 bytes expected"),
    "x": (lambda: L @ X[1:], ValueError, f"(expected ({X.size},), got ({X.size - 1},))"),
    "out's shape": (lambda: A.apply(U, out=X[1:]), ValueError, "out has another shape"),
    "out read-only": (lambda: A.apply(U, out=frozen()), ValueError, "out is read-only"),
    "out is u": (lambda: A.apply(U, out=U), ValueError, "sumfac::element_operator::apply: "),
    "out is x": (lambda: L.apply(X, out=X), ValueError, "sumfac::element_operator::apply: "),
    "cg without restriction": (lambda: sumfac.cg(A, X), ValueError, "sumfac.cg: A has no restriction"),
    "b": (lambda: sumfac.cg(L, X[1:]), ValueError, f"b has another shape (expected ({X.size},), got ({X.size - 1},))"),
    "x0": (lambda: sumfac.cg(L, X, X.astype("f4")), TypeError, "x0 has another dtype"),
    "tolerance": (lambda: sumfac.cg(L, X, tolerance=-1), ValueError, "the tolerance is not positive or 0 (got -1)"),
    "preconditioner": (lambda: sumfac.cg(L, X, preconditioner="magic"), ValueError, "no preconditioner magic"),
    "preconditioner 3": (lambda: sumfac.cg(L, X, preconditioner=3), TypeError, "neither None, jacobi"),
    "multigrid without restriction": (lambda: sumfac.multigrid(A), ValueError,
                                      "sumfac.multigrid: A has no restriction"),
    "no lower degree": (lambda: sumfac.multigrid(lowest()), ValueError,
                        f"there is no degree below {min(DEGREES)} to go down to (built: {LIST})"),
}


def lowest():
    block = Block(1, min(DEGREES))
    restriction = sumfac.restriction(block.numbers, block.count)
    return bp1(block.nodes, degree=min(DEGREES), restriction=restriction)


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    call, exception, words = REFUSED[name]
    with pytest.raises(exception, match=re.escape(words)):
        call()


@pytest.mark.skipif(min(DEGREES) == TOP, reason="no lower degree is built")
def test_multigrid_of_another_matrix():
    other = Block(2, N)
    matrix = bp1(other.nodes, degree=N, restriction=sumfac.restriction(other.numbers, other.count))
    with pytest.raises(ValueError, match=f"it has {other.count} entries, A has {BLOCK.count}"):
        sumfac.cg(L, X, preconditioner=sumfac.multigrid(matrix))
    with pytest.raises(ValueError, match="sumfac::chebyshev_smoother: the degree is less than 1 .got 0"):
        sumfac.multigrid(matrix, chebyshev=0)
