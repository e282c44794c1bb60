# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
"""The backend cuda, where it is built and there is a device, beside the host."""

import numpy
import pytest
import sumfac
from block import Block
from conftest import COMPONENTS, PROBLEMS, TOP

DTYPES = [dtype for backend, dtype in sumfac.kinds() if backend == "cuda"]
DEGREES = sumfac.degrees("bp5", backend="cuda") if DTYPES else []


def device_or_skip():
    block = Block(1, min(DEGREES))
    try:
        sumfac.bp5(block.nodes, node_set="gauss_lobatto", degree=min(DEGREES), backend="cuda")
    except RuntimeError as error:
        pytest.skip(f"no device: {error}")


def pair(problem, block, degree, dtype):
    components = COMPONENTS.get(problem, 1)
    made = []
    for backend in ("host", "cuda"):
        kind = {"backend": backend, "dtype": dtype}
        R = sumfac.restriction(block.numbers, block.count, block.boundary, components=components, **kind)
        kind |= {"degree": degree, "node_set": "gauss_lobatto"}
        made.append((R, sumfac.operator(problem, block.nodes, restriction=R, **kind),
                     sumfac.operator(problem, block.nodes, **kind)))
    return made


def close(got, expected):
    return numpy.abs(got - expected).max() <= 1e3 * numpy.finfo(got.dtype).eps * numpy.abs(expected).max()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("problem", PROBLEMS)
def test_as_on_the_host(problem, dtype, random):
    device_or_skip()
    for degree in sumfac.degrees(problem, backend="cuda", dtype=dtype):
        block = Block(2, degree, bend=0.05)
        (host_R, host_L, host_A), (R, L, A) = pair(problem, block, degree, dtype)
        u, x = (random.standard_normal(shape).astype(dtype) for shape in (A.vector_shape, L.vector_shape))
        assert close(A @ u, host_A @ u)
        assert close(L @ x, host_L @ x)
        assert close(L.diagonal(), host_L.diagonal())
        assert numpy.array_equal(R.gather(x), host_R.gather(x))
        assert close(R.scatter(u), host_R.scatter(u))
        v = numpy.empty_like(u)
        assert A.apply(u, out=v) is v and numpy.array_equal(v, A @ u)


@pytest.mark.parametrize("dtype", DTYPES)
def test_solves_as_on_the_host(dtype, random):
    device_or_skip()
    degree = TOP
    block = Block(2, degree, bend=0.05)
    (_, host, _), (_, A, _) = pair("bp5", block, degree, dtype)
    b = random.standard_normal(block.count).astype(dtype)
    preconditioners = [lambda A: None, lambda A: "jacobi"]
    if TOP > min(DEGREES):
        preconditioners.append(sumfac.multigrid)
    for make in preconditioners:
        x, report = sumfac.cg(A, b, preconditioner=make(A), tolerance=1e-5)
        expected, by_host = sumfac.cg(host, b, preconditioner=make(host), tolerance=1e-5)
        assert report and by_host and abs(report.iterations - by_host.iterations) <= 2
        assert numpy.linalg.norm(x - expected) < 1e-3 * numpy.linalg.norm(expected)
    with pytest.raises(ValueError, match="functions precondition on the host alone"):
        sumfac.cg(A, b, preconditioner=lambda r: r)


@pytest.mark.skipif(not DTYPES, reason="cuda is not built")
def test_kinds_are_not_mixed():
    device_or_skip()
    block = Block(1, min(DEGREES))
    R = sumfac.restriction(block.numbers, block.count, dtype=DTYPES[0])
    with pytest.raises(ValueError, match=f"host with {DTYPES[0]}, cuda with {DTYPES[0]} expected"):
        sumfac.bp5(block.nodes, degree=min(DEGREES), restriction=R, backend="cuda", dtype=DTYPES[0])


@pytest.mark.skipif(not DTYPES, reason="cuda is not built")
def test_arrays_on_the_device(random):
    cupy = pytest.importorskip("cupy")
    device_or_skip()
    block = Block(2, min(DEGREES))
    A = sumfac.bp5(block.nodes, node_set="gauss_lobatto", degree=min(DEGREES), backend="cuda", dtype=DTYPES[0])
    u = random.standard_normal(A.vector_shape).astype(DTYPES[0])
    v = cupy.empty(u.shape, DTYPES[0])
    A.apply(cupy.asarray(u), out=v)
    assert numpy.array_equal(v.get(), A @ u)
