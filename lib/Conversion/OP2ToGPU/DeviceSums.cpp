//===- DeviceSums.cpp - Exact sums on devices -----------------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceSums.h"
#include "OP2/Dialect/Ranges.h"
#include "OP2/Runtime/op2rt_device.h"
#include "OP2/Transforms/PrivateMemory.h"
#include "ReductionBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::op2;

// A sum has the words of the host's (ExactSum::State): 68 digits of 32 bits,
// least first, of which bit 0 is 2^-1074, then how often a term was NaN,
// infinite, minus infinite, or anything but -0.0. Digits may be negative and
// have carries until the sum is finished. Neighbouring blocks add to different
// copies of it.
static_assert(OP2RT_EXACT_SUM_WORDS == 72);

// The mantissas of a warp's terms are cut at common places: pieces of 58 bits,
// from the greatest term's first bit down, of which 32 have a sum of 64 bits.
// Lanes 0 to 2 add the digits that it touches. Terms of some 40 binary orders
// of magnitude take two pieces.
static constexpr char kFunctions[] = R"mlir(
// 72 words, and of each warp the first and the last digit that is not 0.
!digits = memref<78xi64, #gpu.address_space<workgroup>>

// The greatest and the least of a warp's.
func.func private @__op2_warp_extent(%own_top: i32, %own_least: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %i1 = arith.constant 1 : i32
  %i16 = arith.constant 16 : i32
  %i32 = arith.constant 32 : i32
  %extent:3 = scf.for %step = %c0 to %c5 step %c1
      iter_args(%offset = %i16, %top = %own_top, %least = %own_least) -> (i32, i32, i32) {
    %other_top, %top_valid = gpu.shuffle xor %top, %offset, %i32 : i32
    %other_least, %least_valid = gpu.shuffle xor %least, %offset, %i32 : i32
    %new_top = arith.maxsi %top, %other_top : i32
    %new_least = arith.minsi %least, %other_least : i32
    %half = arith.shrui %offset, %i1 : i32
    scf.yield %half, %new_top, %new_least : i32, i32, i32
  }
  return %extent#1, %extent#2 : i32, i32
}

func.func private @__op2_add_term(%term: f64, %sum: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c32 = arith.constant 32 : index
  %nan = arith.constant 68 : index
  %plus_infinity = arith.constant 69 : index
  %minus_infinity = arith.constant 70 : index
  %not_minus_zero = arith.constant 71 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i3 = arith.constant 3 : i32
  %i16 = arith.constant 16 : i32
  %i31 = arith.constant 31 : i32
  %i32 = arith.constant 32 : i32
  %i53 = arith.constant 53 : i32
  %i63 = arith.constant 63 : i32
  %piece_bits = arith.constant 58 : i32
  %special_field = arith.constant 2047 : i32
  %of_zero = arith.constant 4095 : i32
  %of_none = arith.constant 4096 : i32
  %l0 = arith.constant 0 : i64
  %l1 = arith.constant 1 : i64
  %l52 = arith.constant 52 : i64
  %digit_mask = arith.constant 0xffffffff : i64
  %mantissa_mask = arith.constant 0xfffffffffffff : i64
  %hidden_bit = arith.constant 0x10000000000000 : i64
  %size_mask = arith.constant 0x7fffffffffffffff : i64
  %infinity = arith.constant 0x7ff0000000000000 : i64
  %words = op2.ptr_cast %sum : !llvm.ptr -> memref<72xi64>
  %thread = gpu.thread_id x
  %lane_index = arith.remui %thread, %c32 : index
  %lane = arith.index_cast %lane_index : index to i32
  %is_first = arith.cmpi eq, %lane, %i0 : i32

  // The term: a mantissa at a place, which is counted in bits of the digits.
  %bits = arith.bitcast %term : f64 to i64
  %is_minus = arith.cmpi slt, %bits, %l0 : i64
  %size = arith.andi %bits, %size_mask : i64
  %field_long = arith.shrui %size, %l52 : i64
  %field = arith.trunci %field_long : i64 to i32
  %is_special = arith.cmpi eq, %field, %special_field : i32
  scf.if %is_special {
    %is_nan = arith.cmpi ugt, %size, %infinity : i64
    %signed_infinity = arith.select %is_minus, %minus_infinity, %plus_infinity : index
    %which = arith.select %is_nan, %nan, %signed_infinity : index
    %old = memref.atomic_rmw addi %l1, %words[%which] : (i64, memref<72xi64>) -> i64
  }
  %is_denormal = arith.cmpi eq, %field, %i0 : i32
  %first_bit = arith.select %is_denormal, %l0, %hidden_bit : i64
  %other_bits = arith.andi %size, %mantissa_mask : i64
  %finite = arith.ori %other_bits, %first_bit : i64
  %mantissa = arith.select %is_special, %l0, %finite : i64
  %field_less = arith.subi %field, %i1 : i32
  %place = arith.maxsi %field_less, %i0 : i32

  // The bits that the warp's terms lie in.
  %is_zero = arith.cmpi eq, %mantissa, %l0 : i64
  %is_nothing = arith.ori %is_minus, %is_special : i1
  %least_of_zero = arith.select %is_nothing, %of_none, %of_zero : i32
  %own_least = arith.select %is_zero, %least_of_zero, %place : i32
  %place_above = arith.addi %place, %i53 : i32
  %own_top = arith.select %is_zero, %i0, %place_above : i32
  %extent:2 = func.call @__op2_warp_extent(%own_top, %own_least) : (i32, i32) -> (i32, i32)
  %is_any = arith.cmpi slt, %extent#1, %of_none : i32
  %notes = arith.andi %is_any, %is_first : i1
  scf.if %notes {
    %old = memref.atomic_rmw addi %l1, %words[%not_minus_zero] : (i64, memref<72xi64>) -> i64
  }

  scf.while (%rest = %mantissa, %top = %extent#0) : (i64, i32) -> (i64, i32) {
    %is_more = arith.cmpi sgt, %top, %extent#1 : i32
    scf.condition(%is_more) %rest, %top : i64, i32
  } do {
  ^bb0(%rest: i64, %top: i32):
    %low = arith.subi %top, %piece_bits : i32
    %base = arith.maxsi %low, %i0 : i32
    // The bits of the rest from `base` on.
    %up = arith.subi %place, %base : i32
    %down = arith.subi %base, %place : i32
    %is_up = arith.cmpi sge, %up, %i0 : i32
    %up_least = arith.maxsi %up, %i0 : i32
    %up_most = arith.minsi %up_least, %i63 : i32
    %up_by = arith.extui %up_most : i32 to i64
    %down_least = arith.maxsi %down, %i0 : i32
    %down_most = arith.minsi %down_least, %i63 : i32
    %down_by = arith.extui %down_most : i32 to i64
    %raised = arith.shli %rest, %up_by : i64
    %lowered = arith.shrui %rest, %down_by : i64
    %piece = arith.select %is_up, %raised, %lowered : i64
    %lowered_back = arith.shli %lowered, %down_by : i64
    %taken = arith.select %is_up, %rest, %lowered_back : i64
    %left = arith.subi %rest, %taken : i64
    %minus_piece = arith.subi %l0, %piece : i64
    %own = arith.select %is_minus, %minus_piece, %piece : i64
    %all:2 = scf.for %step = %c0 to %c5 step %c1
        iter_args(%offset = %i16, %mine = %own) -> (i32, i64) {
      %other, %valid = gpu.shuffle xor %mine, %offset, %i32 : i64
      %both = arith.addi %mine, %other : i64
      %half = arith.shrui %offset, %i1 : i32
      scf.yield %half, %both : i32, i64
    }
    // Digit `lane` of it.
    %all_minus = arith.cmpi slt, %all#1, %l0 : i64
    %negated = arith.subi %l0, %all#1 : i64
    %all_size = arith.select %all_minus, %negated, %all#1 : i64
    %shift = arith.andi %base, %i31 : i32
    %shift_long = arith.extui %shift : i32 to i64
    %lane_bits = arith.muli %lane, %i32 : i32
    %right = arith.subi %lane_bits, %shift : i32
    %right_least = arith.maxsi %right, %i0 : i32
    %right_most = arith.minsi %right_least, %i63 : i32
    %right_long = arith.extui %right_most : i32 to i64
    %first_digit = arith.shli %all_size, %shift_long : i64
    %next_digit = arith.shrui %all_size, %right_long : i64
    %wide_digit = arith.select %is_first, %first_digit, %next_digit : i64
    %digit = arith.andi %wide_digit, %digit_mask : i64
    %minus_digit = arith.subi %l0, %digit : i64
    %signed_digit = arith.select %all_minus, %minus_digit, %digit : i64
    %has_digit = arith.cmpi ult, %lane, %i3 : i32
    scf.if %has_digit {
      %base_index = arith.index_cast %base : i32 to index
      %base_digit = arith.divui %base_index, %c32 : index
      %number = arith.addi %base_digit, %lane_index : index
      %old = memref.atomic_rmw addi %signed_digit, %words[%number] : (i64, memref<72xi64>) -> i64
    }
    scf.yield %left, %base : i64, i32
  }
  return
}

// Keeps the thread's word, and of each warp, behind the 72 words, which of its
// digits that are not 0 is the first and, behind these, which is the last.
func.func private @__op2_keep_word(%digits: !digits, %word: i64) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %num_words = arith.constant 72 : index
  %after_firsts = arith.constant 75 : index
  %num_digits = arith.constant 68 : i32
  %none = arith.constant -1 : i32
  %l0 = arith.constant 0 : i64
  %thread = gpu.thread_id x
  %number = arith.index_cast %thread : index to i32
  %is_digit = arith.cmpi ult, %number, %num_digits : i32
  %is_not_zero = arith.cmpi ne, %word, %l0 : i64
  %counts = arith.andi %is_digit, %is_not_zero : i1
  %own_last = arith.select %counts, %number, %none : i32
  %own_first = arith.select %counts, %number, %num_digits : i32
  %extent:2 = func.call @__op2_warp_extent(%own_last, %own_first) : (i32, i32) -> (i32, i32)
  %has_word = arith.cmpi ult, %thread, %num_words : index
  scf.if %has_word {
    memref.store %word, %digits[%thread] : !digits
  }
  %lane = arith.remui %thread, %c32 : index
  %is_first = arith.cmpi eq, %lane, %c0 : index
  scf.if %is_first {
    %warp = arith.divui %thread, %c32 : index
    %first_place = arith.addi %warp, %num_words : index
    %last_place = arith.addi %warp, %after_firsts : index
    %last = arith.extsi %extent#0 : i32 to i64
    %first = arith.extsi %extent#1 : i32 to i64
    memref.store %first, %digits[%first_place] : !digits
    memref.store %last, %digits[%last_place] : !digits
  }
  return
}

// 53 bits of the digits from `place` on.
func.func private @__op2_digit_bits(%digits: !digits, %place: i32) -> i64 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i5 = arith.constant 5 : i32
  %i31 = arith.constant 31 : i32
  %l0 = arith.constant 0 : i64
  %l32 = arith.constant 32 : i64
  %l63 = arith.constant 63 : i64
  %l64 = arith.constant 64 : i64
  %mask = arith.constant 0x1fffffffffffff : i64
  %number = arith.shrui %place, %i5 : i32
  %n0 = arith.index_cast %number : i32 to index
  %n1 = arith.addi %n0, %c1 : index
  %n2 = arith.addi %n0, %c2 : index
  %shift_short = arith.andi %place, %i31 : i32
  %shift = arith.extui %shift_short : i32 to i64
  %d0 = memref.load %digits[%n0] : !digits
  %d1 = memref.load %digits[%n1] : !digits
  %d2 = memref.load %digits[%n2] : !digits
  %d1_up = arith.shli %d1, %l32 : i64
  %both = arith.ori %d0, %d1_up : i64
  %low = arith.shrui %both, %shift : i64
  %wide = arith.subi %l64, %shift : i64
  %up = arith.minui %wide, %l63 : i64
  %d2_up = arith.shli %d2, %up : i64
  %is_whole = arith.cmpi eq, %shift, %l0 : i64
  %high = arith.select %is_whole, %l0, %d2_up : i64
  %all = arith.ori %low, %high : i64
  %bits = arith.andi %all, %mask : i64
  return %bits : i64
}

// The sum, rounded to nearest, ties to even: the bits of a number whose mantissa
// has `mantissa_bits`, and whose least is at place `least`, without its sign; and
// that.
func.func private @__op2_round_sum(%digits: !digits, %mantissa_bits: i32, %least: i32, %infinite_field: i64) -> (i64, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c72 = arith.constant 72 : index
  %c73 = arith.constant 73 : index
  %c74 = arith.constant 74 : index
  %c75 = arith.constant 75 : index
  %c76 = arith.constant 76 : index
  %c77 = arith.constant 77 : index
  %num_digits = arith.constant 68 : index
  %nan = arith.constant 68 : index
  %plus_infinity = arith.constant 69 : index
  %minus_infinity = arith.constant 70 : index
  %not_minus_zero = arith.constant 71 : index
  %none = arith.constant -1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i5 = arith.constant 5 : i32
  %i31 = arith.constant 31 : i32
  %l0 = arith.constant 0 : i64
  %l1 = arith.constant 1 : i64
  %l32 = arith.constant 32 : i64
  %l64 = arith.constant 64 : i64
  %digit_mask = arith.constant 0xffffffff : i64
  %false = arith.constant false

  // Carries, from the first digit that is not 0 to the one behind the last: there
  // one of less than 32 bits arrives. The last one is the sign.
  %first0 = memref.load %digits[%c72] : !digits
  %first1 = memref.load %digits[%c73] : !digits
  %first2 = memref.load %digits[%c74] : !digits
  %last0 = memref.load %digits[%c75] : !digits
  %last1 = memref.load %digits[%c76] : !digits
  %last2 = memref.load %digits[%c77] : !digits
  %first01 = arith.minsi %first0, %first1 : i64
  %first_long = arith.minsi %first01, %first2 : i64
  %begin = arith.index_cast %first_long : i64 to index
  %last01 = arith.maxsi %last0, %last1 : i64
  %last_long = arith.maxsi %last01, %last2 : i64
  %last_index = arith.index_cast %last_long : i64 to index
  %behind = arith.addi %last_index, %c2 : index
  %end = arith.minsi %behind, %num_digits : index
  %sign = scf.for %n = %begin to %end step %c1 iter_args(%carry = %l0) -> (i64) {
    %digit = memref.load %digits[%n] : !digits
    %more = arith.addi %digit, %carry : i64
    %kept = arith.andi %more, %digit_mask : i64
    memref.store %kept, %digits[%n] : !digits
    %next = arith.shrsi %more, %l32 : i64
    scf.yield %next : i64
  }
  %is_minus = arith.cmpi slt, %sign, %l0 : i64
  // The absolute value, and its greatest digit that is not 0.
  %found:2 = scf.for %n = %begin to %end step %c1
      iter_args(%carry = %l0, %greatest = %none) -> (i64, index) {
    %digit = memref.load %digits[%n] : !digits
    %negated = arith.subi %l0, %digit : i64
    %own = arith.select %is_minus, %negated, %digit : i64
    %more = arith.addi %own, %carry : i64
    %kept = arith.andi %more, %digit_mask : i64
    memref.store %kept, %digits[%n] : !digits
    %next = arith.shrsi %more, %l32 : i64
    %is_zero = arith.cmpi eq, %kept, %l0 : i64
    %new = arith.select %is_zero, %greatest, %n : index
    scf.yield %next, %new : i64, index
  }
  %is_zero = arith.cmpi eq, %found#1, %none : index
  %greatest = arith.maxsi %found#1, %c0 : index
  %first = memref.load %digits[%greatest] : !digits
  %zeros = math.ctlz %first : i64
  %first_width = arith.subi %l64, %zeros : i64
  %greatest_long = arith.index_cast %greatest : index to i64
  %whole_width = arith.muli %greatest_long, %l32 : i64
  %width_long = arith.addi %whole_width, %first_width : i64
  %width = arith.trunci %width_long : i64 to i32

  // What is rounded, and the place of the last bit that stays.
  %bits_more = arith.addi %mantissa_bits, %i1 : i32
  %normal_place = arith.subi %width, %bits_more : i32
  %place = arith.maxsi %normal_place, %least : i32
  %mantissa = func.call @__op2_digit_bits(%digits, %place) : (!digits, i32) -> i64
  %place_less = arith.subi %place, %i1 : i32
  %below = arith.maxsi %place_less, %i0 : i32
  %from_below = func.call @__op2_digit_bits(%digits, %below) : (!digits, i32) -> i64
  %half = arith.andi %from_below, %l1 : i64
  %below_digit = arith.shrui %below, %i5 : i32
  %below_index = arith.index_cast %below_digit : i32 to index
  %others = scf.for %n = %begin to %below_index step %c1 iter_args(%any = %l0) -> (i64) {
    %digit = memref.load %digits[%n] : !digits
    %new = arith.ori %any, %digit : i64
    scf.yield %new : i64
  }
  %last = memref.load %digits[%below_index] : !digits
  %below_shift = arith.andi %below, %i31 : i32
  %below_long = arith.extui %below_shift : i32 to i64
  %below_bit = arith.shli %l1, %below_long : i64
  %below_mask = arith.subi %below_bit, %l1 : i64
  %last_bits = arith.andi %last, %below_mask : i64
  %smaller = arith.ori %others, %last_bits : i64
  %is_smaller = arith.cmpi ne, %smaller, %l0 : i64
  %odd = arith.andi %mantissa, %l1 : i64
  %is_odd = arith.cmpi ne, %odd, %l0 : i64
  %is_half = arith.cmpi ne, %half, %l0 : i64
  %is_more = arith.ori %is_smaller, %is_odd : i1
  %is_up = arith.andi %is_half, %is_more : i1
  %has_below = arith.cmpi sgt, %place, %i0 : i32
  %rounds_up = arith.andi %is_up, %has_below : i1
  %up = arith.extui %rounds_up : i1 to i64

  // The first bit of a normal number adds 1 to the field before it, and so does
  // a carry out of the mantissa.
  %field_short = arith.subi %place, %least : i32
  %field = arith.extui %field_short : i32 to i64
  %mantissa_long = arith.extui %mantissa_bits : i32 to i64
  %field_bits = arith.shli %field, %mantissa_long : i64
  %unrounded = arith.addi %field_bits, %mantissa : i64
  %rounded = arith.addi %unrounded, %up : i64
  %infinity = arith.shli %infinite_field, %mantissa_long : i64
  %number = arith.minui %rounded, %infinity : i64

  // Zero has a minus if all terms had; then what is no number.
  %some = memref.load %digits[%not_minus_zero] : !digits
  %are_minus_zero = arith.cmpi eq, %some, %l0 : i64
  %zero_minus = arith.andi %is_zero, %are_minus_zero : i1
  %number_minus = arith.ori %is_minus, %zero_minus : i1
  %nans = memref.load %digits[%nan] : !digits
  %pluses = memref.load %digits[%plus_infinity] : !digits
  %minuses = memref.load %digits[%minus_infinity] : !digits
  %has_nan = arith.cmpi ne, %nans, %l0 : i64
  %has_plus = arith.cmpi ne, %pluses, %l0 : i64
  %has_minus = arith.cmpi ne, %minuses, %l0 : i64
  %has_both = arith.andi %has_plus, %has_minus : i1
  %is_nan = arith.ori %has_nan, %has_both : i1
  %has_infinity = arith.ori %has_plus, %has_minus : i1
  %mantissa_less = arith.subi %mantissa_long, %l1 : i64
  %quiet = arith.shli %l1, %mantissa_less : i64
  %quiet_nan = arith.ori %infinity, %quiet : i64
  %large = arith.select %has_infinity, %infinity, %number : i64
  %large_minus = arith.select %has_infinity, %has_minus, %number_minus : i1
  %result = arith.select %is_nan, %quiet_nan, %large : i64
  %result_minus = arith.select %is_nan, %false, %large_minus : i1
  return %result, %result_minus : i64, i1
}
)mlir";

/// The words of sums: memref<sums x words>.
static MemRefType getWords(OpBuilder &builder) {
  return MemRefType::get({ShapedType::kDynamic, OP2RT_EXACT_SUM_WORDS},
                         builder.getI64Type());
}

/// The function with this name, in the device module with what it calls.
static func::FuncOp getFunction(gpu::GPUModuleOp device, StringRef name) {
  if (auto known = SymbolTable(device).lookup<func::FuncOp>(name))
    return known;
  OwningOpRef<ModuleOp> source =
      parseSourceString<ModuleOp>(kFunctions, device.getContext());
  assert(source && "expected functions that can be parsed");
  SymbolTable symbols(device);
  for (auto function : source->getOps<func::FuncOp>())
    if (!symbols.lookup(function.getName()))
      symbols.insert(function.clone());
  return symbols.lookup<func::FuncOp>(name);
}

void op2::addTerms(OpBuilder &builder, Location loc, gpu::GPUModuleOp device,
                   Value term, Value sums, Value block, Value component,
                   int64_t dim) {
  func::FuncOp addTerm = getFunction(device, "__op2_add_term");
  if (!term.getType().isF64())
    term = arith::ExtFOp::create(builder, loc, builder.getF64Type(), term);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value copy = arith::RemUIOp::create(builder, loc, block,
                                      constant(OP2RT_DEVICE_SUM_COPIES));
  Value number = arith::AddIOp::create(
      builder, loc, arith::MulIOp::create(builder, loc, copy, constant(dim)),
      component);
  Value words =
      PtrCastOp::create(builder, loc, getWords(builder), sums, ValueRange());
  Value sum = RowOp::create(builder, loc,
                            LLVM::LLVMPointerType::get(builder.getContext()),
                            words, number);
  func::CallOp::create(builder, loc, addTerm, ValueRange{term, sum});
}

namespace {
/// Builds the body of a kernel that finishes sums.
class SumFinisher {
public:
  SumFinisher(gpu::GPUModuleOp device, gpu::GPUFuncOp kernel, FloatType type)
      : device(device), kernel(kernel), type(type), loc(kernel.getLoc()),
        builder(OpBuilder::atBlockBegin(&kernel.getBody().front())) {}

  void build();

private:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  void addBefore(Value before);
  Value collect();
  Value round(Value digits);

  gpu::GPUModuleOp device;
  gpu::GPUFuncOp kernel;
  FloatType type;
  Location loc;
  OpBuilder builder;
  Value component, thread, words;
};
} // namespace

/// The first warp adds what the global has to one of the copies.
void SumFinisher::addBefore(Value before) {
  Value isInWarp = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ult, thread, constant(kWarpSize));
  auto warp = scf::IfOp::create(builder, loc, isInWarp);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(warp.thenBlock());
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        thread, constant(0));
  Value term =
      arith::SelectOp::create(builder, loc, isFirst, before,
                              createAdditiveIdentity(builder, loc, type));
  addTerms(builder, loc, device, term, kernel.getArgument(0), constant(0),
           component, /*dim=*/1);
}

/// Each thread adds up the copies of one word, and clears them. It asks for all
/// of them first: behind a store each would be waited for.
Value SumFinisher::collect() {
  Value hasWord =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, thread,
                            constant(OP2RT_EXACT_SUM_WORDS));
  Value zero =
      arith::ConstantIntOp::create(builder, loc, builder.getI64Type(), 0);
  auto branch = scf::IfOp::create(builder, loc, zero.getType(), hasWord,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, zero);
  builder.setInsertionPointToStart(branch.thenBlock());
  constexpr uint64_t kAlignment = sizeof(int64_t);
  SmallVector<Value> sums = {component};
  while (sums.size() < OP2RT_DEVICE_SUM_COPIES)
    sums.push_back(arith::AddIOp::create(builder, loc, sums.back(),
                                         kernel.getArgument(1)));
  SmallVector<Value> copies;
  for (Value sum : sums) {
    auto word =
        memref::LoadOp::create(builder, loc, words, ValueRange{sum, thread});
    word.setAlignment(kAlignment);
    copies.push_back(word);
  }
  for (Value sum : sums)
    memref::StoreOp::create(builder, loc, zero, words, ValueRange{sum, thread})
        .setAlignment(kAlignment);
  Value all = zero;
  for (Value word : copies)
    all = arith::AddIOp::create(builder, loc, all, word);
  scf::YieldOp::create(builder, loc, all);
  return branch.getResult(0);
}

Value SumFinisher::round(Value digits) {
  const llvm::fltSemantics &format = type.getFloatSemantics();
  unsigned mantissaBits = llvm::APFloat::semanticsPrecision(format) - 1;
  // Of the least number, counted from that of a double.
  int64_t least = 1074 + llvm::APFloat::semanticsMinExponent(format) -
                  int64_t(mantissaBits);
  int64_t infiniteField = 2 * llvm::APFloat::semanticsMaxExponent(format) + 1;
  auto number = [&](Type integer, int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, integer, value);
  };
  Type i32 = builder.getI32Type(), i64 = builder.getI64Type();
  auto rounded = func::CallOp::create(
      builder, loc, getFunction(device, "__op2_round_sum"),
      ValueRange{digits, number(i32, mantissaBits), number(i32, least),
                 number(i64, infiniteField)});
  unsigned width = type.getWidth();
  Value sign = arith::SelectOp::create(
      builder, loc, rounded.getResult(1),
      number(i64, int64_t(uint64_t(1) << (width - 1))), number(i64, 0));
  Value bits = arith::OrIOp::create(builder, loc, rounded.getResult(0), sign);
  Type integer = builder.getIntegerType(width);
  if (width < 64)
    bits = arith::TruncIOp::create(builder, loc, integer, bits);
  return arith::BitcastOp::create(builder, loc, type, bits);
}

void SumFinisher::build() {
  component = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  thread = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  words = PtrCastOp::create(builder, loc, getWords(builder),
                            kernel.getArgument(0), ValueRange());
  Value global = PtrCastOp::create(builder, loc,
                                   MemRefType::get(ShapedType::kDynamic, type),
                                   kernel.getArgument(2), ValueRange());
  Value digits = kernel.getWorkgroupAttributions().front();
  addBefore(memref::LoadOp::create(builder, loc, global, component));
  gpu::BarrierOp::create(builder, loc);
  func::CallOp::create(builder, loc, getFunction(device, "__op2_keep_word"),
                       ValueRange{digits, collect()});
  gpu::BarrierOp::create(builder, loc);
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        thread, constant(0));
  auto first = scf::IfOp::create(builder, loc, isFirst);
  gpu::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(first.thenBlock());
  memref::StoreOp::create(builder, loc, round(digits), global, component);
}

gpu::GPUFuncOp op2::getFinishSum(gpu::GPUModuleOp device, FloatType type) {
  std::string name = ("__op2_finish_sum_f" + Twine(type.getWidth())).str();
  if (auto known = SymbolTable(device).lookup<gpu::GPUFuncOp>(name))
    return known;
  OpBuilder builder(device.getContext());
  Type pointer = LLVM::LLVMPointerType::get(device.getContext());
  // Words, and of each warp the first and the last of them.
  int64_t numKept = OP2RT_EXACT_SUM_WORDS + 2 * kSumThreads / kWarpSize;
  auto digits = MemRefType::get(
      {numKept}, builder.getI64Type(), MemRefLayoutAttrInterface(),
      gpu::AddressSpaceAttr::get(device.getContext(),
                                 gpu::AddressSpace::Workgroup));
  gpu::GPUFuncOp kernel = createFinishKernel(
      device, name, {pointer, builder.getIndexType(), pointer}, kSumThreads,
      digits);
  SumFinisher(device, kernel, type).build();
  return kernel;
}
