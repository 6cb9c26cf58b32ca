//===- DeviceTables.cpp - Memory that op_decl_const has declared *- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceTables.h"
#include "Core/Error.h"
#include "Core/Memory.h"
#include "Core/PerRun.h"
#include "DeviceCuda.h"
#include "DeviceGlobals.h"
#include "Execute/Loop.h"
#include "Fallback.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

using namespace op2::rt;

static constexpr int64_t kLine = 64;

namespace {
struct Table {
  char const *data;
  int64_t bytes;
  void *memory = nullptr;  ///< on the CUDA device, with a line more
  std::vector<char> value; ///< what the copy there has

  /// The copy is aligned as the table is.
  char *copy() const {
    return static_cast<char *>(memory) +
           reinterpret_cast<uintptr_t>(data) % kLine;
  }
};
} // namespace

/// No two overlap.
static PerRun<std::vector<Table>> tables;

void op2::rt::declareTable(void const *data, int64_t bytes) {
  auto const *first = static_cast<char const *>(data);
  std::vector<Table> &known = *tables;
  auto isReplaced = [&](Table &table) {
    if (!overlap(table.data, table.bytes, first, bytes))
      return false;
    if (table.memory)
      cudaDevice().release(table.memory);
    return true;
  };
  for (Table const &table : known)
    if (table.data == first && table.bytes == bytes)
      return;
  known.erase(std::remove_if(known.begin(), known.end(), isReplaced),
              known.end());
  known.push_back({first, bytes, nullptr, {}});
}

void op2::rt::forgetTableCopies() {
  for (Table &table : *tables) {
    table.memory = nullptr;
    table.value.clear();
  }
}

static Table *findTable(char const *place) {
  for (Table &table : *tables)
    if (table.data <= place && place < table.data + table.bytes)
      return &table;
  return nullptr;
}

static char const *pointerIn(void const *variable) {
  char const *place = nullptr;
  std::memcpy(&place, variable, sizeof place);
  return place;
}

/// The table behind the pointer in a variable; null if it is none. The newest
/// values of a dat may be elsewhere.
static Table *findTableOf(void const *variable) {
  Table *table = findTable(pointerIn(variable));
  auto const &dats = registry().dats;
  bool isOfDat =
      table && std::any_of(dats.begin(), dats.end(), [&](Dat const *dat) {
        return overlap(table->data, table->bytes, dat->data, dat->bytes) ||
               overlap(table->data, table->bytes, rowData(dat), rowBytes(dat));
      });
  return isOfDat ? nullptr : table;
}

void op2::rt::settleTables(op2rt_loop_desc const &desc) {
  for (int64_t n = 0; n < desc.npointers; ++n)
    if (Table const *table = findTableOf(desc.pointers[n]))
      settleGlobals(table->data, table->bytes);
}

static std::string describeUnknown(char const *name) {
  return "its kernel reads what the pointer '" + std::string(name) +
         "' leads to, of which op_decl_const has not been told";
}

extern "C" int32_t op2rt_select_target_with_tables(uint32_t mask,
                                                   char const *loop_name,
                                                   op2rt_table const *used,
                                                   int64_t count) try {
  int32_t target = op2rt_select_target(mask, loop_name);
  if (isDeviceTarget(target)) {
    op2rt_table const *unknown =
        std::find_if(used, used + count, [](op2rt_table const &table) {
          return pointerIn(table.pointer) && !findTableOf(table.pointer);
        });
    if (unknown == used + count)
      return target;
    target = selectHostTarget(mask, loop_name, describeUnknown(unknown->name));
  }
  // Pointers may lead to dats whose values are on a device.
  op2rt_variable_read(nullptr, std::numeric_limits<int64_t>::max());
  return target;
} catch (std::bad_alloc const &) {
  endWithoutMemory("device data");
}

extern "C" void op2rt_device_table(op2rt_device_image *image, char const *name,
                                   void const *host) try {
  settleGlobals(host, sizeof(void *));
  char const *place = pointerIn(host);
  if (place) {
    Table *table = findTableOf(host);
    if (!table)
      fatal(Problem::Pointer, "%s%s", inLoop().c_str(),
            describeUnknown(name).c_str());
    CudaDevice &device = cudaDevice();
    settleGlobals(table->data, table->bytes);
    auto count = static_cast<std::size_t>(table->bytes);
    if (!table->memory)
      table->memory =
          device.allocate(table->bytes + kLine, "tables of the program");
    if (table->value.size() != count ||
        std::memcmp(table->value.data(), table->data, count) != 0) {
      table->value.assign(table->data, table->data + count);
      device.upload(table->copy(), table->value.data(), table->bytes);
    }
    place = table->copy() + (place - table->data);
  }
  op2rt_device_constant(image, name, &place, sizeof place);
} catch (std::bad_alloc const &) {
  endWithoutMemory("device data");
}
