//===- PackDeviceCode.cpp - One image for all chips -----------------------===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OP2/Conversion/Chips.h"
#include "OP2/Conversion/CudaToolkit.h"
#include "OP2/Conversion/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

namespace mlir::op2 {
#define GEN_PASS_DEF_OP2PACKDEVICECODEPASS
#include "OP2/Conversion/Passes.h.inc"
} // namespace mlir::op2

using namespace mlir;
using namespace mlir::op2;

namespace {

/// A file in the directory for temporary ones, gone with the object.
struct TemporaryFile {
  explicit TemporaryFile(StringRef extension) {
    error = llvm::sys::fs::createTemporaryFile("op2", extension, path);
    remover.setFile(path, /*deleteIt=*/!error);
  }
  SmallString<128> path;
  std::error_code error;
  llvm::FileRemover remover;
};

/// PTX of one chip.
struct Code {
  StringRef chip;
  unsigned number;
  StringRef ptx;
};

class Packer {
public:
  Packer(gpu::BinaryOp binary, DeviceFormat format, StringRef cudaPath)
      : binary(binary), format(format), toolkit(cudaPath) {}

  LogicalResult run();

private:
  LogicalResult checkAssembly(ROCDL::ROCDLTargetAttr target);
  LogicalResult collect();
  LogicalResult checkLibdevice(const Code &code);
  LogicalResult assemble(const Code &code, TemporaryFile &cubin);
  LogicalResult makeFatbin(std::string &image);
  LogicalResult runTool(StringRef name, ArrayRef<std::string> arguments);
  LogicalResult readFile(const TemporaryFile &file, std::string &contents);
  LogicalResult writePtx(const Code &code, TemporaryFile &file);
  void replace(const Code &code, gpu::CompilationTarget kind, StringRef image);

  gpu::BinaryOp binary;
  DeviceFormat format;
  CudaToolkit toolkit;
  SmallVector<Code> codes; ///< oldest chip first
};

} // namespace

LogicalResult Packer::collect() {
  for (Attribute attribute : binary.getObjects()) {
    auto object = cast<gpu::ObjectAttr>(attribute);
    auto target = dyn_cast<NVVM::NVVMTargetAttr>(object.getTarget());
    if (!target || object.getFormat() != gpu::CompilationTarget::Assembly)
      return emitError(binary.getLoc(), "expected PTX objects only");
    std::optional<unsigned> number = getChipNumber(target.getChip());
    if (!number)
      return emitError(binary.getLoc(), "unknown chip '")
             << target.getChip() << "'";
    codes.push_back({target.getChip(), *number, object.getObject().getValue()});
    if (failed(checkLibdevice(codes.back())))
      return failure();
  }
  llvm::sort(codes,
             [](const Code &a, const Code &b) { return a.number < b.number; });
  return success();
}

/// Without libdevice the translation leaves its functions undefined, silently.
LogicalResult Packer::checkLibdevice(const Code &code) {
  size_t declaration = code.ptx.find(".extern .func");
  while (declaration != StringRef::npos) {
    StringRef rest = code.ptx.drop_front(declaration);
    StringRef header = rest.take_until([](char c) { return c == ';'; });
    size_t name = header.find("__nv_");
    if (name != StringRef::npos) {
      StringRef function = header.drop_front(name).take_while(
          [](char c) { return llvm::isAlnum(c) || c == '_'; });
      return emitError(binary.getLoc(), "libdevice not found: kernels need '")
             << function << "' of nvvm/libdevice/libdevice.10.bc, a part of "
             << "CUDA; looked in " << toolkit.describePlaces();
    }
    declaration = code.ptx.find(".extern .func", declaration + 1);
  }
  return success();
}

LogicalResult Packer::runTool(StringRef name, ArrayRef<std::string> arguments) {
  std::string program = toolkit.findProgram(name);
  if (program.empty())
    return emitError(binary.getLoc(), name)
           << " not found, which is needed for machine code; looked in "
           << toolkit.describePlaces()
           << ". The format isa (PTX) does without it";
  SmallVector<StringRef> command = {program};
  llvm::append_range(command, arguments);
  TemporaryFile output("log");
  if (output.error)
    return emitError(binary.getLoc(), "no temporary file: ")
           << output.error.message();
  std::optional<StringRef> redirects[] = {std::nullopt, StringRef(output.path),
                                          StringRef(output.path)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(program, command, std::nullopt,
                                         redirects, 0, 0, &message);
  if (status == 0)
    return success();
  std::string log;
  if (failed(readFile(output, log)))
    return failure();
  return emitError(binary.getLoc(), name) << " failed: " << message << log;
}

LogicalResult Packer::readFile(const TemporaryFile &file,
                               std::string &contents) {
  auto buffer = llvm::MemoryBuffer::getFile(file.path);
  if (!buffer)
    return emitError(binary.getLoc(), "cannot read ")
           << file.path << ": " << buffer.getError().message();
  contents = (*buffer)->getBuffer().str();
  return success();
}

LogicalResult Packer::writePtx(const Code &code, TemporaryFile &file) {
  std::error_code error = file.error;
  if (!error) {
    llvm::raw_fd_ostream stream(file.path, error);
    if (!error)
      stream << code.ptx;
  }
  if (error)
    return emitError(binary.getLoc(), "cannot write ")
           << file.path << ": " << error.message();
  return success();
}

LogicalResult Packer::assemble(const Code &code, TemporaryFile &cubin) {
  TemporaryFile ptx("ptx");
  if (cubin.error)
    return emitError(binary.getLoc(), "no temporary file for ")
           << code.chip << ": " << cubin.error.message();
  if (failed(writePtx(code, ptx)))
    return failure();
  return runTool("ptxas", {"-arch", code.chip.str(), "-O3",
                           ptx.path.str().str(), "-o", cubin.path.str().str()});
}

LogicalResult Packer::makeFatbin(std::string &image) {
  SmallVector<std::unique_ptr<TemporaryFile>> files;
  auto addFile = [&](StringRef extension) -> TemporaryFile & {
    files.push_back(std::make_unique<TemporaryFile>(extension));
    return *files.back();
  };
  TemporaryFile &fatbin = addFile("fatbin");
  SmallVector<std::string> arguments = {"-64", "--create",
                                        fatbin.path.str().str()};
  auto addImage = [&](StringRef kind, const Code &code, TemporaryFile &file) {
    arguments.push_back(("--image3=kind=" + kind + ",sm=" +
                         code.chip.drop_front(3) + ",file=" + file.path)
                            .str());
  };
  for (const Code &code : codes) {
    TemporaryFile &cubin = addFile("cubin");
    if (failed(assemble(code, cubin)))
      return failure();
    addImage("elf", code, cubin);
  }
  TemporaryFile &ptx = addFile("ptx");
  if (failed(writePtx(codes.back(), ptx)))
    return failure();
  addImage("ptx", codes.back(), ptx);
  if (failed(runTool("fatbinary", arguments)))
    return failure();
  return readFile(fatbin, image);
}

void Packer::replace(const Code &code, gpu::CompilationTarget kind,
                     StringRef image) {
  Builder builder(binary.getContext());
  for (Attribute attribute : binary.getObjects()) {
    auto object = cast<gpu::ObjectAttr>(attribute);
    if (cast<NVVM::NVVMTargetAttr>(object.getTarget()).getChip() != code.chip)
      continue;
    auto packed = gpu::ObjectAttr::get(object.getTarget(), kind,
                                       builder.getStringAttr(image));
    binary.setObjectsAttr(builder.getArrayAttr(packed));
    return;
  }
}

/// AMD's: the assembly of one chip, as it is.
LogicalResult Packer::checkAssembly(ROCDL::ROCDLTargetAttr target) {
  if (format == DeviceFormat::PTX)
    return success();
  return emitError(binary.getLoc(), "machine code for '")
         << target.getChip()
         << "' is not made; expected the format ptx, which is assembly";
}

LogicalResult Packer::run() {
  auto first = cast<gpu::ObjectAttr>(*binary.getObjects().begin());
  if (auto target = dyn_cast<ROCDL::ROCDLTargetAttr>(first.getTarget()))
    return checkAssembly(target);
  if (failed(collect()))
    return failure();
  if (format == DeviceFormat::PTX) {
    // Newer chips run what older ones do, not the other way round.
    replace(codes.front(), gpu::CompilationTarget::Assembly, codes.front().ptx);
    return success();
  }
  std::string image;
  if (format == DeviceFormat::Cubin) {
    if (codes.size() > 1)
      return emitError(binary.getLoc(),
                       "a cubin holds the code of one chip, but there "
                       "are ")
             << codes.size() << "; the format fatbin holds several";
    TemporaryFile cubin("cubin");
    if (failed(assemble(codes.front(), cubin)) ||
        failed(readFile(cubin, image)))
      return failure();
    replace(codes.front(), gpu::CompilationTarget::Binary, image);
    return success();
  }
  if (failed(makeFatbin(image)))
    return failure();
  replace(codes.back(), gpu::CompilationTarget::Fatbin, image);
  return success();
}

namespace {
struct OP2PackDeviceCodePass
    : public op2::impl::OP2PackDeviceCodePassBase<OP2PackDeviceCodePass> {
  using OP2PackDeviceCodePassBase::OP2PackDeviceCodePassBase;

  void runOnOperation() override {
    for (auto binary : getOperation().getOps<gpu::BinaryOp>())
      if (failed(Packer(binary, format, cudaPath).run()))
        return signalPassFailure();
  }
};
} // namespace
