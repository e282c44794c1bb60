#!/usr/bin/env python3
# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the gallery's pictures of the files that examples wrote, on nothing, so that they fit light and dark pages.

usage: draw.py FILES PICTURES [NAME...]

FILES has ball.vtu, ring.vtu, first_poisson.vtu, beam.vtu, membrane.vtu, cavity.vtu, duct.vtu, light.vtu, l_shape.vtu
and fichera.vtu; PICTURES gets a .png of each, or of those named.
"""
import pathlib
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.collections import PolyCollection  # noqa: E402
from PIL import Image  # noqa: E402

TYPES = {"Float64": np.float64, "Int64": np.int64, "UInt8": np.uint8}
FACES = np.array([[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [3, 7, 6, 2], [0, 4, 7, 3], [1, 2, 6, 5]])
EDGE = (0.08, 0.1, 0.13)


def vtk_number(order, directions, i, j, k):
    """Number of the node (i, j, k) in VTK's Lagrange cell."""
    inner = order - 1
    ends = [at in (0, order) for at in (i, j, k)[:directions]]
    around = (2 if j else 1) if i else (3 if j else 0)
    corners, ring = (8, 4 * bool(k) * inner) if directions == 3 else (4, 0)
    above = 4 * bool(k) if directions == 3 else 0
    if all(ends):
        return around + above
    if ends[1] and all(ends[2:]):
        return corners + ring + (2 * inner if j else 0) + i - 1
    if ends[0] and all(ends[2:]):
        return corners + ring + (inner if i else 3 * inner) + j - 1
    if directions == 2:
        return corners + 4 * inner + inner * (j - 1) + i - 1
    if ends[0] and ends[1]:
        return corners + 8 * inner + around * inner + k - 1
    faces = corners + 12 * inner
    if ends[0]:
        return faces + (inner**2 if i else 0) + inner * (k - 1) + j - 1
    if ends[1]:
        return faces + (3 if j else 2) * inner**2 + inner * (k - 1) + i - 1
    if ends[2]:
        return faces + (5 if k else 4) * inner**2 + inner * (j - 1) + i - 1
    return faces + 6 * inner**2 + (inner * (k - 1) + j - 1) * inner + i - 1


def linear_cells(cells, directions):
    """Of Lagrange cells (E, n^D) the linear ones between their nodes, x fastest, (E order^D, 2^D) in VTK's order."""
    order = round(cells.shape[1]**(1 / directions)) - 1
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)][:2**directions]
    layers = range(order if directions == 3 else 1)
    places = [[vtk_number(order, directions, i + a, j + b, k + c) for a, b, c in corners]
              for k in layers for j in range(order) for i in range(order)]
    return cells[:, np.array(places)].reshape(-1, 2**directions)


# What cells of degree 2 are cut into, triangles as quadrilaterals whose last corner is there twice.
SQUARES = np.array([[0, 4, 8, 7], [4, 1, 5, 8], [8, 5, 2, 6], [7, 8, 6, 3]])
TRIANGLES = np.array([[0, 3, 5, 5], [3, 1, 4, 4], [5, 4, 2, 2], [3, 4, 5, 5]])


class vtu:
    """A file of sumfac::write_vtu: points (P, 3), u (P) or (P, C); its cells as linear ones, (N, 8) or (N, 4)."""

    def __init__(self, file):
        data = file.read_bytes()
        start = data.index(b'<AppendedData encoding="raw">\n_') + len(b'<AppendedData encoding="raw">\n_')
        arrays = {}
        for text in re.findall(rb"<DataArray ([^>]*)/>", data[:start]):
            given = dict(re.findall(r'(\w+)="([^"]*)"', text.decode()))
            at = start + int(given["offset"])
            count = int(np.frombuffer(data, np.uint64, 1, at)[0])
            kind = np.dtype(TYPES[given["type"]])
            values = np.frombuffer(data, kind, count // kind.itemsize, at + 8)
            components = int(given["NumberOfComponents"])
            arrays[given["Name"]] = values.reshape(-1, components) if components > 1 else values
        self.points, self.u = arrays["points"], arrays["u"]
        if 22 in arrays["types"]:  # quadrilaterals and triangles of degree 2, on a surface
            ends = np.split(arrays["connectivity"], arrays["offsets"][:-1])
            parts = [own[SQUARES if len(own) == 9 else TRIANGLES] for own in ends]
            self.cells, self.owners = np.concatenate(parts), np.repeat(np.arange(len(parts)), 4)
            return
        lagrange = arrays["connectivity"].reshape(len(arrays["types"]), -1)
        self.cells = linear_cells(lagrange, 3 if arrays["types"][0] == 72 else 2)


def outside(cells):
    """The faces (N, 4) of hexahedra that belong to one of them, and that cell's number."""
    faces = cells[:, FACES].reshape(-1, 4)
    _, first, count = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    once = np.sort(first[count == 1])
    return faces[once], once // 6


def element_edges(faces, elements, points):
    """Edges (N, 2) between faces of several elements, and those where the surface turns; one face's number for each."""
    edges = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    owner = np.repeat(np.arange(len(faces)), 4)
    normals = normals_of(faces, points)
    _, group = np.unique(np.sort(edges, axis=1), axis=0, return_inverse=True)
    order = np.argsort(group, kind="stable")
    bounds = np.flatnonzero(np.diff(group[order], prepend=-1, append=group.max() + 1))
    chosen = []
    for begin, end in zip(bounds[:-1], bounds[1:]):
        own = owner[order[begin:end]]
        if len(own) == 1 or len(set(elements[own])) > 1 or normals[own[0]] @ normals[own[-1]] < 0.7:
            chosen += list(order[begin:end])
    return edges[chosen], owner[chosen]


def normals_of(faces, points):
    p = points[faces]
    normals = np.cross(p[:, 2] - p[:, 0], p[:, 3] - p[:, 1])
    return normals / np.maximum(np.linalg.norm(normals, axis=1), 1e-300)[:, None]


def bilinear(a, b):
    """The corners' weights at (a, b) in a face."""
    return np.array([(1 - a) * (1 - b), a * (1 - b), a * b, (1 - a) * b])


class scene:
    """Faces and lines in space, seen from far away, the nearer over the farther."""

    def __init__(self, azimuth, elevation, values):
        self.values = values
        a, e = np.radians([azimuth, elevation])
        self.to_eye = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
        right = np.array([-np.sin(a), np.cos(a), 0])
        self.axes = np.array([right, np.cross(self.to_eye, right)])
        self.light = self.to_eye + 0.6 * self.axes[1] - 0.5 * self.axes[0]
        self.light /= np.linalg.norm(self.light)
        self.parts = []  # (depth, corners, color of the face, color of the edge, width)

    def add(self, faces, points, colors, elements=None, both_sides=False, behind=False, pieces=5):
        """colors are a function of values; elements of which each face is, for their edges; behind: pale, below all."""
        flat, depths = points @ self.axes.T, points @ self.to_eye
        normals = normals_of(faces, points)
        # Of a smooth surface: the mean of the normals around a node, where they do not differ much.
        of_node = np.zeros_like(points)
        np.add.at(of_node, faces.ravel(), np.repeat(normals, 4, axis=0))
        of_node /= np.maximum(np.linalg.norm(of_node, axis=1), 1e-300)[:, None]
        at_corners = of_node[faces]
        smooth = (at_corners * normals[:, None]).sum(axis=2) > 0.9
        at_corners = np.where(smooth[:, :, None], at_corners, normals[:, None])
        towards = normals @ self.to_eye
        seen = np.flatnonzero(np.abs(towards) > 1e-6 if both_sides else towards > 0)
        if behind:
            color = (0.55, 0.58, 0.62, 0.22)
            self.parts += [(-1e9, flat[faces[at]], color, "none", 0) for at in seen]
            return
        at_corners[towards < 0] *= -1
        ends = np.linspace(0, 1, pieces + 1)
        for a0, a1 in zip(ends[:-1], ends[1:]):
            for b0, b1 in zip(ends[:-1], ends[1:]):
                corners = np.array([bilinear(a0, b0), bilinear(a1, b0), bilinear(a1, b1), bilinear(a0, b1)])
                middle = bilinear((a0 + a1) / 2, (b0 + b1) / 2)
                shade = 0.6 + 0.4 * np.clip(np.einsum("c,ncx,x->n", middle, at_corners[seen], self.light), 0, 1)
                color = np.clip(colors(self.values_at(faces[seen], middle))[:, :3] * shade[:, None], 0, 1)
                depth = depths[faces[seen]] @ middle
                places = np.einsum("pc,ncx->npx", corners, flat[faces[seen]])
                self.parts += zip(depth, places, color, color, [0.35] * len(seen))
        size = np.ptp(depths) * 1e-2
        for (a, b), owner in zip(*element_edges(faces, elements, points)):
            if towards[owner] > 0 or both_sides:
                depth = depths[faces[owner]].max() + size
                self.parts.append((depth, flat[[a, b]], "none", (*EDGE, 0.7), 0.5))

    def values_at(self, faces, weights):
        return self.values[faces] @ weights

    def draw(self, file, width):
        parts = sorted(self.parts, key=lambda part: part[0])
        everything = np.concatenate([part[1] for part in parts])
        (left, low), (right, high) = everything.min(axis=0), everything.max(axis=0)
        margin = 0.01 * (right - left)
        size = ((right - left) + 2 * margin, (high - low) + 2 * margin)
        figure = plt.figure(figsize=(width / 200, width / 200 * size[1] / size[0]), dpi=200)
        axes = figure.add_axes([0, 0, 1, 1])
        axes.set_axis_off()
        axes.set_xlim(left - margin, right + margin)
        axes.set_ylim(low - margin, high + margin)
        axes.add_collection(PolyCollection([part[1] for part in parts], facecolors=[part[2] for part in parts],
                                           edgecolors=[part[3] for part in parts],
                                           linewidths=[part[4] for part in parts], closed=True, capstyle="round"))
        save(figure, file)


def save(figure, file):
    """256 colors are enough, and a third of the bytes."""
    figure.savefig(file, transparent=True)
    plt.close(figure)
    picture = Image.open(file).convert("RGBA")
    picture.quantize(256, method=Image.Quantize.LIBIMAGEQUANT).save(file, optimize=True)
    print(f"{file}: {picture.width} x {picture.height}, {file.stat().st_size} bytes")


def colors_of(name, low, high):
    return lambda values: matplotlib.colormaps[name]((values - low) / (high - low))


def ball(data, file, degree=6, most=1.05, middle=0, pieces=4):
    """Poisson's solution; the elements of one octant are left out."""
    element = np.arange(len(data.cells)) // degree**3
    centers = data.points[data.cells].mean(axis=1)
    center = np.array([centers[element == e].mean(axis=0) for e in range(element[-1] + 1)])
    kept = ~((center > middle).all(axis=1))[element]
    faces, cell = outside(data.cells[kept])
    view = scene(35, 30, data.u)
    view.add(faces, data.points, colors_of("RdYlBu_r", -most, most), element[kept][cell], pieces=pieces)
    view.draw(file, 660)


def light(data, file):
    """The electric field in a cube of metal, without an octant."""
    ball(data, file, 2, np.abs(data.u).max(), 0.5, 8)


def duct(data, file):
    """The pressure in a duct, from above."""
    degree, most = 3, np.abs(data.u).max()
    view = scene(-90, 89.99, data.u)
    view.light = view.to_eye
    view.add(data.cells, data.points, colors_of("RdBu_r", -most, most), np.arange(len(data.cells)) // degree**2,
             both_sides=True, pieces=4)
    view.draw(file, 660)


def as_height(data, scale, degree, pieces, seen_from):
    """Values on quadrilaterals for a height."""
    points = np.column_stack([data.points[:, :2], scale * data.u])
    view = scene(*seen_from, data.u)
    view.add(data.cells, points, colors_of("viridis", 0, data.u.max()), np.arange(len(data.cells)) // degree**2,
             both_sides=True, pieces=pieces)
    return view


def l_shape(data, file):
    """A solution in an L whose elements are cut towards the corner."""
    as_height(data, 0.6, degree=4, pieces=2, seen_from=(-125, 42)).draw(file, 480)


def fichera(data, file):
    """A solution at Fichera's corner, in whose direction elements are cut: the outer faces, from x > 0, y, z < 0."""
    degree = 2
    faces, cell = outside(data.cells)
    # Sides of large elements with small ones beside them are of one element each, too, and lie inside.
    corners = data.points[faces]
    around = (np.abs(np.abs(corners) - 1) < 1e-9).all(axis=1).any(axis=1)
    notch = (corners * [1, -1, -1] > -1e-9).all(axis=(1, 2)) & (np.abs(corners) < 1e-9).all(axis=1).any(axis=1)
    kept = around | notch
    view = scene(-48, -28, data.u)
    view.add(faces[kept], data.points, colors_of("viridis", 0, data.u.max()), cell[kept] // degree**3, pieces=2)
    view.draw(file, 480)


def ring(data, file, width=900):
    """A function on a curved mesh."""
    degree = 4
    faces, cell = outside(data.cells)
    view = scene(50, 38, data.u)
    view.add(faces, data.points, colors_of("viridis", data.u.min(), data.u.max()), cell // degree**3, pieces=3)
    view.draw(file, width)


def first_poisson(data, file):
    """The solution of the first program of README.md."""
    ring(data, file, 420)


def beam(data, file):
    """A curved beam and where it goes, in the colors of its stress."""
    degree = 3
    faces, cell = outside(data.cells)
    scale = 0.55 / np.abs(data.u).max()
    moved = data.points + scale * data.u
    stress = nodal(data, von_mises(data))
    view = scene(-105, 40, stress)
    view.add(faces, data.points, None, behind=True)
    view.add(faces, moved, colors_of("plasma", 0, stress.max()), cell // degree**3, pieces=6)
    view.draw(file, 900)


def bracket(data, file):
    """A bracket of three kinds of elements and where it goes, in the colors of its displacement."""
    size = np.linalg.norm(data.u, axis=1)
    view = scene(-60, 30, size)
    view.add(data.cells, data.points, None, behind=True)
    view.add(data.cells, data.points + 0.5 / size.max() * data.u, colors_of("viridis", 0, size.max()), data.owners,
             pieces=3)
    view.draw(file, 900)


def von_mises(data):
    """Of each linear cell, in its middle, for Poisson's ratio 0 and Young's modulus 1."""
    around = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    signs = np.array([(*xy, z) for z in (-1, 1) for xy in around])
    jacobians = np.einsum("ncx,cd->nxd", data.points[data.cells], signs / 8)
    slopes = np.einsum("ncx,cd->nxd", data.u[data.cells], signs / 8) @ np.linalg.inv(jacobians)
    stress = (slopes + slopes.transpose(0, 2, 1)) / 2
    deviator = stress - np.trace(stress, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)
    return np.sqrt(1.5 * (deviator**2).sum(axis=(1, 2)))


def nodal(data, of_cells):
    """The mean of the cells around each node."""
    sums, counts = np.zeros(len(data.points)), np.zeros(len(data.points))
    np.add.at(sums, data.cells.ravel(), np.repeat(of_cells, data.cells.shape[1]))
    np.add.at(counts, data.cells.ravel(), 1)
    return sums / counts


def membrane(data, file):
    """A membrane under its load; quadrilaterals with curved sides."""
    as_height(data, 0.75, degree=5, pieces=6, seen_from=(-55, 28)).draw(file, 900)


def cavity(data, file):
    """Speed and stream lines; in the corners the eddies that turn the other way."""
    degree = 4
    x, y = data.points[:, 0], data.points[:, 1]
    xs, ys = np.unique(x.round(12)), np.unique(y.round(12))
    u = np.zeros((len(ys), len(xs)))
    speed = np.zeros_like(u)
    at = np.searchsorted(ys, y.round(12)), np.searchsorted(xs, x.round(12))
    u[at], speed[at] = data.u[:, 0], np.hypot(data.u[:, 0], data.u[:, 1])
    # The stream function: u is a polynomial of the degree along each cell's side, and is integrated as one.
    stream = np.zeros_like(u)
    for cell in range(0, len(ys) - 1, degree):
        nodes = ys[cell:cell + degree + 1]
        t = (nodes - nodes[0]) / (nodes[-1] - nodes[0])
        coefficients = np.linalg.solve(np.vander(t, increasing=True), u[cell:cell + degree + 1])
        powers = np.arange(1, degree + 2)
        integrals = (t[:, None]**powers / powers) @ coefficients * (nodes[-1] - nodes[0])
        stream[cell:cell + degree + 1] = stream[cell] + integrals
    x, y = finer(xs, degree) @ xs, finer(ys, degree) @ ys
    stream, speed = finer(ys, degree) @ stream @ finer(xs, degree).T, finer(ys, degree) @ speed @ finer(xs, degree).T
    figure = plt.figure(figsize=(3.6, 3.6), dpi=200)
    axes = figure.add_axes([0, 0, 1, 1])
    axes.set_axis_off()
    axes.set_xlim(-0.004, 1.004), axes.set_ylim(-0.004, 1.004)
    axes.contourf(x, y, np.clip(speed, 0, 1), 80, cmap="viridis")
    for line in xs[::degree]:
        axes.plot([line, line], [0, 1], color="white", lw=0.25, alpha=0.3)
        axes.plot([0, 1], [line, line], color="white", lw=0.25, alpha=0.3)
    axes.contour(x, y, stream, np.linspace(-0.098, -0.004, 12), colors="white", linewidths=0.8, linestyles="solid")
    axes.contour(x, y, stream, [-1e-3, -1e-4], colors="white", linewidths=0.5, linestyles="solid")
    low = y < 0.3  # above, rounding at the lid has that sign, too
    axes.contour(x, y[low], stream[low], [2e-8, 2e-7, 1e-6, 2e-6], colors="#ffb347", linewidths=0.8)
    save(figure, file)


def finer(nodes, degree, pieces=16):
    """The matrix that interpolates values at nodes, of a polynomial in each cell, to the ends of `pieces` in each."""
    cells = (len(nodes) - 1) // degree
    matrix = np.zeros((cells * pieces + 1, len(nodes)))
    for cell in range(cells):
        own = slice(cell * degree, cell * degree + degree + 1)
        at = np.linspace(nodes[own][0], nodes[own][-1], pieces + 1)
        scaled = [(x - nodes[own][0]) / (nodes[own][-1] - nodes[own][0]) for x in (nodes[own], at)]
        basis = np.vander(scaled[1], degree + 1) @ np.linalg.inv(np.vander(scaled[0], degree + 1))
        matrix[cell * pieces:cell * pieces + pieces + 1, own] = basis
    return matrix


def main():
    files, pictures = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    for draw in (ball, ring, first_poisson, beam, bracket, membrane, cavity, duct, light, l_shape, fichera):
        if len(sys.argv) == 3 or draw.__name__ in sys.argv[3:]:
            draw(vtu(files / f"{draw.__name__}.vtu"), pictures / f"{draw.__name__}.png")


if __name__ == "__main__":
    main()
