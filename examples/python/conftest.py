# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""What the tests share: a dense element matrix by numpy alone, and curved blocks."""

import numpy
import pytest
import sumfac
from block import Block, gauss_lobatto

PROBLEMS = ("bp1", "bp2", "bp3", "bp4", "bp5", "bp6")
LAMBDA = 0.7  # of bp3
COMPONENTS = {"bp2": 3, "bp4": 3, "bp6": 3}
# The degree of tests that need one: the highest that is built, but for those that would take them minutes.
TOP = max((degree for degree in sumfac.degrees() if degree <= 4), default=min(sumfac.degrees()))


def lagrange(nodes, points):
    """Values and slopes (points, nodes) of the polynomials that are 1 at one node and 0 at the others."""
    powers = numpy.vander(nodes, increasing=True)
    orders = numpy.arange(len(nodes))
    at = numpy.vander(points, len(nodes), increasing=True)
    slopes = orders * numpy.hstack([numpy.zeros((len(points), 1)), at[:, :-1]])
    inverse = numpy.linalg.inv(powers)
    return at @ inverse, slopes @ inverse


def element_matrix(problem, coordinates):
    """(C n^3, C n^3) of one element, by its definition: sums over all points of a dense table of all nodes."""
    n = coordinates.shape[0]
    nodes, weights = gauss_lobatto(n)
    points = nodes
    if problem in ("bp1", "bp2", "bp3", "bp4"):
        points, weights = numpy.polynomial.legendre.leggauss(n + 1)  # degree + 2
    value, slope = lagrange(nodes, points)

    def table(z, y, x):
        return numpy.einsum("ak,bj,ci->abckji", z, y, x).reshape(len(points) ** 3, n**3)

    values = table(value, value, value)
    slopes = [table(value, value, slope), table(value, slope, value), table(slope, value, value)]
    jacobian = numpy.einsum("dpi,ic->pcd", slopes, coordinates.reshape(n**3, 3))  # d x_c / d xi_d
    measure = numpy.einsum("a,b,c->abc", weights, weights, weights).ravel() * numpy.linalg.det(jacobian)
    gradients = numpy.einsum("dpi,pdc->cpi", slopes, numpy.linalg.inv(jacobian))
    mass = (measure[:, None] * values).T @ values
    laplace = sum((measure[:, None] * gradient).T @ gradient for gradient in gradients)
    whole = mass if problem in ("bp1", "bp2") else laplace + (LAMBDA * mass if problem == "bp3" else 0)
    return numpy.kron(numpy.eye(COMPONENTS.get(problem, 1)), whole)


def assembled(problem, block, marks=None):
    """The dense matrix on global vectors, component fastest; constrained rows are those of the identity."""
    components = COMPONENTS.get(problem, 1)
    whole = numpy.zeros((block.count * components,) * 2)
    for coordinates, numbers in zip(block.nodes, block.numbers):
        rows = (numbers.ravel() * components + numpy.arange(components)[:, None]).ravel()
        whole[numpy.ix_(rows, rows)] += element_matrix(problem, coordinates)
    if marks is not None:
        marks = numpy.broadcast_to(marks.reshape(block.count, -1), (block.count, components)).ravel()
        whole[marks], whole[:, marks] = 0, 0
        whole[marks, marks] = 1
    return whole


@pytest.fixture
def random():
    return numpy.random.default_rng(1)


@pytest.fixture(scope="session")
def bent():
    """Eight curved elements of degree 2."""
    return Block(2, 2, bend=0.06)
