// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A user's warnings do not reach the headers, passed by -I, not even where a global of theirs has a parameter's name.
// options: -Wshadow -Wconversion -Wsign-conversion -Wfloat-equal -Wold-style-cast -Wdouble-promotion -Wcast-align
// options: -Wundef -Wunused-macros -Wextra-semi -Wnon-virtual-dtor -Woverloaded-virtual -Wpedantic -Wswitch-enum

int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z;
int backend, nodes, points, order, element, elements, group, count, size, first, last, begin, end, row, rows, line;
int values, where, what, matrix, factors, form, table, block, entry, lane, lanes, width, stride, data, number, sum, out;

#include <users_headers.hpp>

// The program's own names.
#pragma GCC diagnostic ignored "-Wshadow"
#include "program.hpp"
