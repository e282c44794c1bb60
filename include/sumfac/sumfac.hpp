// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The whole library in one line, interop/ and tools/explain.hpp aside: for programs, never for the library's own
// headers.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>
#include <sumfac/error.hpp>

#include <sumfac/view/extents.hpp>
#include <sumfac/view/layout.hpp>
#include <sumfac/view/slice.hpp>
#include <sumfac/view/vector_argument.hpp>
#include <sumfac/view/view.hpp>

#include <sumfac/math/dual.hpp>
#include <sumfac/math/functions.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/math/precision.hpp>
#include <sumfac/math/small.hpp>

#include <sumfac/backend/architecture.hpp>
#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/checked.hpp>
#include <sumfac/backend/concepts.hpp>
#include <sumfac/backend/cuda.hpp>
#include <sumfac/backend/hip.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/backend/loop.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/backend/sycl.hpp>

#include <sumfac/basis/cells.hpp>
#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/basis/tabulated.hpp>

#include <sumfac/tensor/kept_table.hpp>
#include <sumfac/tensor/pencil.hpp>
#include <sumfac/tensor/sweep.hpp>

#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/dof_map.hpp>
#include <sumfac/dofs/field_point.hpp>
#include <sumfac/dofs/fixed_sides.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/dofs/function_space_options.hpp>
#include <sumfac/dofs/joined_spaces.hpp>
#include <sumfac/dofs/mixed_space.hpp>
#include <sumfac/dofs/node_order.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/cell_geometry.hpp>
#include <sumfac/mesh/cell_mesh.hpp>
#include <sumfac/mesh/classify.hpp>
#include <sumfac/mesh/element_geometry.hpp>
#include <sumfac/mesh/element_order.hpp>
#include <sumfac/mesh/face_mapping.hpp>
#include <sumfac/mesh/hanging_sides.hpp>
#include <sumfac/mesh/interior_faces.hpp>
#include <sumfac/mesh/locator.hpp>
#include <sumfac/mesh/mapping.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/mesh/mixed_mesh.hpp>
#include <sumfac/mesh/nesting.hpp>
#include <sumfac/mesh/policy.hpp>
#include <sumfac/mesh/refined.hpp>

#include <sumfac/form/both_sides.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/given_factors.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/form/library.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/point_values.hpp>
#include <sumfac/form/several.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/form/weak.hpp>
#include <sumfac/form/weak_faces.hpp>

#include <sumfac/element/tuning.hpp>
#include <sumfac/element/tuning_rows.hpp>
#include <sumfac/element/work.hpp>

#include <sumfac/operator/apply_element.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/block_operator.hpp>
#include <sumfac/operator/dispatch.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/element_sum.hpp>
#include <sumfac/operator/face_operator.hpp>
#include <sumfac/operator/field.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/interior_operator.hpp>
#include <sumfac/operator/inverse_mass.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/operator/sum_by_kind.hpp>
#include <sumfac/operator/transposed_operator.hpp>
#include <sumfac/points/evaluator.hpp>

#include <sumfac/dofs/halo.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/block_preconditioner.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/gmres_smoother.hpp>
#include <sumfac/solver/guess_history.hpp>
#include <sumfac/solver/kinds_level.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/minres.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/null_space.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/schwarz.hpp>
#include <sumfac/solver/several_cg.hpp>
#include <sumfac/solver/sum_level.hpp>
#include <sumfac/solver/transfer.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <sumfac/tools/describe.hpp>
#include <sumfac/tools/tune.hpp>
#include <sumfac/tools/tune_options.hpp>
#include <sumfac/tools/write_vtu.hpp>

#include <sumfac/intrepid/contractions.hpp>
#include <sumfac/intrepid/strategy.hpp>
