//===- airfoil-mesh.cpp - Generator of Airfoil's meshes ---------*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// airfoil-mesh I J file: writes a C-mesh of 3*I*J cells around a NACA0012
// aerofoil. The complex square root unfolds the plane about a point inside the
// nose, which turns the aerofoil and the cut behind it into a nearly flat
// curve: the mesh is rectangular above that curve, and squaring folds it back.
//
// Coordinates are written with six decimals, because the residuals that the
// field compares were computed on such files: with all digits (--exact) they
// differ by some 1e-5.
//
//===----------------------------------------------------------------------===//

#include <cerrno>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace {

using Point = std::complex<double>;

/// The cubic spline through (x, y) whose third derivative is continuous at the
/// second and the last but one point ("not a knot"). x must increase; at least
/// four points. Outside the range, the end polynomials continue.
class NotAKnotSpline {
public:
  NotAKnotSpline(std::vector<double> abscissae, std::vector<double> values)
      : x(std::move(abscissae)), y(std::move(values)), m(x.size()) {
    // Unknowns are the second derivatives m. The two end conditions eliminate
    // the first and the last: what remains is tridiagonal.
    const size_t n = x.size() - 1;
    auto h = [&](size_t i) { return x[i + 1] - x[i]; };
    auto slope = [&](size_t i) { return (y[i + 1] - y[i]) / h(i); };
    std::vector<double> lower(n + 1), diag(n + 1), upper(n + 1);
    for (size_t i = 1; i < n; ++i) {
      lower[i] = h(i - 1);
      diag[i] = 2.0 * (h(i - 1) + h(i));
      upper[i] = h(i);
      m[i] = 6.0 * (slope(i) - slope(i - 1));
    }
    const double first = h(0) / h(1), last = h(n - 1) / h(n - 2);
    diag[1] += lower[1] * (1.0 + first);
    upper[1] -= lower[1] * first;
    diag[n - 1] += upper[n - 1] * (1.0 + last);
    lower[n - 1] -= upper[n - 1] * last;

    for (size_t i = 2; i < n; ++i) {
      double factor = lower[i] / diag[i - 1];
      diag[i] -= factor * upper[i - 1];
      m[i] -= factor * m[i - 1];
    }
    m[n - 1] /= diag[n - 1];
    for (size_t i = n - 2; i >= 1; --i)
      m[i] = (m[i] - upper[i] * m[i + 1]) / diag[i];
    m[0] = m[1] - first * (m[2] - m[1]);
    m[n] = m[n - 1] + last * (m[n - 1] - m[n - 2]);
  }

  double operator()(double at) const {
    size_t low = 0, high = x.size() - 1;
    while (high - low > 1) {
      size_t middle = (low + high) / 2;
      (x[middle] <= at ? low : high) = middle;
    }
    const double h = x[high] - x[low];
    const double a = (x[high] - at) / h, b = (at - x[low]) / h;
    return a * y[low] + b * y[high] +
           ((a * a * a - a) * m[low] + (b * b * b - b) * m[high]) * h * h / 6.0;
  }

private:
  std::vector<double> x, y, m;
};

/// The aerofoil in the unfolded plane, as a curve over [-1, 1].
NotAKnotSpline aerofoil() {
  const int count = 100;
  const double halfPi = std::acos(-1.0) / 2.0;
  std::vector<Point> upper(count);
  for (int k = 0; k < count; ++k) {
    double s = std::sin(halfPi * k / (count - 1));
    double x = s * s;
    double y = 0.594689181 * (0.298222773 * std::sqrt(x) - 0.127125232 * x -
                              0.357907906 * x * x + 0.291984971 * x * x * x -
                              0.105174696 * x * x * x * x);
    if (k == count - 1)
      y = 0.0; // a sharp trailing edge
    upper[k] = std::sqrt(Point(x - 0.0077, y));
  }
  std::vector<double> x, y;
  for (int k = count - 1; k >= 0; --k) {
    x.push_back(-upper[k].real());
    y.push_back(upper[k].imag());
  }
  for (int k = 1; k < count; ++k) {
    x.push_back(upper[k].real());
    y.push_back(upper[k].imag());
  }
  return NotAKnotSpline(std::move(x), std::move(y));
}

/// Writes numbers to a file through a large buffer. Errors are kept until
/// close().
class Writer {
public:
  explicit Writer(const std::string &path)
      : file(std::fopen(path.c_str(), "wb")), buffer(1 << 20) {
    if (!file)
      error = errno;
  }
  Writer(const Writer &) = delete;
  ~Writer() {
    if (file)
      std::fclose(file);
  }

  void put(int value, char separator) {
    reserve();
    used = std::to_chars(used, limit(), value).ptr;
    *used++ = separator;
  }
  /// With `digits` < 0, six decimals; else that many significant digits.
  void put(double value, int digits, char separator) {
    reserve();
    auto [end, status] =
        digits < 0
            ? std::to_chars(used, limit(), value, std::chars_format::fixed, 6)
            : std::to_chars(used, limit(), value, std::chars_format::general,
                            digits);
    used = end;
    *used++ = separator;
  }

  bool failed() const { return error != 0; }

  /// Flushes everything to the file. Returns 0 or the first error's errno.
  int close() {
    flush();
    if (file && std::fclose(file) != 0 && !error)
      error = errno;
    file = nullptr;
    return error;
  }

private:
  const char *begin() const { return buffer.data(); }
  char *limit() { return buffer.data() + buffer.size(); }

  void reserve() {
    if (limit() - used < 64)
      flush();
  }
  void flush() {
    size_t size = used - begin();
    if (file && !error && std::fwrite(begin(), 1, size, file) != size)
      error = errno ? errno : EIO;
    used = buffer.data();
  }

  FILE *file;
  std::vector<char> buffer;
  char *used = buffer.data();
  int error = 0;
};

/// The mesh for given I and J; cells and nodes are numbered row by row.
class CMesh {
public:
  CMesh(int ni, int nj) : ni(ni), nj(nj), columns(3 * ni), base(columns + 1) {
    NotAKnotSpline curve = aerofoil();
    for (int i = ni + 1; i < 2 * ni; ++i)
      base[i] = curve(position(i));
  }

  void write(Writer &out, int digits) const {
    out.put((columns + 1) * (nj + 1), ' ');
    out.put(columns * nj, ' ');
    out.put((columns - 1) * nj + columns * (nj - 1) + ni, ' ');
    out.put(4 * ni + 2 * nj, '\n');
    writeNodes(out, digits);
    writeCells(out);
    writeEdges(out);
    writeBoundary(out);
  }

private:
  int node(int i, int j) const { return j * (columns + 1) + i; }
  int cell(int i, int j) const { return j * columns + i; }
  double position(int i) const { return -3.0 + 6.0 * i / columns; }

  void writeNodes(Writer &out, int digits) const {
    for (int j = 0; j <= nj && !out.failed(); ++j)
      for (int i = 0; i <= columns; ++i) {
        double top = 3.0;
        double height =
            j == nj ? top : base[i] + (top - base[i]) / nj * double(j);
        Point z(position(i), height);
        Point p = z * z;
        out.put(p.real(), digits, ' ');
        out.put(p.imag(), digits, '\n');
      }
  }

  void writeCells(Writer &out) const {
    for (int j = 0; j < nj && !out.failed(); ++j)
      for (int i = 0; i < columns; ++i)
        putRow(out, node(i, j), node(i + 1, j), node(i + 1, j + 1),
               node(i, j + 1));
  }

  void writeEdges(Writer &out) const {
    for (int j = 0; j < nj && !out.failed(); ++j)
      for (int i = 0; i < columns; ++i) {
        // Behind the aerofoil both ends of the first row meet.
        if (j == 0 && i < ni)
          putRow(out, node(i, 0), node(i + 1, 0), cell(columns - 1 - i, 0),
                 cell(i, 0));
        if (j < nj - 1)
          putRow(out, node(i, j + 1), node(i + 1, j + 1), cell(i, j),
                 cell(i, j + 1));
        if (i < columns - 1)
          putRow(out, node(i + 1, j), node(i + 1, j + 1), cell(i + 1, j),
                 cell(i, j));
      }
  }

  void writeBoundary(Writer &out) const {
    const int wall = 1, farField = 2;
    for (int i = ni; i < 2 * ni; ++i)
      putRow(out, node(i + 1, 0), node(i, 0), cell(i, 0), wall);
    for (int j = 0; j < nj; ++j)
      putRow(out, node(columns, j + 1), node(columns, j), cell(columns - 1, j),
             farField);
    for (int i = columns - 1; i >= 0; --i)
      putRow(out, node(i, nj), node(i + 1, nj), cell(i, nj - 1), farField);
    for (int j = nj - 1; j >= 0; --j)
      putRow(out, node(0, j), node(0, j + 1), cell(0, j), farField);
  }

  static void putRow(Writer &out, int a, int b, int c, int d) {
    out.put(a, ' ');
    out.put(b, ' ');
    out.put(c, ' ');
    out.put(d, '\n');
  }

  int ni, nj, columns;
  std::vector<double> base; // height of the lower boundary, per column
};

bool parseCount(const char *text, int &value) {
  const char *end = text + std::strlen(text);
  auto [stop, status] = std::from_chars(text, end, value);
  return status == std::errc() && stop == end && value >= 1;
}

int fail(const std::string &message) {
  std::fprintf(stderr, "airfoil-mesh: error: %s\n", message.c_str());
  return 1;
}

/// Writes to `path`, and replaces what was there only when all went well.
int writeMesh(const CMesh &mesh, int digits, const std::string &path) {
  namespace fs = std::filesystem;
  std::error_code status;
  // A pipe or a device cannot be replaced, and must not be removed.
  const bool inPlace =
      fs::exists(path, status) && !fs::is_regular_file(path, status);
  const std::string target = inPlace ? path : path + ".part";

  int error = 0;
  {
    Writer out(target);
    if (!out.failed())
      mesh.write(out, digits);
    error = out.close();
  }
  if (!error && !inPlace) {
    fs::rename(target, path, status);
    error = status.value();
  }
  if (!error)
    return 0;
  if (!inPlace)
    fs::remove(target, status);
  return fail("cannot write " + path + ": " + std::strerror(error));
}

} // namespace

int main(int argc, char **argv) {
  const bool exact = argc > 1 && !std::strcmp(argv[1], "--exact");
  char **args = argv + (exact ? 2 : 1);
  if (argv + argc - args != 3 || !std::strncmp(args[0], "--", 2)) {
    std::fprintf(
        stderr,
        "usage: airfoil-mesh [--exact] I J FILE\n"
        "Writes a mesh of 3*I*J cells around a NACA0012 aerofoil.\n"
        "I=400 J=600 gives 720,000 cells, I=800 J=1200 2,880,000.\n"
        "--exact: coordinates with 17 significant digits, not 6 decimals\n");
    return 2;
  }
  int ni = 0, nj = 0;
  for (auto [text, value] : {std::pair(args[0], &ni), std::pair(args[1], &nj)})
    if (!parseCount(text, *value))
      return fail("expected a positive number, found '" + std::string(text) +
                  "'");
  // Edges are the largest set, about 6*I*J; the bound is the reader's.
  const long long edges = (3LL * ni - 1) * nj + 3LL * ni * (nj - 1) + ni;
  if (edges > 500000000 || (3LL * ni + 1) * (nj + 1LL) > 500000000)
    return fail("the mesh would have " + std::to_string(edges) +
                " edges; at most 500000000 edges and nodes are supported");
  return writeMesh(CMesh(ni, nj), exact ? 17 : -1, args[2]);
}
