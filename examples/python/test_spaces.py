# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Meshes and function spaces: against dense matrices by numpy, exact polynomials and orders of errors.

Forms are few, and those of docs/python.md, since each is compiled once for each degree and kind of elements.
"""

import functools
import re

import numpy
import pytest
import sumfac
from block import gauss_lobatto
from conftest import lagrange

FLAGS = ["-O0", "-fopenmp"]  # which compile sooner
K = "(k*grad(u), grad(v))"


def bend(at):
    return at[0] + 0.15 * at[1] ** 2, at[1] - 0.1 * numpy.sin(2 * at[0])


def conductivity(at):
    return 1.2 + at[0] * at[1]


def exchange(at):
    return 2 + at[1]


def volume(V, k=conductivity):
    return sumfac.operator(sumfac.form(K, k=k, flags=FLAGS), V)


def surface(V, sides, r=exchange):
    return sumfac.operator(sumfac.form("r*u*v", r=r, flags=FLAGS), V.on(sides))


def box(cells, order=2):
    return sumfac.box_mesh(cells, bend, order)


def dense(V, mesh):
    """The matrix of K on quadrilaterals, by its definition: sums over points of a dense table of all nodes."""
    n = V.degree + 1
    points, weights = numpy.polynomial.legendre.leggauss(n + 1)

    def table(m):
        value, slope = lagrange(gauss_lobatto(m)[0], points)
        both = [numpy.einsum("bj,ci->bcji", *pair).reshape(-1, m * m) for pair in ((value, value), (value, slope),
                                                                                  (slope, value))]
        return both[0], both[1:]

    slopes = table(n)[1]
    places, along = table(mesh.nodes.shape[1])
    whole = numpy.zeros((V.size, V.size))
    for x, numbers in zip(mesh.nodes, V.table):
        at = places @ x.reshape(-1, 2)
        jacobian = numpy.einsum("dpi,ic->pcd", along, x.reshape(-1, 2))
        measure = numpy.outer(weights, weights).ravel() * numpy.linalg.det(jacobian)
        gradients = numpy.einsum("dpi,pdc->cpi", slopes, numpy.linalg.inv(jacobian))
        for g in gradients:
            of_direction = ((measure * conductivity(at.T))[:, None] * g).T @ g
            whole[numpy.ix_(numbers.ravel(), numbers.ravel())] += of_direction
    return whole


def dense_side(V, at_nodes):
    """The matrix of r u v on one curve of elements of degree V.degree, whose nodes have these numbers and places."""
    value, slope = lagrange(gauss_lobatto(V.degree + 1)[0], numpy.polynomial.legendre.leggauss(V.degree + 2)[0])
    weights = numpy.polynomial.legendre.leggauss(V.degree + 2)[1]
    whole = numpy.zeros((V.size, V.size))
    for numbers in at_nodes:
        x = V.positions[numbers]
        measure = weights * numpy.linalg.norm(slope @ x, axis=1) * exchange((value @ x).T)
        whole[numpy.ix_(numbers, numbers)] += (measure[:, None] * value).T @ value
    return whole


def with_fixed(whole, fixed):
    whole = whole.copy()
    whole[fixed], whole[:, fixed] = 0, 0
    whole[fixed, fixed] = 1
    return whole


def close(got, expected):
    return numpy.abs(got - expected).max() <= 1e-11 * numpy.abs(expected).max()


def test_a_form_and_a_term_on_the_boundary_are_the_dense_matrix(random):
    mesh = box((2, 3))
    V = sumfac.function_space(mesh, 2, mesh.boundary("x0"))
    A, B = volume(V), surface(V, mesh.boundary("x1"))
    assert (mesh.elements(), V.size, V.fixed.sum()) == (6, 35, 7)
    assert numpy.array_equal(V.fixed, V.positions[:, 0] - 0.15 * V.positions[:, 1] ** 2 < 1e-12)
    at_x1 = [numbers[:, 2] for numbers in V.table[1::2]]
    of_volume, of_side = dense(V, mesh), dense_side(V, at_x1)
    x = random.standard_normal(V.size)
    for matrix, whole in ((A, of_volume), (A + B, of_volume + of_side)):
        whole = with_fixed(whole, V.fixed)
        assert close(matrix @ x, whole @ x)
        assert close(matrix.diagonal(), whole.diagonal())
    assert (A + B).flops == A.flops + B.flops

    # Given values: the dense system without these unknowns.
    def given(at):
        return 1 + at[0] - 2 * at[1]

    b = V.load(lambda at: at[0]) + V.on(mesh.boundary("x1")).load(3.0)
    whole = of_volume + of_side
    g = V.values(given)
    free = ~V.fixed
    expected = g.copy()
    expected[free] = numpy.linalg.solve(whole[numpy.ix_(free, free)],
                                        b[free] - whole[numpy.ix_(free, V.fixed)] @ g[V.fixed])
    u = V.lift(A + B, given, b)
    assert numpy.array_equal(u, numpy.where(V.fixed, g, 0)) and numpy.array_equal(b[V.fixed], g[V.fixed])
    u, report = sumfac.cg(A + B, b, u, preconditioner="jacobi", tolerance=1e-13)
    assert report and close(u, expected)


def test_orders_with_robins_condition():
    """-div k grad u = f, k du/dn + r u = g on the right: the error in L2 falls by degree + 1, in H1 by it."""

    def exact(at):
        return numpy.sin(2 * at[0] - at[1])

    def slopes(at):
        return 2 * numpy.cos(2 * at[0] - at[1]), -numpy.cos(2 * at[0] - at[1])

    def f(at):  # k = 1.2 + x y
        dx, dy = slopes(at)
        return 5 * conductivity(at) * exact(at) - at[1] * dx - at[0] * dy

    def g(at):  # the right side is x = 1 + 0.15 t^2, y = t - 0.1 sin(2)
        t = at[1] + 0.1 * numpy.sin(2)
        length = numpy.sqrt(1 + (0.3 * t) ** 2)
        dx, dy = slopes(at)
        return conductivity(at) * (dx - 0.3 * t * dy) / length + exchange(at) * exact(at)

    errors, iterations = [], []
    for cells in (4, 8):
        mesh = box((cells, cells))
        others = numpy.concatenate([mesh.boundary(name) for name in ("x0", "y0", "y1")])
        V = sumfac.function_space(mesh, 2, others)
        A = volume(V) + surface(V, mesh.boundary("x1"))
        b = V.load(f) + V.on(mesh.boundary("x1")).load(g)
        b[V.fixed] = 0
        u = V.lift(A, exact, b)
        P = sumfac.multigrid(A)
        assert P.degrees == (2, 1)
        u, report = sumfac.cg(A, b, u, preconditioner=P, tolerance=1e-11)
        assert report
        iterations.append(report.iterations)
        errors.append((V.l2_error(u, exact), V.h1_error(u, exact, slopes)))
    (l2, h1), (l2_finer, h1_finer) = errors
    assert numpy.log2(l2 / l2_finer) > 2.8 and numpy.log2(h1 / h1_finer) > 1.9
    assert max(iterations) <= 14 and iterations[1] <= iterations[0] + 2


def test_multigrid_is_symmetric_where_the_mesh_hangs():
    mesh = sumfac.box_mesh((2, 2)).refine([0])
    assert (mesh.elements(), mesh.hanging) == (7, 2)
    V = sumfac.function_space(mesh, 2, mesh.boundary())
    A = volume(V)
    P = sumfac.multigrid(A, coarse_tolerance=1e-13)
    hangs = A.diagonal() == 1  # and what is fixed
    free = numpy.flatnonzero(~hangs)
    matrix = numpy.stack([(P @ row)[free] for row in numpy.eye(V.size)[free]])
    assert numpy.abs(matrix - matrix.T).max() < 1e-10 * numpy.abs(matrix).max()
    assert numpy.linalg.eigvalsh((matrix + matrix.T) / 2).min() > 0


def test_multigrid_takes_few_iterations_where_the_mesh_hangs():
    mesh = sumfac.box_mesh((4, 4)).refine([0, 5, 10]).refine([1, 12])
    V = sumfac.function_space(mesh, 2, mesh.boundary())
    A = volume(V)
    u, report = sumfac.cg(A, V.load(lambda at: 1 + 20 * at[0]), preconditioner=sumfac.multigrid(A), tolerance=1e-10)
    assert mesh.hanging == 12 and report and report.iterations <= 9


def test_a_quadratic_is_exact_where_the_mesh_hangs():
    mesh = sumfac.box_mesh((2, 2)).refine([0]).refine([0])
    assert mesh.hanging > 0

    def exact(at):
        return 1 + at[0] - 3 * at[1] + 2 * at[0] * at[1] - at[0] ** 2

    V = sumfac.function_space(mesh, 2, mesh.boundary())
    A = volume(V, k=lambda at: 2.0)
    b = V.load(4.0)  # -2 laplace u
    u = V.lift(A, exact, b)
    u, report = sumfac.cg(A, b, u, preconditioner=sumfac.multigrid(A), tolerance=1e-12)
    V.distribute(u)
    assert report and numpy.abs(u - V.values(exact)).max() < 1e-10
    finer = sumfac.function_space(mesh.refined(), 1)
    assert numpy.abs(finer.values(V, u) - finer.values(exact)).max() < 1e-10


def test_a_mesh_that_is_periodic():
    """A wave that goes over the ends, and is the same there."""

    def exact(at):
        return numpy.sin(2 * numpy.pi * at[0]) * at[1] * (2 - at[1])  # its slope is 0 above

    errors = []
    for n in (6, 12):
        straight = sumfac.box_mesh((n, n // 3))
        j, i = numpy.divmod(numpy.arange(n * (n // 3)), n)  # of elements; there are as many vertices along x
        table = numpy.stack([j * n + i, j * n + (i + 1) % n, (j + 1) * n + i, (j + 1) * n + (i + 1) % n], 1)
        mesh = sumfac.mesh(straight.nodes, table.reshape(-1, 2, 2))
        V = sumfac.function_space(mesh, 2, mesh.boundary(lambda at: at[1] < 1e-12))
        assert V.size == 2 * n * (2 * (n // 3) + 1) and len(mesh.boundary()) == 2 * n
        A = volume(V, k=lambda at: 1.0)
        b = V.load(lambda at: numpy.sin(2 * numpy.pi * at[0]) * (4 * numpy.pi**2 * at[1] * (2 - at[1]) + 2))
        u, report = sumfac.cg(A, b, preconditioner="jacobi", tolerance=1e-12)
        assert report
        errors.append(V.l2_error(u, exact))
    assert numpy.log2(errors[0] / errors[1]) > 2.9


def triangles(cells):
    at = numpy.linspace(0, 1, cells + 1)
    y, x = numpy.meshgrid(at, at, indexing="ij")
    first = (numpy.arange(cells)[:, None] * (cells + 1) + numpy.arange(cells)).ravel()
    table = numpy.concatenate([numpy.stack([first, first + 1, first + cells + 1], 1),
                               numpy.stack([first + 1, first + cells + 2, first + cells + 1], 1)])
    return sumfac.cell_mesh(numpy.stack([x.ravel(), y.ravel()], 1), table)


def test_triangles():
    def exact(at):
        return numpy.exp(at[0]) * numpy.cos(at[1])  # harmonic

    def slopes(at):
        return exact(at), -numpy.exp(at[0]) * numpy.sin(at[1])

    errors = []
    for cells in (3, 6):
        mesh = triangles(cells)
        right = mesh.boundary(lambda at: at[0] > 1 - 1e-12)
        assert mesh.elements() == 2 * cells**2 and len(right) == cells
        others = numpy.array([side for side in mesh.boundary().tolist() if side not in right.tolist()])
        V = sumfac.function_space(mesh, 2, others)
        form = sumfac.form("(1.2 + x[0]*x[1])*(grad(u), grad(v))", flags=FLAGS)
        A = sumfac.operator(form, V) + surface(V, right)
        b = V.load(lambda at: -at[1] * slopes(at)[0] - at[0] * slopes(at)[1])
        b += V.on(right).load(lambda at: (conductivity(at) + exchange(at)) * exact(at))  # du/dn = u there
        b[V.fixed] = 0
        u = V.lift(A, exact, b)
        u, report = sumfac.cg(A, b, u, preconditioner="jacobi", tolerance=1e-12)
        assert report
        errors.append((V.l2_error(u, exact), V.h1_error(u, exact, slopes)))
    (l2, h1), (l2_finer, h1_finer) = errors
    assert numpy.log2(l2 / l2_finer) > 2.7 and numpy.log2(h1 / h1_finer) > 1.8


def test_integrals_and_values_on_tetrahedra_and_hexahedra():
    points = numpy.array([[0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 3], [2, 1, 3]], dtype=float)
    mesh = sumfac.cell_mesh(points, numpy.array([[0, 1, 2, 3], [1, 4, 2, 3]]))
    V = sumfac.function_space(mesh, 2)
    volumes = [numpy.linalg.det(points[[b, c, d]] - points[a]) / 6 for a, b, c, d in [[0, 1, 2, 3], [1, 4, 2, 3]]]
    assert numpy.isclose(V.integral(1.0), sum(volumes)) and numpy.isclose(V.load(1.0).sum(), sum(volumes))
    u = V.values(lambda at: at[0] * at[2])
    assert V.l2_error(u, lambda at: at[0] * at[2]) < 1e-13 < V.norm(u)
    cube = sumfac.box_mesh((2, 1, 1), lambda at: (at[0], 2 * at[1], at[2] + at[0]))
    W = sumfac.function_space(cube, 3, [(cube.boundary("x0"), 1), cube.boundary("z1")], components=2)
    assert abs(W.norm(W.values((3.0, 4.0))) - 5 * 2**0.5) < 1e-12
    u = W.values(lambda at: (at[0] * at[1], 1))
    assert numpy.isclose(W.integral(u, lambda p: p.value[0] + p.gradient[0][1] + p.value[1]), 1 + 1 + 2)
    assert W.on(cube.boundary("x1")).integral(1.0) == pytest.approx(2)
    fixed = W.fixed.reshape(-1, 2)
    assert fixed[:, 0].sum() == 7 * 4 and fixed[:, 1].sum() == 7 * 4 + 4 * 4 - 4
    assert W.h1_error(u, lambda at: (at[0] * at[1], 1), lambda at: ((at[1], at[0], 0), (0, 0, 0))) < 1e-12


def test_arrays_are_not_copied():
    nodes = numpy.array(sumfac.box_mesh((40, 40)).nodes)
    mesh = sumfac.mesh(nodes)
    assert numpy.shares_memory(mesh.nodes, nodes) and not mesh.nodes.flags.writeable
    V = sumfac.function_space(mesh, 3)
    del mesh
    assert numpy.shares_memory(V.table, V.table) and V.table.shape == (1600, 4, 4)
    assert numpy.isclose(V.integral(1.0), 1)


MSH = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
1
1 7 "wall"
$EndPhysicalNames
$Nodes
{}
$EndNodes
$Elements
{}
$EndElements
"""


def test_files(tmp_path):
    nodes = "6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0 1 0\n5 1 1 0\n6 2 1 0"
    file = tmp_path / "two.msh"
    file.write_text(MSH.format(nodes, "3\n1 1 2 7 1 3 6\n2 3 2 0 1 1 2 5 4\n3 3 2 0 1 2 3 6 5"))
    mesh = sumfac.gmsh.read(str(file), 2)
    V = sumfac.function_space(mesh, 2)
    assert mesh.elements() == 2 and mesh.boundary("wall").tolist() == [[1, 1]]
    assert V.on(mesh.boundary("wall")).integral(lambda at: at[0]) == pytest.approx(2)
    file.write_text(MSH.format(nodes, "3\n1 1 2 7 1 3 6\n2 2 2 0 1 1 2 5\n3 2 2 0 1 1 5 4"))
    with pytest.raises(ValueError, match="two.msh"):
        sumfac.gmsh.read(str(file), 2)
    file.write_text(MSH.format(nodes, "3\n1 1 2 7 1 2 5\n2 2 2 0 1 1 2 5\n3 2 2 0 1 1 5 4"))
    cells = sumfac.gmsh.read_cells(str(file), 2)
    assert sumfac.function_space(cells, 1).integral(1.0) == pytest.approx(1)

    u = V.values(lambda at: at[0] + 10 * at[1])
    sumfac.write_vtu(str(tmp_path / "two.vtu"), V, {"u": u, "material": numpy.array([3.0, 4.0])})
    content = (tmp_path / "two.vtu").read_bytes()
    begin = content.index(b"_", content.index(b"<AppendedData")) + 1

    def array(name):
        offset = begin + int(re.search(rb'Name="%s"[^>]*offset="(\d+)"' % name, content)[1])
        size = int(numpy.frombuffer(content, "<u8", 1, offset)[0])
        return numpy.frombuffer(content, "<f8", size // 8, offset + 8)

    at = array(b"points").reshape(-1, 3)
    assert len(at) == V.nodes and numpy.allclose(array(b"u"), at[:, 0] + 10 * at[:, 1])
    assert array(b"material").tolist() == [3, 4]


def test_what_is_refused():
    mesh = sumfac.box_mesh((2, 2))
    V = sumfac.function_space(mesh, 2, mesh.boundary())
    form = functools.partial(sumfac.form, flags=FLAGS)
    A = volume(V)
    nodes = numpy.zeros((2, 2, 2, 2))

    def on_side(name):
        return sumfac.function_space(mesh, 2, mesh.boundary(name))

    fine = sumfac.box_mesh((4, 4))
    finer = sumfac.function_space(fine, 1, fine.boundary())
    refused = [
        (lambda: sumfac.box_mesh((2,)), ValueError, "there are meshes of 2 and 3 directions (got 1)"),
        (lambda: sumfac.box_mesh((0, 2)), ValueError, "got 0"),
        (lambda: mesh.boundary("x7"), ValueError, "no sides have the name or tag 'x7'"),
        (lambda: mesh.boundary(lambda at: at[0] > 2), ValueError, "0 of 8, 1 or more expected"),
        (lambda: mesh.boundary(lambda at: at[0][1:] > 2), ValueError, "(expected (16,), got (15,))"),
        (lambda: sumfac.mesh(nodes[0]), ValueError, "another rank (expected 4, as (E, m, m, 2), or 5"),
        (lambda: sumfac.mesh(nodes[..., :1]), ValueError, "expected (2, 2, 2, 2), got (2, 2, 2, 1)"),
        (lambda: sumfac.mesh(nodes), ValueError, "coincide"),
        (lambda: sumfac.mesh(mesh.nodes, numpy.zeros((4, 2, 2), "i4")), TypeError, "expected int64, got int32"),
        (lambda: sumfac.function_space(mesh, 32), ValueError, "got 32, 1 to 31 expected"),
        (lambda: sumfac.function_space(mesh, 2, "x0"), TypeError, "neither sides"),
        (lambda: sumfac.function_space(mesh, 2, numpy.zeros((3, 3), int)), ValueError, "(expected (3, 2), got (3, 3))"),
        (lambda: sumfac.function_space(mesh, 2, numpy.array([[9, 0]])), ValueError, "9"),
        (lambda: V.load("f"), TypeError, "neither a number nor a function of the position"),
        (lambda: V.load(lambda at: at), ValueError, "got (2, "),
        (lambda: V.load(lambda at: None), TypeError, "f returned None"),
        (lambda: V.load(lambda at: 1j * at[0]), TypeError, "complex"),
        (lambda: sumfac.function_space(mesh, 2, [(mesh.boundary("x0"), "u")]), TypeError, "no integer"),
        (lambda: mesh.boundary(lambda at: at[0] * numpy.nan), ValueError, "0 of 8"),
        (lambda: sumfac.operator(K, V), ValueError, "a weak form is sumfac.form(text)"),
        (lambda: sumfac.function_space(mesh, 1, components=2).load(1.0), ValueError, "expected 2, got 1"),
        (lambda: V.norm(numpy.zeros(3)), ValueError, "(expected (25,), got (3,))"),
        (lambda: V.on(mesh.boundary("x0")).on(mesh.boundary("x0")), ValueError, "1 directions in 2 coordinates"),
        (lambda: sumfac.operator(form(K, k=1.0), V, degree=2), ValueError, "has its degree"),
        (lambda: sumfac.operator(form(K, k=1.0), mesh.nodes), TypeError, "degree= is missing"),
        (lambda: sumfac.operator(form("(u, v)", components=2), V), ValueError, "(expected 2, got 1)"),
        (lambda: sumfac.operator(form("k*u*v", k=numpy.ones((4, 3, 3))), V), ValueError,
         "k has another shape (expected (4,) or (4, 4, 4), got (4, 3, 3))"),
        (lambda: sumfac.operator("bp1", V), ValueError, "bp1 is of hexahedra (3 directions expected, got 2)"),
        (lambda: A + volume(sumfac.function_space(mesh, 2)), ValueError, "(25 entries, 16 fixed, and 25, 0)"),
        (lambda: volume(on_side("x0")) + volume(on_side("x1")), ValueError, "but at other nodes"),
        (lambda: volume(finer) + A, ValueError, "but at other nodes"),
        (lambda: V.lift(A, 1.0, numpy.zeros(3)), ValueError, "b has another shape (expected (25,), got (3,))"),
        (lambda: volume(sumfac.function_space(triangles(1), 1)), ValueError, "write it in the text, as x[0]*x[1]"),
        (lambda: triangles(1).refined(), ValueError, "is of quadrilaterals and hexahedra"),
        (lambda: sumfac.write_vtu("no/such.vtu", V, numpy.zeros(25)), ValueError, "cannot be written"),
    ]
    for call, exception, words in refused:
        with pytest.raises(exception, match=re.escape(words)):
            call()
