# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""Operators and restrictions against numpy's dense matrices; that arrays are not copied."""

import concurrent.futures
import threading
import time
import tracemalloc

import numpy
import pytest
import sumfac
from block import Block
from conftest import COMPONENTS, LAMBDA, PROBLEMS, TOP, assembled, element_matrix

DTYPES = [dtype for backend, dtype in sumfac.kinds() if backend == "host"]
TOLERANCE = {"float64": 1e-12, "float32": 1e-5}


def make(problem, nodes, degree, **more):
    if problem == "bp3":
        more["lambda_"] = LAMBDA
    return sumfac.operator(problem, nodes, node_set="gauss_lobatto", degree=degree, **more)


def close(got, expected, dtype="float64"):
    return numpy.abs(got - expected).max() <= TOLERANCE[dtype] * numpy.abs(expected).max()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_element_matrices(problem, dtype, bent, random):
    A = make(problem, bent.nodes, 2, dtype=dtype)
    components = COMPONENTS.get(problem, 1)
    assert A.vector_shape == (8, 3, 3, 3) if components == 1 else A.vector_shape == (8, 3, 3, 3, 3)
    u = random.standard_normal(A.vector_shape).astype(dtype)
    expected = numpy.stack([element_matrix(problem, x) @ u_e.ravel() for x, u_e in zip(bent.nodes, u)])
    v = A @ u
    assert v.dtype == dtype and v.shape == u.shape
    assert close(v.reshape(8, -1), expected, dtype)
    assert numpy.array_equal(A.matvec(u.ravel()), v.ravel())  # as scipy calls it


@pytest.mark.parametrize("degree", [degree for degree in sumfac.degrees() if degree != 2 and degree <= 6])
@pytest.mark.parametrize("problem", PROBLEMS)
def test_other_degrees(problem, degree, random):
    block = Block(1, degree, bend=0.06)
    A = make(problem, block.nodes, degree)
    u = random.standard_normal(A.vector_shape)
    assert close((A @ u).ravel(), element_matrix(problem, block.nodes[0]) @ u.ravel())


@pytest.mark.parametrize("problem", PROBLEMS)
def test_global_vectors(problem, bent, random):
    components = COMPONENTS.get(problem, 1)
    marks = bent.boundary if components == 1 else random.random((bent.count, 3)) < 0.3
    R = sumfac.restriction(bent.numbers, bent.count, constrained=marks, components=components)
    A = make(problem, bent.nodes, 2, restriction=R)
    dense = assembled(problem, bent, marks)
    x = random.standard_normal(A.shape[0])
    assert A.shape == dense.shape
    assert close(A @ x, dense @ x)
    assert close(A.diagonal(), dense.diagonal())
    if components == 3:  # by node and component
        assert numpy.array_equal(A @ x.reshape(-1, 3), (A @ x).reshape(-1, 3))


def test_gather_and_scatter(bent, random):
    R = sumfac.restriction(bent.numbers.astype("int32"), bent.count)
    x, v = random.standard_normal(R.size), random.standard_normal(bent.numbers.shape)
    assert numpy.array_equal(R.gather(x), x[bent.numbers])
    expected = numpy.zeros(R.size)
    numpy.add.at(expected, bent.numbers, v)
    assert close(R.scatter(v), expected)
    three = sumfac.restriction(bent.numbers, bent.count, components=3)
    y = random.standard_normal((bent.count, 3))
    assert numpy.array_equal(three.gather(y), numpy.moveaxis(y[bent.numbers], -1, 1))


def test_equispaced_nodes(random):
    at = numpy.linspace(0, 1, 4)
    z, y, x = numpy.meshgrid(at, at, at, indexing="ij")
    straight = numpy.stack([x, y, z], axis=-1)[None]
    ones = numpy.ones((1,) + (TOP + 1,) * 3)
    assert close((sumfac.bp1(straight, degree=TOP, node_set="equispaced") @ ones).sum(), 1)
    with pytest.raises(AssertionError):  # which are not Gauss and Lobatto's
        expected = sumfac.bp1(straight, degree=TOP, node_set="gauss_lobatto") @ ones
        assert close(sumfac.bp1(straight, degree=TOP, node_set="equispaced") @ ones, expected)


def test_nothing_is_copied():
    block = Block(6, TOP)
    R = sumfac.restriction(block.numbers, block.count)
    A = sumfac.bp1(block.nodes, node_set="gauss_lobatto", degree=TOP)
    L = sumfac.bp1(block.nodes, node_set="gauss_lobatto", degree=TOP, restriction=R)
    u, x = numpy.ones(A.vector_shape), numpy.ones(block.count)
    v, y = numpy.empty_like(u), numpy.empty_like(x)
    assert L.nodes is block.nodes
    tracemalloc.start()  # numpy tells it of its memory
    try:
        sumfac.bp1(block.nodes, node_set="gauss_lobatto", degree=TOP)
        sumfac.restriction(block.numbers, block.count, constrained=block.boundary)
        assert A.apply(u, out=v) is v and L.apply(x, out=y) is y
        R.gather(x, out=v)
        R.scatter(v, out=y)
        most = tracemalloc.get_traced_memory()[1]
        assert most < x.nbytes // 10, most
        A @ u
        assert tracemalloc.get_traced_memory()[1] > u.nbytes  # so it does tell
    finally:
        tracemalloc.stop()


def test_threads_wait_for_each_other(random):
    block = Block(6, TOP)
    R = sumfac.restriction(block.numbers, block.count)
    A = sumfac.bp1(block.nodes, node_set="gauss_lobatto", degree=TOP, restriction=R)
    inputs = [random.standard_normal(block.count) for _ in range(4)]
    expected = [A @ x for x in inputs]

    def work(x, y):
        return all(numpy.array_equal(A @ x, y) for _ in range(50))

    with concurrent.futures.ThreadPoolExecutor(len(inputs)) as pool:
        assert all(pool.map(work, inputs, expected))


def test_python_goes_on_beside_a_solve(random):
    block = Block(6, TOP)
    R = sumfac.restriction(block.numbers, block.count, constrained=block.boundary)
    A = sumfac.bp5(block.nodes, node_set="gauss_lobatto", degree=TOP, restriction=R)
    b = random.standard_normal(block.count)
    seconds = []

    def work():
        begin = time.perf_counter()
        sumfac.cg(A, b, tolerance=0, iterations=2000)
        seconds.append(time.perf_counter() - begin)

    thread = threading.Thread(target=work)
    longest, last = 0, time.perf_counter()
    thread.start()
    while thread.is_alive():
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    thread.join()
    assert longest < 0.5 * seconds[0], (longest, seconds)
