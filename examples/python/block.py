# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""A block of hexahedra that fill the unit cube, straight or curved, as numpy arrays."""

import numpy


def gauss_lobatto(n):
    """The n Gauss-Lobatto-Legendre points on [-1, 1] and their weights."""
    top = numpy.polynomial.legendre.Legendre.basis(n - 1)
    points = numpy.concatenate(([-1.0], numpy.sort(top.deriv().roots().real), [1.0]))
    return points, 2 / (n * (n - 1) * top(points) ** 2)


class Block:
    """cells^3 elements of a degree.

    nodes (E, n, n, n, 3): coordinates, n = degree + 1, element; z, y, x; coordinate. `bend` moves what lies inside.
    numbers (E, n, n, n): of each element's nodes among all.
    boundary (N,): whether a node lies on the boundary.
    places (N, 3): the coordinates of all nodes.
    """

    def __init__(self, cells, degree, bend=0.0):
        n = degree + 1
        points = cells * degree + 1
        at = numpy.arange(cells)[:, None] * degree + numpy.arange(n)  # (cells, n)
        along = (numpy.arange(cells)[:, None] + (gauss_lobatto(n)[0] + 1) / 2) / cells

        def of_elements(x, y, z):
            z = z[:, None, None, :, None, None]
            y = y[None, :, None, None, :, None]
            x = x[None, None, :, None, None, :]
            return [part.reshape(-1, n, n, n) for part in numpy.broadcast_arrays(x, y, z)]

        nodes = numpy.stack(of_elements(along, along, along), axis=-1)
        self.nodes = nodes + bend * numpy.sin(numpy.pi * nodes).prod(axis=-1, keepdims=True)
        i, j, k = of_elements(at, at, at)
        self.numbers = (k * points + j) * points + i
        self.count = points**3
        self.boundary = numpy.zeros(self.count, dtype=bool)
        edges = [(part == 0) | (part == points - 1) for part in (i, j, k)]
        self.boundary[self.numbers] = edges[0] | edges[1] | edges[2]
        self.places = numpy.empty((self.count, 3))
        self.places[self.numbers] = self.nodes
