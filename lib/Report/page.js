// The page about the loops of a program. Its data are in the elements
// script.data: one for each source file ("unit"), written by the compiler, and
// one of the latest run ("run"), written by libop2. All texts become text nodes.
"use strict";

const problems = [];
const units = [];
let run = null;
for (const element of document.querySelectorAll("script.data")) {
  try {
    const data = JSON.parse(element.textContent);
    if (data.kind === "unit" && data.loops.length) units.push(data);
    if (data.kind === "run") run = data;
  } catch (problem) {
    problems.push(`a file of the folder is no JSON: ${problem.message}`);
  }
}

/// With attributes and children, which may be texts.
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith("on")) element[name] = value;
    else element.setAttribute(name, value);
  element.append(...children.filter((child) => child != null).map((child) =>
    child instanceof Node ? child : String(child)));
  return element;
}
const make = (tag, attributes = {}, ...children) =>
  fill(document.createElement(tag), attributes, children);
const draw = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const byId = (id) => document.getElementById(id);
const baseName = (path) => path.slice(path.lastIndexOf("/") + 1);
const number = (value, digits = 3) =>
  value == null ? "" : Number(value.toPrecision(digits)).toString();
const seconds = (value) => (value == null ? "" : value.toFixed(6));

function table(target, heads, rows) {
  target.replaceChildren(
    make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", {}, head)))),
    make("tbody", {}, ...rows));
}

//===----------------------------------------------------------------------===//
// Loops, with what was measured
//===----------------------------------------------------------------------===//

const loops = units.flatMap((unit) =>
  unit.loops.map((loop) => ({ ...loop, unit, measured: [] })));
/// Rows of the run that belong to no loop whose source is here.
const others = [];
for (const row of run ? run.loops : []) {
  const matches = loops.filter((loop) => loop.name === row.name);
  const loop = matches.find((match) => match.location === row.location) ??
    (matches.length === 1 ? matches[0] : null);
  if (loop) loop.measured.push(row);
  else others.push({ name: row.name, remarks: [], flushes: [], code: [], measured: [row] });
}
const allLoops = [...loops, ...others];

function placeText(loop) {
  if (!loop.place) return "";
  return `${baseName(loop.unit.files[loop.place[0]].path)}:${loop.place[1]}`;
}

function outcome(loop) {
  const find = (topic) => loop.remarks.find((remark) => remark.topic === topic);
  return (find("fallback") ?? find("elements") ?? find("device") ?? find("targets") ??
    find("fusion"))?.text ?? "";
}

const busy = (row) => row.seconds - row.planSeconds;
const rate = (row) => (busy(row) > 0 ? row.bytes / busy(row) : null);
const share = (row) =>
  run.machine && rate(row) != null ? rate(row) / run.machine.bytesPerSecond : null;
/// Floating-point operations for each useful byte.
function intensity(loop, row) {
  return loop.operations > 0 && row.bytesOnce > 0
    ? (loop.operations * row.elementsOnce) / row.bytesOnce : null;
}

function showOverview() {
  const heads = ["loop", "place", "what it became"];
  const measuredHeads = ["ran", "count", "time s", "plans s", "GB", "GB/s", "share",
    "held back by"];
  const rows = allLoops.flatMap((loop) => {
    const measured = loop.measured.length ? loop.measured : [null];
    return measured.map((row, n) => make("tr", { "data-loop": allLoops.indexOf(loop),
      onclick: () => showLoop(loop) },
      make("td", { class: "name" }, n ? "" : loop.name),
      make("td", {}, n ? "" : placeText(loop)),
      make("td", { class: "text" }, n ? "" : outcome(loop)),
      ...(row ? [
        make("td", {}, `${row.target}, ${row.how}`),
        make("td", {}, row.count),
        make("td", {}, seconds(row.seconds)),
        make("td", {}, seconds(row.planSeconds)),
        make("td", {}, number(row.bytes * 1e-9)),
        make("td", {}, rate(row) == null ? "" : number(rate(row) * 1e-9)),
        make("td", {}, share(row) == null ? "" : `${Math.round(100 * share(row))} %`),
        make("td", {}, row.limit ?? "")] : [])));
  });
  table(byId("loops"), run ? [...heads, ...measuredHeads] : heads, rows);
  const about = byId("about");
  about.append(units.map((unit) => baseName(unit.unit)).join(", ") + ". ");
  if (run)
    about.append(`Latest run: ${run.threads} threads, ${run.ranks} ranks` + (run.machine
      ? `; the machine: ${number(run.machine.bytesPerSecond * 1e-9)} GB/s, ` +
        `${number(run.machine.operationsPerSecond * 1e-9)} GFLOP/s` : "") + ". ");
  else
    about.append("Not run so far: OP2_REPORT=FOLDER adds what a run takes. ");
  about.append("Click on a loop, then on a line.");
  for (const problem of problems) about.append(make("p", { class: "problem" }, problem));
}

//===----------------------------------------------------------------------===//
// Roofline (Williams, Waterman, Patterson 2009)
//===----------------------------------------------------------------------===//

const kColors = ["#1b9e77", "#d95f02", "#7570b3", "#e7298a", "#66a61e", "#e6ab02",
  "#a6761d", "#1f78b4"];

function showRoofline() {
  if (!run || !run.machine) return;
  const points = allLoops.flatMap((loop) => loop.measured
    .map((row) => ({ name: loop.name, row, x: intensity(loop, row) }))
    .filter((point) => point.x && rate(point.row))
    .map((point) => ({ ...point, y: point.x * rate(point.row) * 1e-9 })));
  if (!points.length) return;
  const { bytesPerSecond, operationsPerSecond } = run.machine;
  const ridge = operationsPerSecond / bytesPerSecond;
  const xs = [...new Set([...points.map((point) => point.x), ridge,
    0.5 * Math.min(ridge, ...points.map((point) => point.x)),
    2 * Math.max(ridge, ...points.map((point) => point.x))])].sort((a, b) => a - b);
  const roof = xs.map((x) => Math.min(x * bytesPerSecond, operationsPerSecond) * 1e-9);
  const series = points.map((point, n) => ({
    label: point.name, stroke: kColors[n % kColors.length], paths: () => null,
    points: { show: true, size: 9, fill: kColors[n % kColors.length] },
    value: (plot, value) => number(value) }));
  new uPlot({
    title: "Roofline", width: 520, height: 300,
    scales: { x: { time: false, distr: 3 }, y: { distr: 3 } },
    axes: [{ label: "operations for each useful byte" }, { label: "GFLOP/s", size: 60 }],
    legend: { markers: { width: 3 } },
    series: [{ label: "operations/byte", value: (plot, value) => number(value) },
      { label: "roof", stroke: "#444", width: 2, value: (plot, value) => number(value) },
      ...series] },
    [xs, roof, ...points.map((point) => xs.map((x) => (x === point.x ? point.y : null)))],
    byId("roofline"));
}

//===----------------------------------------------------------------------===//
// A time step: who waits for whom
//===----------------------------------------------------------------------===//

const writes = (access) => access !== "OP_READ" && access !== "OP_WORK";

const label = (step, n) => `${n + 1} ${step[n].name}`;

/// Which loop of the step waits for which, by which dat: for its value, or until
/// it has been read. What others wait for in between is left out. Where the step
/// repeats, what nobody has done yet in it comes from the one before.
function findDependences(step, repeats) {
  const lastWriter = new Map(), readersSince = new Map();
  let found = [];
  for (const round of repeats ? [0, 1] : [0]) {
    found = [];
    step.forEach((loop, to) => {
      const dats = new Map();
      for (const { serial, access } of loop.args)
        dats.set(serial, dats.get(serial) || writes(access));
      for (const [dat, isWritten] of dats) {
        const readers = isWritten ? readersSince.get(dat) ?? [] : [];
        const writer = lastWriter.has(dat) && !readers.length ? [lastWriter.get(dat)] : [];
        for (const from of [...readers, ...writer])
          if (from.round !== round || from.n !== to)
            found.push({ from: from.n, to, dat, isPrevious: from.round !== round,
              isValue: !readers.length });
        if (isWritten) lastWriter.set(dat, { round, n: to });
        readersSince.set(dat,
          isWritten ? [] : [...(readersSince.get(dat) ?? []), { round, n: to }]);
      }
    });
  }
  return found;
}

/// By serial numbers; of several with one name, the others are numbered.
function nameDats(step) {
  const names = new Map(), counts = new Map();
  for (const { dat, serial } of step.flatMap((loop) => loop.args)) {
    if (names.has(serial)) continue;
    counts.set(dat, (counts.get(dat) ?? 0) + 1);
    names.set(serial, counts.get(dat) > 1 ? `${dat} (${counts.get(dat)})` : dat);
  }
  return names;
}

/// "2 update waits for 1 flow (r, u)".
function describeWaits(step, names, edges, n) {
  const waits = new Map();
  for (const edge of edges.filter(({ to }) => to === n)) {
    const key = (edge.isPrevious ? "previous " : "") + label(step, edge.from);
    waits.set(key, [...(waits.get(key) ?? []), names.get(edge.dat)]);
  }
  return `${label(step, n)} ` + (waits.size
    ? "waits for " + [...waits].map(([key, dats]) => `${key} (${dats.join(", ")})`).join("; ")
    : "waits for nothing");
}

const kRow = 24, kMark = 40, kHead = 20;

/// A row for each loop, a column for each dat, and in it a line from each loop to
/// those that wait for it: on the left for a value, else on the right.
function drawStep(step, names, edges, say) {
  const width = (text) => 7.5 * text.length + 14;
  const dats = [...names.keys()], lanes = new Map();
  const left = Math.max(...step.map((loop, n) => width(label(step, n))));
  let right = left;
  for (const dat of dats) {
    const lane = Math.max(kMark + 56, width(names.get(dat)));
    lanes.set(dat, right + lane / 2);
    right += lane;
  }
  const y = (n) => kHead + kRow * (n + 0.5);
  const svg = draw("svg", { width: right, height: kHead + kRow * step.length + 4, role: "group",
    "aria-label": "who waits for whom" });
  svg.append(draw("defs", {}, draw("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4,
    markerWidth: 6, markerHeight: 6, orient: "auto" }, draw("path", { d: "M0 0 L8 4 L0 8z" }))));
  for (const dat of dats)
    svg.append(draw("text", { x: lanes.get(dat), y: 13, class: "head" }, names.get(dat)));
  const lines = edges.map((edge) => {
    const side = edge.isValue ? -1 : 1, x = lanes.get(edge.dat) + (side * kMark) / 2;
    const begin = edge.isPrevious ? kHead - 4 : y(edge.from), end = y(edge.to);
    const bend = x + side * Math.min(24, 6 + (end - begin) / 8);
    const line = draw("path", { d: `M${x} ${begin} C${bend} ${begin} ${bend} ${end} ${x} ${end}`,
      class: edge.isPrevious ? "edge previous" : "edge", "marker-end": "url(#arrow)" });
    return { line, edge };
  });
  step.forEach((loop, n) => {
    const text = describeWaits(step, names, edges, n);
    const target = allLoops.find((other) => other.name === loop.name &&
      (!other.location || other.location === loop.location));
    const open = () => target && showLoop(target);
    const point = (isOver) => () => {
      svg.classList.toggle("pointing", isOver);
      for (const { line, edge } of lines)
        line.classList.toggle("near", isOver && (edge.to === n || edge.from === n));
      if (isOver) say(text + ".");
    };
    svg.append(draw("g", { class: "row", tabindex: 0, role: "link", "aria-label": text,
      onclick: open, onkeydown: (event) => { if (event.key === "Enter") open(); },
      onpointerenter: point(true), onpointerleave: point(false), onfocus: point(true),
      onblur: point(false) },
      draw("rect", { x: 0, y: y(n) - kRow / 2, width: right, height: kRow, class: "back" }),
      draw("text", { x: 4, y: y(n) + 4, class: "name" }, label(step, n)),
      ...dats.flatMap((dat) => {
        const kinds = [...new Set(loop.args.filter((arg) => arg.serial === dat)
          .map((arg) => arg.access))];
        if (!kinds.length) return [];
        return [draw("g", {}, draw("title", {}, names.get(dat)),
          draw("rect", { x: lanes.get(dat) - kMark / 2, y: y(n) - 8, width: kMark, height: 16,
            rx: 4, class: kinds.some(writes) ? "writes" : "reads" }),
          draw("text", { x: lanes.get(dat), y: y(n) + 4, class: "access" },
            kinds.map((kind) => kind.replace("OP_", "")).join("+")))];
      })));
  });
  svg.append(...lines.map(({ line }) => line));
  return svg;
}

function showStep() {
  if (!run || !run.step || !run.step.length) return;
  const step = run.step, names = nameDats(step);
  const edges = findDependences(step, run.stepRepeats);
  const waits = make("p", { "aria-live": "polite" }, "Point at a loop for what it waits for; a click shows it.");
  byId("steps").append(make("h2", {}, "A time step: who waits for whom, by which dat"),
    make("p", {}, `The last ${step.length} executions, as the program called them` +
      (run.stepRepeats ? "; they repeat. Dashed lines come from the step before."
        : "; they do not repeat.") +
      " Lines on the left: for the value; on the right: until it has been read."),
    make("div", { class: "step" }, drawStep(step, names, edges,
      (text) => waits.replaceChildren(text))), waits);
}

function showRanks() {
  if (!run || !run.rankLoops || !run.rankLoops.length) return;
  const grid = make("table");
  table(grid, ["loop", "own, mean s", "most s", "of rank", "most / mean", "border s",
    "waiting s", "messages", "MB"],
    run.rankLoops.map((row) => make("tr", {},
      make("td", { class: "name" }, row.name),
      make("td", {}, seconds(row.own)), make("td", {}, seconds(row.most)),
      make("td", {}, row.slowest),
      make("td", {}, row.own > 0 ? number(row.most / row.own) : ""),
      make("td", {}, seconds(row.border)), make("td", {}, seconds(row.waiting)),
      make("td", {}, row.messages), make("td", {}, number(row.bytes * 1e-6)))));
  byId("ranks").append(make("h2", {}, "Ranks"), grid);
}

//===----------------------------------------------------------------------===//
// One loop: its source and code, line by line
//===----------------------------------------------------------------------===//

/// Lines of text; those with a place can be clicked on.
function makeLines(lines, places, firstNumber) {
  const block = make("div", { class: "lines" });
  lines.forEach((text, n) => {
    const place = places[n];
    const line = make("div", { class: place ? "line linked" : "line" },
      firstNumber ? make("span", { class: "number" }, firstNumber + n) : null, text || " ");
    if (place) {
      line.dataset.at = place.join(":");
      line.onclick = () => select(line);
    }
    block.append(line);
  });
  return block;
}

/// Marks what comes from the same line of the source, and shows it in each pane.
function select(line) {
  for (const marked of document.querySelectorAll(".line.marked"))
    marked.classList.remove("marked");
  for (const pane of document.querySelectorAll(".pane")) {
    const same = [...pane.querySelectorAll(".line")].filter((other) =>
      other.dataset.at === line.dataset.at);
    for (const other of same) other.classList.add("marked");
    if (same.length && !pane.contains(line))
      pane.scrollTop += same[0].getBoundingClientRect().top -
        pane.getBoundingClientRect().top - 60;
  }
}

/// The first and last of numbers that are near each other.
function findParts(numbers) {
  const parts = [];
  for (const number of numbers.sort((a, b) => a - b))
    if (parts.length && number - parts.at(-1)[1] < 16) parts.at(-1)[1] = number;
    else parts.push([number, number]);
  return parts;
}

/// The parts of files that the loop's code comes from.
function makeSource(loop) {
  const pane = make("div", { class: "pane source" });
  const used = new Map();
  const use = (place) => {
    if (!place) return;
    if (!used.has(place[0])) used.set(place[0], new Set());
    used.get(place[0]).add(place[1]);
  };
  use(loop.place);
  for (const stage of loop.code)
    for (const fun of stage.functions) fun.places.forEach(use);
  for (const [file, numbers] of used) {
    const { path, text } = loop.unit.files[file];
    if (text == null) continue;
    const lines = text.split("\n");
    pane.append(make("h4", { title: path }, baseName(path)));
    for (const [from, to] of findParts([...numbers])) {
      const begin = Math.max(1, from - 3);
      const shown = lines.slice(begin - 1, to + 10);
      pane.append(makeLines(shown,
        shown.map((line, n) => (numbers.has(begin + n) ? [file, begin + n] : null)), begin));
    }
  }
  return pane;
}

function lineOf(loop, place) {
  const text = place ? loop.unit.files[place[0]].text : null;
  return text ? text.split("\n")[place[1] - 1]?.trim() ?? "" : "";
}

function makeStage(stage) {
  const pane = make("div", { class: "pane" });
  for (const fun of stage.functions)
    pane.append(make("h4", {}, fun.name), makeLines(fun.text.split("\n"), fun.places));
  return pane;
}

/// What is shown at first.
const hidden = new Set(["omp", "gpu"]);

function makeColumns(loop) {
  const bar = make("p", { class: "bar" }), columns = make("div", { class: "columns" });
  const add = (title, pane) => {
    const column = make("div", { class: "column" }, make("h3", {}, title), pane);
    const box = make("input", { type: "checkbox" });
    const update = () => { column.hidden = !box.checked; };
    box.checked = !hidden.has(title.split(" (")[0]);
    box.onchange = () => {
      if (box.checked) hidden.delete(title); else hidden.add(title);
      update();
    };
    update();
    bar.append(make("label", {}, box, " ", title));
    columns.append(column);
  };
  add("source", makeSource(loop));
  for (const stage of loop.code) add(stage.title, makeStage(stage));
  return [bar, columns];
}

/// What usually helps, by what was said of a loop, or what holds it back.
const kAdvice = [
  [/^kernel not raised/, "The compiler must know all that a kernel does, to vectorize, fuse or delay its loop. " +
    "Use inline functions, local arrays and values in place of what is in the way. Instead of printing, " +
    "let an OP_MIN or OP_MAX argument tell what happened, and look at it after the loop."],
  [/the call of '.*' has no form/, "Functions of the C library that have one are sqrt, fabs, exp, log, pow, sin, " +
    "cos and their like. What else is computed by the call could have a loop of its own."],
  [/\(see -march\)/, "Compile with -march=native."],
  [/\(see --op2-veclib\)/, "Compile with --op2-veclib=libmvec, if other last digits will do."],
  [/block colours, because argument/, "Two loops, one that adds through maps and one that does the rest, may be faster: " +
    "--op2-split --op2-strategy=owner makes them where its model says so."],
  [/^plans/, "Run the loop more often for each declaration of its sets, maps and dats: keep the handles."],
  [/^few elements/, "Make one loop of several small ones."],
  [/^the memory/, "The loop is as fast as the memory. Less to move: single precision, or fewer loops over " +
    "the same data, as by fusion or tiles."],
  [/^the order/, "Number the mesh better: OP2_RENUMBER=rcm."],
];

const advise = (loop) => {
  const texts = [...loop.remarks.map((remark) => remark.text),
    ...loop.measured.map((row) => row.limit ?? "")];
  return kAdvice.filter(([pattern]) => texts.some((text) => pattern.test(text)));
};

function showLoop(loop) {
  for (const row of document.querySelectorAll("#loops tr"))
    row.classList.toggle("chosen", row.dataset.loop === String(allLoops.indexOf(loop)));
  const section = byId("loop");
  section.replaceChildren(make("h2", {}, loop.name), make("ul", { class: "remarks" },
    ...loop.remarks.map((remark) => make("li", {},
      make("b", {}, `${remark.topic}: `), remark.text)),
    ...(loop.operations != null ? [make("li", {}, make("b", {}, "arithmetic: "),
      `${loop.operations} floating-point operations for each element`)] : []),
    ...advise(loop).map(([, advice]) => make("li", { class: "advice" },
      make("b", {}, "what may help: "), advice))));
  if (loop.flushes.length)
    section.append(make("h3", {}, "Where pending loops are flushed"), make("ul", {},
      ...loop.flushes.map((flush) =>
        make("li", {}, flush.text, " ", make("code", {}, lineOf(loop, flush.place))))));
  if (loop.code.length || loop.place) section.append(...makeColumns(loop));
  if (loop.unit && loop.unit.noAssembly)
    section.append(make("p", { class: "problem" }, `No assembly: ${loop.unit.noAssembly}`));
}

showOverview();
showRoofline();
showStep();
showRanks();
// What took most, or the first one.
const first = [...loops].sort((a, b) =>
  (b.measured[0]?.seconds ?? 0) - (a.measured[0]?.seconds ?? 0))[0];
if (first) showLoop(first);
