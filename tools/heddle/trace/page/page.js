// What the page does: draws the part of the timeline that is looked at, finds, and draws arrows.
//
// Times in the record are in units of record.unit_ns; on the axis they are ns. See data.py for the rest of the words.
"use strict";

const heddle = (() => {
  const record = JSON.parse(document.getElementById("record").textContent);
  const TYPES = {u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i4: Int32Array};
  const MOST_BARS = 24000; // of all lanes at a time
  const MOST_BINS = 1600; // of a lane
  const MOST_TOLD = 6000; // more bars are too thin to point at: nothing is said of each
  const MOST_ARROWS = 3000;
  const MOST_NAMED = 6; // predecessors that a tooltip names
  const LANES = record.lanes.length;
  const NS = record.unit_ns;
  const ALL = Math.max(1, record.duration_ns / NS); // in units
  const FAINT = "#eceef0";
  let the = null; // the arrays, once they are unpacked
  let range, shown, arrows, found;
  let is_due = false;
  let matching = null; // of each look whether it is searched for; null: nothing is
  let selected = -1; // a task
  let wanted = new Set();
  let of_source; // edges by source: first[task] .. first[task + 1] in sinks

  async function unpack({kind, data}) {
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const raw = await new Response(stream).arrayBuffer();
    return TYPES[kind].BYTES_PER_ELEMENT === 4 ? new TYPES[kind](summed(new Uint8Array(raw)).buffer) : new TYPES[kind](raw);
  }

  // The inverse of packed() in data.py.
  function summed(bytes) {
    const count = bytes.length / 4, result = new Uint32Array(count);
    let sum = 0;
    for (let i = 0; i < count; i++) {
      sum += bytes[i] + bytes[count + i] * 256 + bytes[2 * count + i] * 65536 + bytes[3 * count + i] * 16777216;
      result[i] = sum = sum >>> 0;
    }
    return result;
  }

  async function unpackAll() {
    const arrays = {};
    for (const [name, value] of Object.entries(record)) {
      if (value !== null && typeof value === "object" && "kind" in value) arrays[name] = await unpack(value);
    }
    arrays.levels = [];
    for (const {look, filled} of record.levels)
      arrays.levels.push({look: await unpack(look), filled: await unpack(filled)});
    return arrays;
  }

  // The first place in [from, to) at which the test holds, which then holds for all behind; to: none.
  function first(from, to, test) {
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (test(middle)) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  function bySource() {
    const firsts = new Uint32Array(the.task_kind.length + 1);
    for (const source of the.edge_source) firsts[source + 1]++;
    for (let i = 1; i < firsts.length; i++) firsts[i] += firsts[i - 1];
    const next = firsts.slice(), sinks = new Uint32Array(the.edge_sink.length);
    for (let i = 0; i < sinks.length; i++) sinks[next[the.edge_source[i]]++] = the.edge_sink[i];
    return {firsts, sinks};
  }

  function duration(ns) {
    const [factor, unit] = ns < 1e3 ? [1, "ns"] : ns < 1e6 ? [1e3, "us"] : ns < 1e9 ? [1e6, "ms"] : [1e9, "s"];
    return `${(ns / factor).toLocaleString("en", {maximumSignificantDigits: 4})} ${unit}`;
  }

  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const colourOf = (look) => (matching === null || matching[look] ? record.colours[look] : FAINT);

  function predecessors(task) {
    const edges = the.edge_sink, count = edges.length;
    const from = first(0, count, (i) => edges[i] >= task);
    return the.edge_source.subarray(from, first(from, count, (i) => edges[i] > task));
  }

  function taskWords(task) {
    if (task < 0) return "";
    const words = [`task ${task} of ${escaped(record.kinds[the.task_kind[task]])}`];
    const created = the.task_created[task], began = the.task_begin[task], ended = the.task_end[task];
    words.push(`created at ${duration(created * NS)}, begun ${duration(Math.max(0, began - created) * NS)} later, ` +
      `ended at ${duration(ended * NS)}`);
    const before = predecessors(task);
    if (before.length > 0) {
      const names = Array.from(before.subarray(0, MOST_NAMED), (other) =>
        `${other} (${escaped(record.kinds[the.task_kind[other]])})`);
      const more = before.length > MOST_NAMED ? ` and ${before.length - MOST_NAMED} more` : "";
      words.push(`depends on ${names.join(", ")}${more}`);
    }
    return words.join("<br>");
  }

  function empty() {
    return {left: [], right: [], top: [], bottom: [], colour: [], what: [], at: [], time: [], task: [], more: []};
  }

  function addBar(bars, lane, left, right, look, share, task, place, is_told) {
    bars.left.push(left);
    bars.right.push(right);
    bars.top.push(lane + 0.92 - 0.84 * share);
    bars.bottom.push(lane + 0.92);
    bars.colour.push(colourOf(look));
    bars.what.push(record.looks[look]);
    bars.at.push(place >= 0 ? record.places[place] : "");
    bars.time.push(`${duration(right - left)}, from ${duration(left)}`);
    bars.task.push(task);
    bars.more.push(is_told ? taskWords(task) : "");
  }

  function visible(lane, from, to) {
    const behind = record.first[lane + 1];
    const begin = first(record.first[lane], behind, (i) => the.end[i] > from);
    return [begin, first(begin, behind, (i) => the.begin[i] >= to)];
  }

  // Stretches one by one where the lane has few in view, else bins of the level that fits.
  function addLane(bars, lane, from, to, most, is_told) {
    const [begin, behind] = visible(lane, from, to);
    if (behind - begin <= most) {
      for (let i = begin; i < behind; i++) {
        if (the.look[i] === 0) continue;
        addBar(bars, lane, the.begin[i] * NS, the.end[i] * NS, the.look[i], 1, the.task[i], the.place[i], is_told);
      }
      return;
    }
    const bins = Math.min(MOST_BINS, most);
    const wish = Math.floor(Math.log2((bins * ALL) / Math.max(to - from, 1)));
    const level = Math.min(Math.max(wish, record.first_level), record.first_level + the.levels.length - 1);
    const {look, filled} = the.levels[level - record.first_level];
    const count = 2 ** level, width = record.duration_ns / count;
    const last = Math.min(count - 1, Math.floor((to / ALL) * count));
    for (let bin = Math.max(0, Math.floor((from / ALL) * count)); bin <= last;) {
      const at = lane * count + bin;
      let next = bin + 1;
      while (next <= last && look[lane * count + next] === look[at] &&
             Math.abs(filled[lane * count + next] - filled[at]) < 8) next++;
      if (look[at] !== 0)
        addBar(bars, lane, bin * width, next * width, look[at], filled[at] / 255, -1, -1, false);
      bin = next;
    }
  }

  function window_() {
    const clip = (ns) => Math.min(Math.max(ns / NS, 0), ALL);
    return [clip(range.start), clip(range.end)];
  }

  function draw() {
    is_due = false;
    if (the === null) return;
    const [from, to] = window_();
    const most = Math.max(60, Math.floor(MOST_BARS / LANES));
    let in_view = 0;
    for (let lane = 0; lane < LANES; lane++) {
      const [begin, behind] = visible(lane, from, to);
      in_view += Math.min(behind - begin, most);
    }
    const bars = empty();
    for (let lane = 0; lane < LANES; lane++) addLane(bars, lane, from, to, most, in_view <= MOST_TOLD);
    shown.selected.indices = [];
    shown.data = bars;
    drawArrows(from, to);
  }

  function addArrow(to, x0, lane0, x1, lane1, colour) {
    if (lane0 < 0 || lane1 < 0) return;
    to.x0.push(x0 * NS);
    to.y0.push(lane0 + 0.5);
    to.x1.push(x1 * NS);
    to.y1.push(lane1 + 0.5);
    to.colour.push(colour);
  }

  function addDependence(to, source, sink, colour) {
    addArrow(to, the.task_end[source], the.task_last_lane[source], the.task_begin[sink], the.task_first_lane[sink], colour);
  }

  function drawArrows(from, to) {
    const all = {x0: [], y0: [], x1: [], y1: [], colour: []};
    if (wanted.has("dependences")) {
      for (let i = 0; i < the.edge_sink.length && all.x0.length < MOST_ARROWS; i++) {
        const source = the.edge_source[i], sink = the.edge_sink[i];
        if (the.task_begin[sink] >= from && the.task_end[source] <= to) addDependence(all, source, sink, "#444444");
      }
    }
    if (wanted.has("messages")) {
      for (let i = 0; i < the.message_sent.length && all.x0.length < MOST_ARROWS; i++) {
        if (the.message_received[i] < from || the.message_sent[i] > to) continue;
        addArrow(all, the.message_sent[i], the.message_source[i], the.message_received[i], the.message_sink[i], "#0b6e4f");
      }
    }
    if (selected >= 0) {
      for (const source of predecessors(selected)) addDependence(all, source, selected, "#d00000");
      const {firsts, sinks} = of_source;
      for (const sink of sinks.subarray(firsts[selected], firsts[selected + 1]))
        addDependence(all, selected, sink, "#0050d0");
    }
    arrows.data = all;
  }

  function show() {
    if (is_due) return;
    is_due = true;
    requestAnimationFrame(draw);
  }

  function select(indices) {
    const task = indices.length > 0 ? shown.data.task[indices[0]] : -1;
    if (task === selected || indices.length === 0) return;
    selected = task;
    const [from, to] = window_();
    drawArrows(from, to);
  }

  function search(text) {
    const word = text.trim().toLowerCase();
    const holds = (name) => name.toLowerCase().includes(word);
    matching = word === "" ? null : record.looks.map(holds);
    if (matching === null) {
      found.text = "";
    } else {
      const kinds = record.kinds.map(holds);
      let tasks = 0;
      for (const kind of the.task_kind) if (kinds[kind]) tasks++;
      const names = record.looks.filter((_, look) => matching[look]).length;
      found.text = `${tasks} tasks, ${names} ${names === 1 ? "name" : "names"}`;
    }
    show();
  }

  // Goes to the next stretch, of any lane, that is searched for; after the last to the first.
  function next() {
    if (matching === null || the === null) return;
    const middle = (range.start + range.end) / 2 / NS;
    const best = nextBehind(middle) ?? nextBehind(-1);
    if (best === null) return;
    const begin = the.begin[best] * NS, end = the.end[best] * NS, around = 4 * Math.max(end - begin, 5);
    // Its middle is the window's, so that the next look starts behind it.
    range.setv({start: Math.max(0, (begin + end) / 2 - around), end: Math.min(record.duration_ns, (begin + end) / 2 + around)});
  }

  function nextBehind(moment) {
    let best = null;
    for (let lane = 0; lane < LANES; lane++) {
      const behind = record.first[lane + 1];
      for (let i = first(record.first[lane], behind, (k) => (the.begin[k] + the.end[k]) / 2 > moment + 1); i < behind; i++) {
        if (!matching[the.look[i]]) continue;
        if (best === null || the.begin[i] < the.begin[best]) best = i;
        break;
      }
    }
    return best;
  }

  function wantArrows(active) {
    wanted = new Set(active.map((number) => ["dependences", "messages"][number]));
    show();
  }

  async function start() {
    while (typeof Bokeh === "undefined" || Bokeh.documents.length === 0 ||
           Bokeh.documents[0].get_model_by_name("shown") === null)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const model = (name) => Bokeh.documents[0].get_model_by_name(name);
    [shown, arrows, found] = [model("shown"), model("arrows"), model("found")];
    range = model("timeline").x_range;
    the = await unpackAll();
    of_source = bySource();
    draw();
    document.body.dataset.state = "drawn";
  }

  start();
  return {show, select, search, next, wantArrows};
})();
