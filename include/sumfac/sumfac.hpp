// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The whole library in one line, interop/ aside: for programs, never for the library's own headers.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/error.hpp>

#include <sumfac/view/bounds.hpp>
#include <sumfac/view/extents.hpp>
#include <sumfac/view/layout.hpp>
#include <sumfac/view/places.hpp>
#include <sumfac/view/slice.hpp>
#include <sumfac/view/view.hpp>

#include <sumfac/math/atomic.hpp>
#include <sumfac/math/lane_rows.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/math/plain_lanes.hpp>
#include <sumfac/math/precision.hpp>
#include <sumfac/math/small.hpp>

#include <sumfac/backend/architecture.hpp>
#include <sumfac/backend/atomic_add.hpp>
#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/checked.hpp>
#include <sumfac/backend/concepts.hpp>
#include <sumfac/backend/countdown.hpp>
#include <sumfac/backend/cuda.hpp>
#include <sumfac/backend/global_memory.hpp>
#include <sumfac/backend/gpu.hpp>
#include <sumfac/backend/hip.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/backend/loop.hpp>
#include <sumfac/backend/machine.hpp>
#include <sumfac/backend/memory.hpp>
#include <sumfac/backend/policy.hpp>

#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/tables.hpp>

#include <sumfac/contract/cell_streams.hpp>
#include <sumfac/contract/contract_views.hpp>
#include <sumfac/contract/contraction.hpp>
#include <sumfac/contract/direction.hpp>
#include <sumfac/contract/gather.hpp>
#include <sumfac/contract/host_blocks.hpp>
#include <sumfac/contract/host_contraction.hpp>
#include <sumfac/contract/host_fields.hpp>
#include <sumfac/contract/host_lanes.hpp>
#include <sumfac/contract/host_panels.hpp>
#include <sumfac/contract/intrepid.hpp>
#include <sumfac/contract/kept_table.hpp>
#include <sumfac/contract/lines_ahead.hpp>
#include <sumfac/contract/output_rows.hpp>
#include <sumfac/contract/register_block.hpp>
#include <sumfac/contract/strategy.hpp>
#include <sumfac/contract/strategy_table.hpp>
#include <sumfac/contract/team_contraction.hpp>

#include <sumfac/geometry/affine_map.hpp>
#include <sumfac/geometry/classify.hpp>
#include <sumfac/geometry/element_geometry.hpp>
#include <sumfac/geometry/element_group.hpp>
#include <sumfac/geometry/element_order.hpp>
#include <sumfac/geometry/element_shapes.hpp>
#include <sumfac/geometry/element_vector.hpp>
#include <sumfac/geometry/lane_transfer.hpp>
#include <sumfac/geometry/mapping.hpp>
#include <sumfac/geometry/mesh_nodes.hpp>
#include <sumfac/geometry/metric_plane.hpp>
#include <sumfac/geometry/node_order.hpp>
#include <sumfac/geometry/point_places.hpp>
#include <sumfac/geometry/policy.hpp>
#include <sumfac/geometry/restriction.hpp>
#include <sumfac/geometry/trilinear_map.hpp>

#include <sumfac/form/element_lines.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/stiffness.hpp>

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/cube_kernel.hpp>
#include <sumfac/operator/device_factors.hpp>
#include <sumfac/operator/diagonal.hpp>
#include <sumfac/operator/direct_vectors.hpp>
#include <sumfac/operator/dispatch.hpp>
#include <sumfac/operator/element_kernel.hpp>
#include <sumfac/operator/element_maps.hpp>
#include <sumfac/operator/element_nodes.hpp>
#include <sumfac/operator/element_scratch.hpp>
#include <sumfac/operator/exchange.hpp>
#include <sumfac/operator/factor_readers.hpp>
#include <sumfac/operator/footprint.hpp>
#include <sumfac/operator/global_sweep.hpp>
#include <sumfac/operator/host_global.hpp>
#include <sumfac/operator/host_vectors.hpp>
#include <sumfac/operator/kernel_choice.hpp>
#include <sumfac/operator/map_readers.hpp>
#include <sumfac/operator/mixed_global.hpp>
#include <sumfac/operator/mixed_vectors.hpp>
#include <sumfac/operator/node_reader.hpp>
#include <sumfac/operator/operator.hpp>
#include <sumfac/operator/operator_arguments.hpp>
#include <sumfac/operator/plane_phases.hpp>
#include <sumfac/operator/point_form.hpp>
#include <sumfac/operator/setup_numbers.hpp>
#include <sumfac/operator/slice_kernel.hpp>
#include <sumfac/operator/split_geometry.hpp>
#include <sumfac/operator/split_kernel.hpp>
#include <sumfac/operator/staging.hpp>
#include <sumfac/operator/stored_factors.hpp>
#include <sumfac/operator/team_global.hpp>
#include <sumfac/operator/team_vectors.hpp>
#include <sumfac/operator/tuning.hpp>
#include <sumfac/operator/work.hpp>

#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/cg_arguments.hpp>
#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/cg_steps.hpp>
#include <sumfac/solver/global_operator.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/passes.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/vector_ops.hpp>
