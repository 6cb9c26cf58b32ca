// A grid of nodes, well numbered or not.

#include <random>
#include <vector>

/// The edges of width * height nodes: the numbers of two nodes each.
inline std::vector<int> gridEdges(int width, int height,
                                  const std::vector<int> &number) {
  std::vector<int> table;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      int node = y * width + x;
      for (int other : {x + 1 < width ? node + 1 : -1,
                        y + 1 < height ? node + width : -1})
        if (other >= 0)
          table.insert(table.end(), {number[node], number[other]});
    }
  return table;
}

/// Two values of each node, by its number.
inline std::vector<double> gridValues(const std::vector<int> &number) {
  std::vector<double> values(2 * number.size());
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = 1.0 + 1.0 / (number[n / 2] + 1.5 + double(n % 2));
  return values;
}

/// run("grid", number) row by row, run("shuffled", number) in no order.
template <class Run> void onGrids(int nodes, Run run) {
  std::vector<int> number(nodes);
  for (int n = 0; n < nodes; ++n)
    number[n] = n;
  run("grid", number);
  std::mt19937 random(3);
  for (int n = nodes - 1; n > 0; --n)
    std::swap(number[n], number[random() % (n + 1)]);
  run("shuffled", number);
}
