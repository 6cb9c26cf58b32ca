//===- Main.cpp - A tool for meshes -*- C++ -*-===//
//
// Part of op2-mlir, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Formats.h"

#include "Core/OutputFile.h"
#include "Core/Progress.h"
#include "op_lib_c.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>

using namespace op2::mesh;

namespace {
struct Command {
  char const *name;
  int (*run)(CommandLine &line);
  char const *help;
};
} // namespace

static Command const commands[] = {
    {"info", runInfo,
     "op2-mesh info FILE\n"
     "\n"
     "Prints the sizes of sets and, for each map, its valence and the "
     "bandwidth\n"
     "of the numbering; then looks for elements that occur twice, rows that "
     "lead\n"
     "twice to one element and edges that are no side of their cells. Exit\n"
     "status 1 if something is wrong.\n"},
    {"draw", runDraw,
     "op2-mesh draw FILE -o OUT.svg [options]\n"
     "\n"
     "Draws the mesh, and on it the plan that the runtime builds for a loop "
     "over\n"
     "a set. The loop adds to the cells (or, where no map leads there, to the\n"
     "nodes).\n"
     "\n"
     "  --set=edges|cells|bedges   what the loop goes over (edges)\n"
     "  --strategy=two-level|atomics|global\n"
     "                             how it avoids races (two-level)\n"
     "  --block-size=N             elements in a block (128)\n"
     "  --show=blocks              each block in a hue of its own, numbered\n"
     "        =block-colors        blocks by colour: those of one colour run "
     "at\n"
     "                             the same time (default)\n"
     "        =element-colors      elements by colour, numbered\n"
     "  --block=N                  only this block\n"
     "  --width=N                  pixels (640)\n"
     "\n"
     "op2-mesh draw FILE -o OUT.svg --field=DAT [--component=N] [--width=N]\n"
     "\n"
     "Draws a component (0) of a dat on cells or nodes as colours of the "
     "cells.\n"},
    {"generate", runGenerate,
     "op2-mesh generate quads|triangles NX NY -o FILE\n"
     "\n"
     "Makes a rectangle of NX * NY squares of side 1; as triangles, each is "
     "cut\n"
     "in two. The boundary has flag 1 (wall) at the bottom and the top, 2 "
     "(far\n"
     "field) left and right.\n"},
    {"shuffle", runShuffle,
     "op2-mesh shuffle FILE -o OUT [--seed=N] [--sets=SET,...]\n"
     "\n"
     "Numbers the elements of all sets, or of those named, at random: the "
     "same\n"
     "mesh with the worst locality. The same seed (1) gives the same numbers "
     "on\n"
     "every machine.\n"},
    {"convert", runConvert,
     "op2-mesh convert FILE -o OUT [--from=FORMAT] [--to=FORMAT]\n"
     "\n"
     "Writes the mesh in another format. Physical groups of Gmsh are the "
     "numbers in\n"
     "p_bound and p_region.\n"},
    {"xdmf", runXdmf,
     "op2-mesh xdmf MESH.h5 [RESULT.h5...] -o OUT.xdmf [options]\n"
     "\n"
     "Writes what ParaView needs to open HDF5 files that an OP2 program wrote: "
     "the\n"
     "mesh, and the dats on nodes and cells, of the mesh's own file or of "
     "each\n"
     "RESULT as a step in time. The HDF5 files stay where they are.\n"
     "\n"
     "  --cells=MAP                the map from cells to nodes (pcell)\n"
     "  --coordinates=DAT          the coordinates of nodes (p_x)\n"
     "  --cell-type=auto|line|triangle|quadrilateral|tetrahedron|hexahedron\n"
     "                             by the map's arity; 4 means "
     "quadrilaterals,\n"
     "                             unless there are bfaces (auto)\n"
     "  --node-dats=DAT,...        only these (all that have the size of the\n"
     "  --cell-dats=DAT,...        nodes or the cells)\n"},
};

static void printHelp(std::FILE *file) {
  // In GNU's form, from which help2man makes the manual page.
  const char *lead = "Usage: ";
  for (Command const &command : commands) {
    std::string text = command.help;
    std::fprintf(file, "%s%s\n", lead, text.substr(0, text.find('\n')).c_str());
    lead = "  or:  ";
  }
  std::fprintf(
      file,
      "\nLooks at meshes, draws them, makes them.\n"
      "\nop2-mesh COMMAND --help says more, op2-mesh --version which it is.\n"
      "Formats, by the ending of the file or by --format=NAME (convert: --from "
      "and\n--to): %s.\n",
      knownFormats().c_str());
}

static int run(Command const &command, std::vector<std::string> words) {
  for (std::string const &word : words)
    if (word == "--help" || word == "-h") {
      std::fputs(command.help, stdout);
      return 0;
    }
  CommandLine line(std::move(words));
  OP_diags = 1; // so that there is progress
  op2::rt::Progress const progress("op2-mesh " + std::string(command.name));
  int status = command.run(line);
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    throw Error("standard output: cannot write: " +
                std::string(std::strerror(errno)));
  return status;
}

int main(int argc, char **argv) {
  op2::rt::fillStandardStreams();
  std::signal(SIGXFSZ, SIG_IGN); // an error like others
  std::string name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h") {
    printHelp(stdout);
    return 0;
  }
  if (name == "--version") {
    std::puts("op2-mesh " OP2_VERSION);
    return 0;
  }
  for (Command const &command : commands) {
    if (name != command.name)
      continue;
    try {
      return run(command, {argv + 2, argv + argc});
    } catch (UsageError const &error) {
      std::fprintf(stderr, "op2-mesh %s: error: %s; see op2-mesh %s --help\n",
                   command.name, error.what(), command.name);
      return 2;
    } catch (Error const &error) {
      std::fprintf(stderr, "op2-mesh: error: %s\n", error.what());
      std::fflush(nullptr);
      // With a file that could not be written, HDF5 (1.10) crashes at the end.
      std::_Exit(1);
    } catch (std::bad_alloc const &) {
      std::fprintf(stderr, "op2-mesh: error: not enough memory\n");
      return 1;
    } catch (std::length_error const &) {
      std::fprintf(stderr, "op2-mesh: error: not enough memory\n");
      return 1;
    }
  }
  if (!name.empty())
    std::fprintf(stderr, "op2-mesh: error: unknown command '%s'\n\n",
                 name.c_str());
  printHelp(stderr);
  return 2;
}
