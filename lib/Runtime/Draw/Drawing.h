//===- Drawing.h - A mesh with its plan as a picture -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef OP2_LIB_RUNTIME_DRAW_DRAWING_H
#define OP2_LIB_RUNTIME_DRAW_DRAWING_H

#include "PlanView.h"

namespace op2::mesh {

inline constexpr int64_t kDrawingWidth = 640; ///< pixels

struct DrawingOptions {
  std::string set = "edges";
  std::string strategy = "two-level";
  /// What the first line of the picture begins with; "": strategy, set and size
  /// of blocks.
  std::string title;
  /// blocks, block-colors or element-colors; of a plan of parts blocks
  std::string show = "block-colors";
  int64_t blockSize = 128;
  int64_t block = -1; ///< only this one is coloured; -1: all
  int64_t width = kDrawingWidth;
};

/// The drawing as SVG, from a plan of the runtime for options.set, which is one
/// of the names of Mesh.h. The same mesh, plan and options give the same text.
/// Errors name the option that does not fit.
std::string draw(Mesh const &mesh, PlanView plan,
                 DrawingOptions const &options);

} // namespace op2::mesh

#endif // OP2_LIB_RUNTIME_DRAW_DRAWING_H
