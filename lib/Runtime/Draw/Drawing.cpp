//===- Drawing.cpp - A mesh with its plan as a picture -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Drawing.h"
#include "Geometry.h"
#include "Svg.h"

#include <algorithm>
#include <optional>

using namespace op2::mesh;

// Paul Tol's bright and muted schemes: they are told apart with all common
// kinds of colour blindness. Numbers in the picture say the same as colours.
static char const *const palette[] = {
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee",
    "#aa3377", "#332288", "#999933", "#44aa99", "#882255"};
static char const *const paper = "#d4d4d4"; ///< the mesh itself
static char const *const ink = "#222222";
static constexpr double kMargin = 16, kTop = 56, kLine = 20;
static constexpr std::size_t kMostEntries = 12;

static std::string colorOf(int64_t number) {
  return palette[number % int64_t(std::size(palette))];
}

static std::string counted(int64_t count, std::string const &singular,
                           std::string const &plural) {
  return std::to_string(count) + " " + (count == 1 ? singular : plural);
}

namespace {
/// Elements that are drawn in one colour.
struct Category {
  std::string color, legend;
  std::vector<int64_t> elements;
};

class Drawing {
public:
  Drawing(Mesh const &mesh, PlanView plan, DrawingOptions const &options)
      : mesh(mesh), options(options), plan(std::move(plan)),
        geometry(mesh, kMargin, kTop, double(options.width) - 2 * kMargin) {
    checkOptions();
  }

  std::string make() {
    classify();
    double height = kTop + geometry.height() + kMargin + legendHeight();
    Svg svg(double(options.width), height, title() + "; " + subtitle());
    svg.text(kMargin, 24, title(), attributes(15, "font-weight=\"bold\""));
    svg.text(kMargin, 42, subtitle(), attributes(12));
    drawMesh(svg);
    drawCategories(svg);
    drawLabels(svg);
    drawLegend(svg);
    return svg.finish();
  }

private:
  void checkOptions() {
    int64_t blocks = plan.numBlocks;
    if (blocks == 0)
      throw Error("set '" + options.set + "' is empty: there is no plan");
    if (options.block >= blocks)
      throw Error("--block=" + std::to_string(options.block) +
                  ": the plan has " + std::to_string(blocks) +
                  " blocks; expected 0 ... " + std::to_string(blocks - 1));
    if (options.show == "element-colors" && plan.elementColor.empty())
      throw Error("--show=element-colors: a plan for '" + options.strategy +
                  "' has no colours of elements");
  }

  //===--------------------------------------------------------------------===//
  // What is drawn how
  //===--------------------------------------------------------------------===//

  int64_t categoryOf(int64_t element) const {
    int32_t block = plan.blockOf[element];
    if (options.show == "blocks")
      return block;
    if (options.show == "block-colors")
      return plan.colorOf[block];
    return plan.elementColor[element];
  }

  void classify() {
    auto size = static_cast<int64_t>(plan.blockOf.size());
    int64_t count = 0;
    for (int64_t n = 0; n < size; ++n)
      count = std::max(count, categoryOf(n) + 1);
    categories.resize(static_cast<std::size_t>(count));
    for (int64_t n = 0; n < size; ++n) {
      if (options.block >= 0 && plan.blockOf[n] != options.block)
        continue;
      categories[categoryOf(n)].elements.push_back(n);
    }
    for (int64_t c = 0; c < count; ++c) {
      Category &category = categories[c];
      category.color = colorOf(c);
      category.legend =
          (!plan.kinds.empty()        ? plan.kinds[c]
           : options.show != "blocks" ? "colour " + std::to_string(c)
                                      : "block " + std::to_string(c)) +
          ": " + shareOf(c);
    }
    if (plan.isOwned)
      classifyShared();
  }

  /// Those that several parts run have a colour of their own.
  void classifyShared() {
    Category shared{ink, "", {}};
    for (std::size_t n = 0; n < plan.isShared.size(); ++n)
      if (plan.isShared[n])
        shared.elements.push_back(int64_t(n));
    for (Category &category : categories)
      category.elements.erase(
          std::remove_if(category.elements.begin(), category.elements.end(),
                         [&](int64_t n) { return plan.isShared[n]; }),
          category.elements.end());
    for (std::size_t c = 0; c < categories.size(); ++c)
      categories[c].legend = plan.partName + " " + std::to_string(c) +
                             " alone: " + shareOf(int64_t(c));
    shared.legend =
        "several " + plan.partName +
        "s: " + counted(int64_t(shared.elements.size()), "element", "elements");
    categories.push_back(std::move(shared));
  }

  /// What belongs to category c.
  std::string shareOf(int64_t c) const {
    auto elements = static_cast<int64_t>(categories[c].elements.size());
    if (options.show != "block-colors" || options.block >= 0)
      return counted(elements, "element", "elements");
    return counted(std::count(plan.colorOf.begin(), plan.colorOf.end(), c),
                   "block", "blocks");
  }

  //===--------------------------------------------------------------------===//
  // Words
  //===--------------------------------------------------------------------===//

  std::string title() const {
    std::string shown = !plan.kinds.empty() ? "what runs when"
                        : options.show == "blocks"
                            ? (plan.isOwned ? plan.partName + "s" : "blocks")
                        : options.show == "block-colors"
                            ? "colours of blocks"
                            : (plan.isGlobal ? "colours of elements"
                                             : "colours of elements in their "
                                               "block");
    if (!options.title.empty())
      return options.title + ": " + shown;
    return options.strategy + ", " + options.set + " in blocks of " +
           std::to_string(options.blockSize) + ": " + shown;
  }

  std::string subtitle() const {
    std::string text =
        counted(int64_t(plan.blockOf.size()), "element", "elements");
    std::string name = plan.isOwned ? plan.partName : "block";
    if (plan.kinds.empty())
      text += ", " + counted(plan.numBlocks, name, name + "s");
    if (!plan.isOwned && plan.kinds.empty())
      text += ", " + counted(plan.numColors, "colour", "colours") +
              (plan.isGlobal ? " of elements" : " of blocks");
    if (!plan.isGlobal && !plan.elementColor.empty()) {
      int32_t most =
          *std::max_element(plan.elementColor.begin(), plan.elementColor.end());
      text +=
          ", up to " + counted(most + 1, "colour", "colours") + " in a block";
    }
    return plan.increments.empty()
               ? text
               : text + "; the loop adds to " + plan.increments;
  }

  static std::string attributes(int size, std::string const &more = "") {
    return "font-size=\"" + std::to_string(size) + "\" fill=\"" + ink + "\"" +
           (more.empty() ? "" : " " + more);
  }

  //===--------------------------------------------------------------------===//
  // Pictures
  //===--------------------------------------------------------------------===//

  void drawMesh(Svg &svg) {
    std::string lines;
    bool hasEdges = mesh.findSet("edges") && mesh.findSet("bedges");
    for (char const *set : {"edges", "bedges", "cells"}) {
      if (hasEdges == (std::string(set) == "cells") || !mesh.findSet(set))
        continue;
      for (int64_t n = 0; n < mesh.set(set).size; ++n)
        lines += geometry.outline(set, n, 0);
    }
    svg.path(lines, std::string("fill=\"none\" stroke=\"") + paper +
                        "\" stroke-width=\"1\"");
  }

  void drawCategories(Svg &svg) {
    for (Category const &category : categories)
      drawElements(svg, category);
  }

  void drawElements(Svg &svg, Category const &category) {
    if (options.set == "nodes") {
      svg.beginGroup("fill=\"" + category.color + "\"");
      for (int64_t n : category.elements) {
        Point at = geometry.node(n);
        svg.circle(at.x, at.y, std::clamp(geometry.spacing() / 12, 1.0, 3.5),
                   "");
      }
      svg.endGroup();
      return;
    }
    std::string data;
    bool isFilled = options.set == "cells";
    for (int64_t n : category.elements)
      data += geometry.outline(options.set, n, isFilled ? 0.08 : 0.14);
    double width = std::clamp(geometry.spacing() / 8, 1.0, 5.0);
    svg.path(data, isFilled ? "fill=\"" + category.color + "\""
                            : "fill=\"none\" stroke-linecap=\"round\" "
                              "stroke=\"" +
                                  category.color + "\" stroke-width=\"" +
                                  Svg::number(width) + "\"");
  }

  /// Numbers of blocks in their middle, or of colours on the elements, where
  /// there is room for them.
  void drawLabels(Svg &svg) {
    bool isElements = options.show == "element-colors";
    if ((plan.isGlobal && !isElements) || !plan.kinds.empty())
      return;
    int size = isElements ? 10 : 13;
    if (geometry.spacing() < (isElements ? 16.0 : 5.0))
      return;
    svg.beginGroup(attributes(size, "text-anchor=\"middle\" stroke=\"white\" "
                                    "stroke-width=\"3\" stroke-linejoin="
                                    "\"round\" paint-order=\"stroke\""));
    if (isElements) {
      for (Category const &category : categories)
        for (int64_t n : category.elements)
          label(svg, geometry.middle(options.set, n), size,
                plan.elementColor[n]);
    } else {
      std::vector<std::optional<Point>> middles = middlesOfBlocks();
      for (int64_t block = 0; block < plan.numBlocks; ++block)
        if (middles[block] && (options.block < 0 || options.block == block))
          label(svg, *middles[block], size, block);
    }
    svg.endGroup();
  }

  static void label(Svg &svg, Point at, int size, int64_t number) {
    svg.text(at.x, at.y + 0.36 * size, std::to_string(number), "");
  }

  /// For each block the middle of its element that lies closest to the middle
  /// of all of them; nothing for one without elements.
  std::vector<std::optional<Point>> middlesOfBlocks() const {
    auto blocks = static_cast<std::size_t>(plan.numBlocks);
    std::vector<Point> mean(blocks);
    std::vector<std::optional<Point>> nearest(blocks);
    std::vector<int64_t> count(blocks, 0);
    std::vector<double> least(blocks, -1);
    for (std::size_t n = 0; n < plan.blockOf.size(); ++n) {
      Point middle = geometry.middle(options.set, int64_t(n));
      mean[plan.blockOf[n]].x += middle.x;
      mean[plan.blockOf[n]].y += middle.y;
      ++count[plan.blockOf[n]];
    }
    for (std::size_t n = 0; n < plan.blockOf.size(); ++n) {
      int32_t block = plan.blockOf[n];
      Point middle = geometry.middle(options.set, int64_t(n));
      double dx = middle.x - mean[block].x / double(count[block]);
      double dy = middle.y - mean[block].y / double(count[block]);
      double distance = dx * dx + dy * dy;
      // Rounding must not decide between elements that lie equally close.
      if (least[block] >= 0 && distance >= least[block] - 1e-6)
        continue;
      least[block] = distance;
      nearest[block] = middle;
    }
    return nearest;
  }

  //===--------------------------------------------------------------------===//
  // Legend
  //===--------------------------------------------------------------------===//

  std::vector<Category const *> entries() const {
    std::vector<Category const *> list;
    for (Category const &category : categories)
      if (!category.elements.empty())
        list.push_back(&category);
    // Many blocks have their numbers in the picture.
    if (options.show == "blocks" && list.size() > kMostEntries)
      list.erase(list.begin(), list.end() - (plan.isOwned ? 1 : 0));
    return list;
  }

  double entryWidth() const {
    std::size_t longest = 0;
    for (Category const *entry : entries())
      longest = std::max(longest, entry->legend.size());
    return 36 + 6.4 * double(longest);
  }
  int64_t entriesInLine() const {
    double room = double(options.width) - 2 * kMargin;
    return std::max<int64_t>(1, int64_t(room / entryWidth()));
  }
  double legendHeight() const {
    auto count = static_cast<int64_t>(entries().size());
    int64_t lines = (count + entriesInLine() - 1) / entriesInLine();
    return double(lines) * kLine + (lines ? 12 : 0);
  }

  void drawLegend(Svg &svg) {
    double top = kTop + geometry.height() + kMargin + 14;
    int64_t place = 0;
    for (Category const *entry : entries()) {
      double x = kMargin + double(place % entriesInLine()) * entryWidth();
      double y = top + double(place / entriesInLine()) * kLine;
      std::string fill = "fill=\"" + entry->color + "\"";
      if (options.set == "nodes")
        svg.circle(x + 9, y - 4, 3.5, fill);
      else if (options.set == "cells")
        svg.rectangle(x, y - 10, 18, 12, fill);
      else
        svg.rectangle(x, y - 6, 18, 4, fill);
      svg.text(x + 24, y, entry->legend, attributes(12));
      ++place;
    }
  }

  Mesh const &mesh;
  DrawingOptions options;
  PlanView plan;
  Geometry geometry;
  std::vector<Category> categories;
};
} // namespace

std::string op2::mesh::draw(Mesh const &mesh, PlanView plan,
                            DrawingOptions const &options) {
  return Drawing(mesh, std::move(plan), options).make();
}
