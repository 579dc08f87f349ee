"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SHOWN_LABELS = 8;
  const order = data.models
    .map((_, index) => index)
    .sort((a, b) => nRules(a) - nRules(b) || data.models[a].f1.train - data.models[b].f1.train);
  const series = ["train", "validation", "test"].filter((name) =>
    data.models.some((model) => model.f1[name] !== null)
  );
  const hasTest = series.includes("test");
  const measured = hasTest ? ["train", "test"] : ["train"];

  function nRules(index) {
    return data.models[index].regions.length - 1;
  }

  // Names are untrusted: strings become text nodes and attribute values only, never markup.
  function build(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.append(...children);
    return element;
  }
  const html = (tag, attributes = {}, ...children) =>
    build(document.createElement(tag), attributes, children);
  const svg = (tag, attributes = {}, ...children) =>
    build(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

  const plural = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const percent = (part, whole) => (whole ? `${Math.round((100 * part) / whole)}%` : "–");
  const score = (value) => (value === null ? "–" : value.toFixed(3));

  function select(index) {
    location.hash = `model=${index}`;
  }

  function selectedModel() {
    const match = /^#model=(\d+)$/.exec(location.hash);
    const index = match ? Number(match[1]) : data.chosen;
    return index < data.models.length ? index : data.chosen;
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
    const [width, height, left, right, top, bottom] = [400, 250, 40, 14, 12, 40];
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
      svg("text", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, "rules"),
      svg("text", { x: left - 8, y: top - 2, "text-anchor": "end" }, "F1")
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

  function track(name, part, whole) {
    const fill = html("span", { class: "fill" });
    fill.style.width = `${whole ? (100 * part) / whole : 0}%`;
    if (!part) fill.style.minWidth = "0";
    return html("span", { class: `track ${name}` }, fill);
  }

  function sentence(region, isDefault) {
    const line = html("p", { class: "sentence" });
    const word = (text) => html("span", { class: "word" }, text);
    if (isDefault) line.append(word("ELSE"));
    else {
      line.append(word("IF"), " ");
      region.tests.forEach(([before, name, after], index) => {
        if (index) line.append(" ", word("AND"), " ");
        line.append(html("span", { class: "chip" }, before, html("b", {}, name), after));
      });
      if (!region.tests.length) line.append("anything");
      line.append(" ", word("THEN"));
    }
    line.append(" {");
    region.labels.forEach((label, index) => {
      if (index) line.append(", ");
      line.append(html("span", { class: "label" }, data.labels[label]));
    });
    line.append("}");
    return line;
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
    }
    return bars;
  }

  function frequencies(region, labels) {
    const bars = html("div", { class: `bars ${hasTest ? "two" : "one"}` });
    for (const label of labels) {
      const kind = region.labels.includes(label) ? "predicted" : "unpredicted";
      const tracks = html("span", { class: kind });
      const numbers = [];
      for (const name of measured) {
        const [covered, counts, known] = region[name];
        // Of weighted data or unknown labels, each label has a size of its own.
        const size = known.length ? known[label] : covered;
        tracks.append(track(name, counts[label], size));
        const title = `${name}: ${counts[label]} of ${size}`;
        numbers.push(html("span", { class: `number ${kind}`, title }, percent(counts[label], size)));
      }
      const name = data.labels[label];
      bars.append(html("span", { class: `name ${kind}`, title: name }, name), tracks, ...numbers);
    }
    return bars;
  }

  function ruleCard(region, totals, isDefault) {
    const card = html("article", { class: "rule" }, sentence(region, isDefault), coverage(region, totals));
    const predicted = new Set(region.labels);
    const labels = data.labels
      .map((_, label) => label)
      .sort((a, b) => predicted.has(b) - predicted.has(a) || region.train[1][b] - region.train[1][a] || a - b);
    const many = labels.length > SHOWN_LABELS + 2;
    const nShown = many ? Math.max(SHOWN_LABELS, predicted.size) : labels.length;
    card.append(frequencies(region, labels.slice(0, nShown)));
    if (nShown < labels.length) {
      const rest = html("details", {}, html("summary", {}, `${labels.length - nShown} more labels`));
      // With hundreds of labels in many rules, build the hidden bars on demand.
      rest.addEventListener("toggle", () => {
        if (rest.children.length === 1) rest.append(frequencies(region, labels.slice(nShown)));
      });
      card.append(rest);
    }
    return card;
  }

  function facts(model) {
    const shown = series
      .filter((name) => model.f1[name] !== null)
      .map((name) => `${name} F1 ${score(model.f1[name])}`);
    const others = Object.entries(model.scores)
      .filter(([name]) => !["micro_f1", "validation_micro_f1", "n_rules", "n_tests"].includes(name))
      .map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`);
    return html("p", { class: "facts" }, [...shown, ...others].join(" · "));
  }

  function groupCard(groups) {
    const card = html("article", { class: "rule groups" }, html("h3", {}, "Groups of features"));
    for (const index of groups) {
      const [name, terms] = data.groups[index];
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

  function drawModel() {
    const index = selectedModel();
    const model = data.models[index];
    const title = `${plural(nRules(index), "rule")}, ${plural(model.n_tests, "test")}` +
      (model.groups.length ? ` on ${plural(model.n_features, "feature")}` : "");
    const heading = html("h2", { title: `models[${index}]` }, title);
    if (index === data.chosen) heading.append(html("span", { class: "badge" }, "chosen"));
    const totals = {};
    for (const name of measured) {
      totals[name] = model.regions.reduce((sum, region) => sum + region[name][0], 0);
    }
    const cards = model.regions.map((region, row) =>
      ruleCard(region, totals, row === model.regions.length - 1)
    );
    if (model.groups.length) cards.push(groupCard(model.groups));
    document.getElementById("model").replaceChildren(heading, facts(model), ...cards);
  }

  function draw() {
    drawChart();
    markRow();
    drawModel();
  }

  document.getElementById("summary").append(
    `${plural(data.models.length, "model")} for ${plural(data.labels.length, "label")}. ` +
    "Select a model to see its rules, how many instances each covers, and how often each label occurs there."
  );
  for (const name of series) {
    document.getElementById("legend").append(html("span", { class: `key ${name}` }, name));
  }
  document.getElementById("legend").append(html("span", { class: "key ring" }, "chosen"));
  drawTable();
  addEventListener("hashchange", () => {
    draw();
    // On a phone, the rules are below the fold.
    const model = document.getElementById("model");
    if (model.getBoundingClientRect().top > innerHeight * 0.7) model.scrollIntoView();
  });
  draw();
})();
