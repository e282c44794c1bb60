// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// deal.II's matrix-free kernels with as many lanes as this processor has, and what both programs of it include.
#pragma once

// Debian builds deal.II for the oldest processors, with vectors of one lane. Here the kernels, all in headers, have as
// many as this processor. Lanes are named wherever they are used, but in transfers, whose code is made for them: the
// library's own, of one lane, stay what they are.
#include <deal.II/base/config.h>
#undef DEAL_II_VECTORIZATION_WIDTH_IN_BITS
#if defined(__AVX512F__)
#define DEAL_II_VECTORIZATION_WIDTH_IN_BITS 512
#elif defined(__AVX__)
#define DEAL_II_VECTORIZATION_WIDTH_IN_BITS 256
#else
#define DEAL_II_VECTORIZATION_WIDTH_IN_BITS 128
#endif

#include <deal.II/base/mpi.h>
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_handler.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/lac/affine_constraints.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/matrix_free.h>
// The library has no code for these lanes: it is made here. The first two have the same include guard.
#define FE_EVAL_FACTORY_DEGREE_MAX 1
#include <deal.II/matrix_free/evaluation_template_face_factory.templates.h>
#undef dealii_matrix_free_evaluation_template_factory_templates_h
#include <deal.II/matrix_free/evaluation_template_factory.templates.h>
#include <deal.II/matrix_free/evaluation_template_factory_hanging_nodes.templates.h>
#include <deal.II/matrix_free/mapping_info.templates.h>
#include <deal.II/matrix_free/matrix_free.templates.h>
#include <deal.II/matrix_free/shape_info.templates.h>

#include <utility>

// What the programs of deal.II compute with.
namespace peers {

using lanes = dealii::VectorizedArray<double, DEAL_II_VECTORIZATION_WIDTH_IN_BITS / 64>;
using vector = dealii::LinearAlgebra::distributed::Vector<double>;
using range = std::pair<unsigned, unsigned>;  // of batches of cells or faces

}  // namespace peers
