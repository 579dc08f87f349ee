"use strict";
// The data of the page, and how it is written. These files are joined into one script.
const data = JSON.parse(document.getElementById("data").textContent);

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
const score = (value) => (value === null ? "–" : value.toFixed(3));

// As Python rounds: halves to the even number. Only what is none or all is called 0 or 100%.
function percent(part, whole) {
  if (!whole) return "–";
  const share = part / whole;
  const value = share * 100;
  let rounded = Math.floor(value);
  const rest = value - rounded;
  if (rest > 0.5 || (rest === 0.5 && rounded % 2 === 1)) rounded += 1;
  if (rounded === 0 && share > 0) return "<1%";
  return rounded === 100 && share < 1 ? ">99%" : `${rounded}%`;
}

// Wilson's 95% confidence interval, as Model.statistics has it.
function interval(count, size, covered) {
  const n = Math.min(size, covered);
  if (!n) return [0, 1];
  const z = 1.959963984540054;
  const frequency = count / size;
  const square = (z * z) / n;
  const center = (frequency + square / 2) / (1 + square);
  const half = (z * Math.sqrt((frequency * (1 - frequency)) / n + square / n / 4)) / (1 + square);
  return [Math.max(0, Math.min(center - half, frequency)), Math.min(1, Math.max(center + half, frequency))];
}

// How many times as frequent a label is in a region as in all training data.
function lift(model, region, label) {
  const size = sizeOf(region.train, label);
  let [count, total] = [0, 0];
  for (const other of model.regions) {
    count += other.train[1][label];
    total += sizeOf(other.train, label);
  }
  return size && count ? region.train[1][label] / size / (count / total) : null;
}

// Of weighted data or unknown labels, each label has a size of its own.
function sizeOf([covered, , known], label) {
  return known.length ? known[label] : covered;
}

function selectedModel() {
  const match = /^#model=(\d+)$/.exec(location.hash);
  const index = match ? Number(match[1]) : data.chosen;
  return index < data.models.length ? index : data.chosen;
}

function labelSet(labels) {
  const set = html("span", {}, "{");
  labels.forEach((label, index) => {
    if (index) set.append(", ");
    set.append(html("span", { class: "label" }, data.shown[label]));
  });
  set.append("}");
  return set;
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
  line.append(" ", labelSet(region.labels));
  return line;
}
