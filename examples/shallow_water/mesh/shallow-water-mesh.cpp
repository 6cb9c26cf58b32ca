//===- shallow-water-mesh.cpp - A tank with an island, as .msh --*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// shallow-water-mesh N FILE [2.2|4.1]: triangles of a tank of 25 m x 20 m, as
// Gmsh would write them. The third coordinate is the bed: a conical island with
// a flat top in the middle, a beach on the right, small waves on the floor.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr double lengthX = 25.0;

double bedAt(double x, double y) {
  const double floor = 0.02 * (1 + std::sin(1.3 * x) * std::cos(0.9 * y));
  const double island = (3.6 - std::hypot(x - 12.5, y - 10.0)) / 4;
  const double beach = 0.15 * (x - 21);
  return std::max({floor, std::min(island, 0.625), beach});
}

struct Mesh {
  struct Node {
    double x, y;
  };
  std::vector<Node> nodes;
  std::vector<std::vector<int>> sides, triangles; // nodes, from 0
};

/// 5 n x 4 n squares, cut into triangles; nodes inside are moved about.
Mesh makeMesh(int n) {
  Mesh mesh;
  const int nx = 5 * n, ny = 4 * n;
  const double h = lengthX / nx;
  auto node = [&](int i, int j) { return j * (nx + 1) + i; };
  for (int j = 0; j <= ny; ++j)
    for (int i = 0; i <= nx; ++i) {
      const bool inside = i > 0 && i < nx && j > 0 && j < ny;
      const double push = inside ? 0.25 * h : 0;
      mesh.nodes.push_back({i * h + push * std::sin(12.9898 * i + 78.233 * j),
                            j * h + push * std::sin(39.3468 * i + 11.135 * j)});
    }
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      const int a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1),
                d = node(i, j + 1);
      if ((i + j) % 2) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
      }
    }
  for (int i = 0; i < nx; ++i) {
    mesh.sides.push_back({node(i, 0), node(i + 1, 0)});
    mesh.sides.push_back({node(i + 1, ny), node(i, ny)});
  }
  for (int j = 0; j < ny; ++j) {
    mesh.sides.push_back({node(nx, j), node(nx, j + 1)});
    mesh.sides.push_back({node(0, j + 1), node(0, j)});
  }
  return mesh;
}

class Writer {
public:
  Writer(FILE *file, const Mesh &mesh) : file(file), mesh(mesh) {}

  void write(bool version4) {
    std::fprintf(file, "$MeshFormat\n%s 0 8\n$EndMeshFormat\n",
                 version4 ? "4.1" : "2.2");
    std::fprintf(file, "$PhysicalNames\n2\n1 1 \"wall\"\n2 2 \"water\"\n"
                       "$EndPhysicalNames\n");
    if (version4)
      writeEntities();
    version4 ? writeNodes4() : writeNodes2();
    version4 ? writeElements4() : writeElements2();
  }

private:
  void writeNodes2() {
    std::fprintf(file, "$Nodes\n%zu\n", mesh.nodes.size());
    for (size_t n = 0; n < mesh.nodes.size(); ++n) {
      std::fprintf(file, "%zu ", n + 1);
      writePosition(mesh.nodes[n]);
    }
    std::fprintf(file, "$EndNodes\n");
  }
  void writeElements2() {
    std::fprintf(file, "$Elements\n%zu\n",
                 mesh.sides.size() + mesh.triangles.size());
    int tag = 0;
    for (const auto &side : mesh.sides)
      writeElement(++tag, " 1 2 1 1", side);
    for (const auto &triangle : mesh.triangles)
      writeElement(++tag, " 2 2 2 1", triangle);
    std::fprintf(file, "$EndElements\n");
  }

  /// A curve and a surface, which belong to physical groups 1 and 2.
  void writeEntities() {
    std::fprintf(file, "$Entities\n0 1 1 0\n"
                       "1 0 0 0 25 20 0.7 1 1 0\n"
                       "1 0 0 0 25 20 0.7 1 2 0\n$EndEntities\n");
  }

  void writeNodes4() {
    const size_t count = mesh.nodes.size();
    std::fprintf(file, "$Nodes\n1 %zu 1 %zu\n2 1 0 %zu\n", count, count, count);
    for (size_t n = 0; n < count; ++n)
      std::fprintf(file, "%zu\n", n + 1);
    for (const Mesh::Node &node : mesh.nodes)
      writePosition(node);
    std::fprintf(file, "$EndNodes\n");
  }
  void writeElements4() {
    const size_t count = mesh.sides.size() + mesh.triangles.size();
    std::fprintf(file, "$Elements\n2 %zu 1 %zu\n", count, count);
    int tag = 0;
    std::fprintf(file, "1 1 1 %zu\n", mesh.sides.size());
    for (const auto &side : mesh.sides)
      writeElement(++tag, "", side);
    std::fprintf(file, "2 1 2 %zu\n", mesh.triangles.size());
    for (const auto &triangle : mesh.triangles)
      writeElement(++tag, "", triangle);
    std::fprintf(file, "$EndElements\n");
  }

  void writePosition(const Mesh::Node &node) {
    std::fprintf(file, "%.9g %.9g %.9g\n", node.x, node.y,
                 bedAt(node.x, node.y));
  }
  void writeElement(int tag, const char *between,
                    const std::vector<int> &nodes) {
    std::fprintf(file, "%d%s", tag, between);
    for (const int node : nodes)
      std::fprintf(file, " %d", node + 1);
    std::fprintf(file, "\n");
  }

  FILE *file;
  const Mesh &mesh;
};

int fail(const std::string &message) {
  std::fprintf(stderr, "shallow-water-mesh: error: %s\n", message.c_str());
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  const std::string version = argc == 4 ? argv[3] : "4.1";
  if (argc < 3 || argc > 4 || (version != "2.2" && version != "4.1")) {
    std::fprintf(stderr,
                 "usage: shallow-water-mesh N FILE.msh [2.2|4.1]\n"
                 "Writes 40*N*N triangles of a tank with an island, in one of "
                 "Gmsh's formats (4.1).\n");
    return 2;
  }
  int n = 0;
  const char *end = argv[1] + std::strlen(argv[1]);
  const auto [stop, status] = std::from_chars(argv[1], end, n);
  if (status != std::errc() || stop != end || n < 1 || n > 1000)
    return fail("expected N in 1 ... 1000, found '" + std::string(argv[1]) +
                "'");
  const std::string path = argv[2];
  FILE *file = std::fopen(path.c_str(), "w");
  if (!file)
    return fail("cannot write " + path + ": " + std::strerror(errno));
  const Mesh mesh = makeMesh(n);
  Writer(file, mesh).write(version == "4.1");
  const bool bad = std::ferror(file);
  if (std::fclose(file) != 0 || bad)
    return fail("cannot write " + path + ": " + std::strerror(errno));
  return 0;
}
