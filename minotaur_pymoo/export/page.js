// The chart and table of models, and the rules of the selected one.
const SHOWN_LABELS = 8;
const order = data.models
  .map((_, index) => index)
  .sort((a, b) => nRules(a) - nRules(b) || data.models[a].f1.train - data.models[b].f1.train);
const series = ["train", "validation", "test"].filter((name) =>
  data.models.some((model) => model.f1[name] !== null)
);
const hasTest = series.includes("test");
const measured = hasTest ? ["train", "test"] : ["train"];
// What the reader searches for; it stays when another model is selected.
const wanted = { text: "", label: -1 };

function nRules(index) {
  return data.models[index].regions.length - 1;
}

function select(index) {
  location.hash = `model=${index}`;
}

function ticks(low, high, wanted, whole) {
  const rough = (high - low) / wanted || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  let step = [1, 2, 5, 10].map((factor) => factor * power).find((s) => s >= rough * 0.999);
  if (whole) step = Math.max(1, Math.round(step));
  const result = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) {
    result.push(Number((k * step).toPrecision(12)));
  }
  return result;
}

function drawChart() {
  const [width, height, left, right, top, bottom] = [400, 270, 40, 14, 30, 52];
  const xs = order.map(nRules);
  const ys = data.models.flatMap((m) => series.map((name) => m.f1[name]).filter((v) => v !== null));
  let [xLow, xHigh] = [Math.min(...xs), Math.max(...xs)];
  let [yLow, yHigh] = [Math.min(...ys), Math.max(...ys)];
  const yMargin = Math.max((yHigh - yLow) * 0.12, 0.01);
  [yLow, yHigh] = [Math.max(0, yLow - yMargin), Math.min(1, yHigh + yMargin)];
  const xMargin = Math.max((xHigh - xLow) * 0.05, 0.5);
  [xLow, xHigh] = [xLow - xMargin, xHigh + xMargin];
  const x = (value) => left + ((value - xLow) / (xHigh - xLow)) * (width - left - right);
  const y = (value) => height - bottom - ((value - yLow) / (yHigh - yLow)) * (height - top - bottom);

  const chart = svg("svg", {
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": "F1 of each model by number of rules; the table below has the same values",
  });
  for (const value of ticks(yLow, yHigh, 6, false)) {
    chart.append(
      svg("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
      svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, String(value))
    );
  }
  for (const value of ticks(xLow, xHigh, 7, true)) {
    chart.append(
      svg("text", { x: x(value), y: height - bottom + 18, "text-anchor": "middle" }, String(value))
    );
  }
  chart.append(
    svg("text", { class: "axis", x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, "number of rules"),
    svg("text", { class: "axis", x: 0, y: 12 }, "F1 (micro-averaged)")
  );
  const selected = selectedModel();
  chart.append(svg("line", {
    class: "guide", x1: x(nRules(selected)), x2: x(nRules(selected)), y1: top, y2: height - bottom,
  }));
  for (const name of series) {
    const known = order.filter((index) => data.models[index].f1[name] !== null);
    const points = known.map((index) => `${x(nRules(index))},${y(data.models[index].f1[name])}`);
    chart.append(svg("polyline", { class: `path ${name}`, points: points.join(" ") }));
  }
  for (const name of series) {
    // The selected model is drawn last, on top of the others.
    const drawOrder = [...order].sort((a, b) => (a === selected) - (b === selected));
    for (const index of drawOrder) {
      const f1 = data.models[index].f1[name];
      if (f1 === null) continue;
      const center = { cx: x(nRules(index)), cy: y(f1) };
      const tooltip = `${plural(nRules(index), "rule")}, ${name} F1 ${score(f1)}`;
      const isSelected = index === selected;
      const dot = svg("circle", {
        ...center, r: isSelected ? 6 : 4.5, class: `dot ${name}${isSelected ? " selected" : ""}`,
      }, svg("title", {}, tooltip));
      dot.addEventListener("click", () => select(index));
      chart.append(dot);
      if (index === data.chosen && name === "train") {
        chart.append(svg("circle", { ...center, r: 10, class: "chosen-ring" }));
      }
    }
  }
  document.getElementById("chart").replaceChildren(chart);
}

function drawTable() {
  const head = html("tr", {}, html("th", { scope: "col" }, "model"), html("th", { scope: "col" }, "tests"));
  for (const name of series) head.append(html("th", { scope: "col" }, `${name} F1`));
  const body = html("tbody");
  for (const index of order) {
    const model = data.models[index];
    const button = html("button", { type: "button" }, plural(nRules(index), "rule"));
    const first = html("td", {}, button);
    if (index === data.chosen) first.append(html("span", { class: "badge" }, "chosen"));
    const row = html("tr", { "data-model": index }, first, html("td", {}, String(model.n_tests)));
    for (const name of series) row.append(html("td", {}, score(model.f1[name])));
    row.addEventListener("click", () => select(index));
    body.append(row);
  }
  body.addEventListener("keydown", (event) => {
    const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    const row = step && event.target.closest("tr")[step];
    if (row) {
      event.preventDefault();
      row.querySelector("button").focus();
    }
  });
  document.getElementById("models").append(html("thead", {}, head), body);
}

function markRow() {
  for (const row of document.querySelectorAll("#models tbody tr")) {
    const isSelected = Number(row.dataset.model) === selectedModel();
    row.classList.toggle("selected", isSelected);
    row.querySelector("button").setAttribute("aria-pressed", String(isSelected));
    if (isSelected) reveal(row);
  }
}

// Not scrollIntoView, which would scroll the whole page.
function reveal(row) {
  const box = row.closest(".scroll");
  const [inner, outer] = [row.getBoundingClientRect(), box.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    box.scrollTop += inner.top - outer.top - box.clientHeight / 2;
  }
}

function track(name, part, whole, ends = null) {
  const fill = html("span", { class: "fill" });
  fill.style.width = `${whole ? (100 * part) / whole : 0}%`;
  if (!part) fill.style.minWidth = "0";
  const bar = html("span", { class: `track ${name}` }, fill);
  if (ends) {
    const whisker = html("span", { class: "whisker" });
    whisker.style.left = `${100 * ends[0]}%`;
    whisker.style.width = `${100 * (ends[1] - ends[0])}%`;
    bar.append(whisker);
  }
  return bar;
}

function coverage(region, totals) {
  const bars = html("div", { class: `bars coverage ${hasTest ? "two" : "one"}` });
  for (const name of measured) {
    const [covered] = region[name];
    bars.append(
      html("span", {}, `${name}: ${covered} of ${totals[name]}`),
      track(name, covered, totals[name])
    );
    for (const column of measured) {
      const share = column === name ? percent(covered, totals[name]) : "";
      bars.append(html("span", { class: "number" }, share));
    }
    bars.append(html("span", { class: "lift" }));
  }
  return bars;
}

function frequencies(model, region, labels) {
  const bars = html("div", { class: `bars ${hasTest ? "two" : "one"}` });
  for (const label of labels) {
    const kind = region.labels.includes(label) ? "predicted" : "unpredicted";
    const tracks = html("span", { class: kind });
    const numbers = [];
    for (const name of measured) {
      const [covered, counts] = region[name];
      const size = sizeOf(region[name], label);
      const ends = interval(counts[label], size, covered);
      tracks.append(track(name, counts[label], size, size && name === "train" ? ends : null));
      const title = `${name}: ${counts[label]} of ${size}` +
        (size ? `, 95% confidence interval ${ends.map((end) => percent(end, 1)).join(" to ")}` : "");
      numbers.push(html("span", { class: `number ${kind}`, title }, percent(counts[label], size)));
    }
    const ratio = lift(model, region, label);
    const digits = ratio >= 9.95 || !ratio ? 0 : ratio >= 0.095 ? 1 : 2;
    const times = ratio === null ? "–" : ratio && ratio < 0.005 ? "×<.01" : `×${ratio.toFixed(digits)}`;
    const title = ratio === null ? "no lift" : `${Number(ratio.toPrecision(4))} times as frequent as in all training data`;
    const name = data.shown[label];
    bars.append(
      html("span", { class: `name ${kind}`, title: name }, name), tracks, ...numbers,
      html("span", { class: `number lift ${kind}`, title }, times)
    );
  }
  return bars;
}

function note(region, isDefault) {
  const parts = [];
  if (isDefault) parts.push("For everything that no rule covers.");
  if (!region.labels.length) parts.push("{} means that none of the labels is predicted.");
  return html("p", { class: "note" }, parts.join(" "));
}

function ruleCard(model, row, totals) {
  const region = model.regions[row];
  const isDefault = row === model.regions.length - 1;
  const card = html("article", { class: "rule", "data-row": row }, sentence(region, isDefault));
  if (isDefault || !region.labels.length) card.append(note(region, isDefault));
  card.append(coverage(region, totals));
  const predicted = new Set(region.labels);
  // The label that is filtered by comes first, then predicted ones.
  const rank = (label) => (label === wanted.label ? 2 : 0) + predicted.has(label);
  const labels = data.labels
    .map((_, label) => label)
    .sort((a, b) => rank(b) - rank(a) || region.train[1][b] - region.train[1][a] || a - b);
  const nShown = labels.length > SHOWN_LABELS + 2 ? SHOWN_LABELS : labels.length;
  card.append(frequencies(model, region, labels.slice(0, nShown)));
  if (nShown < labels.length) {
    const hidden = labels.slice(nShown);
    const more = hidden.filter((label) => predicted.has(label)).length;
    const rest = html("details", {}, html("summary", {},
      `${plural(hidden.length, "more label")}${more ? `, ${more} of them predicted` : ""}`));
    // With hundreds of labels in many rules, build the hidden bars on demand.
    rest.addEventListener("toggle", () => {
      if (rest.children.length === 1) rest.append(frequencies(model, region, hidden));
    });
    card.append(rest);
  }
  return card;
}

const SCORES = { expected_micro_f1: "expected F1", cv_micro_f1: "cross-validated F1", validation_error: "validation error" };

function facts(model) {
  const shown = series
    .filter((name) => model.f1[name] !== null)
    .map((name) => `${name} F1 ${score(model.f1[name])}`);
  const others = Object.entries(model.scores)
    .filter(([name]) => !["micro_f1", "validation_micro_f1", "n_rules", "n_tests"].includes(name))
    .map(([name, value]) => `${Object.hasOwn(SCORES, name) ? SCORES[name] : name} ${Number(value.toPrecision(3))}`);
  return html("p", { class: "facts" }, [...shown, ...others].join(" · "));
}

function groupCard(groups) {
  const card = html("article", { class: "rule groups" }, html("h3", {}, "Groups of features"));
  for (const index of groups) {
    const { name, terms } = data.groups[index];
    const line = html("p", {}, html("b", {}, name), terms.length > 1 ? " is the mean of " : " is ");
    terms.forEach((term, position) => {
      if (position) line.append(position === terms.length - 1 ? " and " : " ");
      // Inside the term, as a line could break before a comma.
      const comma = position < terms.length - 2 ? "," : "";
      line.append(html("span", { class: "term" }, term + comma));
    });
    card.append(line);
  }
  if (data.gain) card.append(html("p", { class: "facts" }, data.gain));
  return card;
}

function drawRules(model) {
  const totals = {};
  for (const name of measured) {
    totals[name] = model.regions.reduce((sum, region) => sum + region[name][0], 0);
  }
  const last = model.regions.length - 1;
  const matches = (row) => {
    const region = model.regions[row];
    if (wanted.label >= 0 && !region.labels.includes(wanted.label)) return false;
    return sentence(region, row === last).textContent.toLowerCase().includes(wanted.text);
  };
  const rows = model.regions.map((_, row) => row)
    .sort((a, b) => (a === last) - (b === last) || model.regions[b].train[0] - model.regions[a].train[0] || a - b);
  const found = rows.filter(matches);
  document.getElementById("rules").replaceChildren(...found.map((row) => ruleCard(model, row, totals)));
  document.getElementById("found").textContent = found.length === rows.length ? ""
    : `${plural(found.filter((row) => row !== last).length, "rule")} of ${last}` +
      (found.includes(last) ? ", and the default" : "");
}

function filters(model, update) {
  const text = html("input", { type: "search", id: "search", placeholder: "Search the rules", "aria-label": "Search the rules" });
  text.value = wanted.text;
  const label = html("select", { id: "label", "aria-label": "Only rules that predict a label" },
    html("option", { value: "-1" }, "all labels"));
  const used = new Set(model.regions.flatMap((region) => region.labels));
  data.labels.forEach((_, index) => {
    const option = html("option", { value: String(index) }, data.shown[index]);
    if (!used.has(index)) option.append(" (never predicted)");
    label.append(option);
  });
  label.value = String(wanted.label);
  const change = () => {
    [wanted.text, wanted.label] = [text.value.trim().toLowerCase(), Number(label.value)];
    drawRules(model);
    update();
  };
  text.addEventListener("input", change);
  label.addEventListener("input", change);
  return html("div", { class: "tools filters", role: "search" }, text, label, html("span", { id: "found", role: "status" }));
}

function drawModel() {
  const index = selectedModel();
  const model = data.models[index];
  const title = `${plural(nRules(index), "rule")}, ${plural(model.n_tests, "test")}` +
    (model.groups.length ? ` on ${plural(model.n_features, "feature")}` : "");
  const heading = html("h2", { title: `models[${index}]` }, title);
  if (index === data.chosen && data.models.length > 1) heading.append(html("span", { class: "badge" }, "chosen"));
  const [form, update] = drawForm(model);
  const legend = html("p", { class: "note legend" },
    "Rules are sorted by the number of training instances that they cover. A bar is how frequent a label is among " +
    "these, the thin line in it a 95% confidence interval, × the lift: how many times as frequent the label is as " +
    "in all training data.");
  document.getElementById("model").replaceChildren(
    heading, facts(model), form, filters(model, update), legend, html("div", { id: "rules" }),
    ...(model.groups.length ? [groupCard(model.groups)] : [])
  );
  drawRules(model);
  update();
}

function draw() {
  if (data.models.length > 1) drawChart();
  markRow();
  drawModel();
}

const sizes = order.map(nRules);
const count = data.models[data.chosen].regions.reduce((sum, region) => sum + region.train[0], 0);
document.getElementById("summary").append(
  (data.models.length > 1
    ? `${data.models.length} models of ${sizes[0]} to ${plural(sizes[sizes.length - 1], "rule")}: small ones are easy to ` +
      "read, large ones fit the training data better. "
    : "") +
  `Each says which of ${plural(data.labels.length, "label")} an instance has, and was trained on ${plural(count, "instance")}.`
);
if (data.models.length > 1) {
  document.getElementById("summary").append(html("span", { class: "on-screen" }, " Select one to read its rules."));
  for (const name of series) {
    document.getElementById("legend").append(html("span", { class: `key ${name}` }, name));
  }
  document.getElementById("legend").append(html("span", { class: "key ring" }, "chosen"));
  drawTable();
} else document.querySelector("main").classList.add("single");
addEventListener("hashchange", () => {
  draw();
  // On a phone, the rules are below the fold.
  const model = document.getElementById("model");
  if (model.getBoundingClientRect().top > innerHeight * 0.7) model.scrollIntoView();
});
draw();
