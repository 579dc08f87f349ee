// Try it: which rule applies to values that the reader enters, computed as Model.apply does.

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const MANY_FIELDS = 12;
// What was entered, by column: numbers, indices of categories, or nothing for a missing value.
const entered = new Map();

function groupMean(index) {
  const { members, centers, scales } = data.groups[index];
  let [total, known] = [0, 0];
  members.forEach((member, position) => {
    const value = (columnValue(member) - centers[position]) / scales[position];
    if (Number.isNaN(value)) return;
    total += Math.min(Math.max(value, -data.limit), data.limit);
    known += 1;
  });
  return known ? total / known : NaN;
}

function columnValue(column) {
  const combined = data.combined[column];
  if (!combined) return entered.has(column) ? entered.get(column) : NaN;
  const [first, second, sign] = combined;
  const mean = groupMean(first);
  if (second === null) return mean;
  return sign > 0 ? mean + groupMean(second) : mean - groupMean(second);
}

// NaN fails every test.
function passes([column, lower, upper, categories]) {
  const value = columnValue(column);
  if (categories) return categories.includes(value);
  return (lower === null || lower <= value) && (upper === null || value < upper) && !Number.isNaN(value);
}

// The index of the rule that applies; that of the default, which is last, if none does.
function applyingRegion(model) {
  const last = model.regions.length - 1;
  const found = model.regions.findIndex((region, row) => row < last && region.conditions.every(passes));
  return found < 0 ? last : found;
}

function options(...texts) {
  return texts.map((text, index) => html("option", { value: String(index - 1) }, text));
}

// Values that an option of a field stands for, one for each of its columns.
function chosenValues(field, index) {
  if (index < 0) return field.columns.map(() => NaN);
  if (field.kind === "one-hot") return field.columns.map((_, position) => (position === index ? 1 : 0));
  return [index < field.categories.length ? index : NaN];
}

function control(field) {
  const common = { id: `field-${field.columns[0]}`, "data-columns": field.columns.join(" ") };
  if (field.kind === "number") {
    return html("input", { ...common, type: "text", inputmode: "decimal", placeholder: "missing", autocomplete: "off" });
  }
  const other = field.kind === "boolean" || field.pooled ? [] : ["any other"];
  return html("select", common, ...options("missing", ...field.categories, ...other));
}

// Reads a control; returns whether it holds what can be used.
function readControl(field, element) {
  let values;
  let usable = true;
  if (field.kind === "number") {
    const text = element.value.trim();
    usable = !text || (NUMBER.test(text) && Number.isFinite(Number(text)));
    values = [text && usable ? Number(text) : NaN];
  } else values = chosenValues(field, Number(element.value));
  field.columns.forEach((column, position) => {
    if (Number.isNaN(values[position])) entered.delete(column);
    else entered.set(column, values[position]);
  });
  element.setAttribute("aria-invalid", String(!usable));
  return usable;
}

// Writes the values of a pasted row, one text for each column of the data, into a control.
function writeControl(field, element, cells) {
  const texts = field.columns.map((column) => cells[column]);
  if (field.kind === "number") element.value = texts[0];
  else if (field.kind === "one-hot") {
    element.value = String(texts.every((text) => !text) ? -1
      : texts.findIndex((text) => Number(text) === 1 || /^true$/i.test(text)));
    if (element.value === "-1" && texts.some((text) => text)) element.value = String(field.categories.length);
  } else if (field.kind === "boolean") {
    element.value = String({ false: 0, true: 1, 0: 0, 1: 1, "0.0": 0, "1.0": 1 }[texts[0].toLowerCase()] ?? -1);
  } else {
    const index = field.names.indexOf(texts[0]);
    const unknown = field.categories.length - (field.pooled ? 1 : 0);
    element.value = String(!texts[0] ? -1 : index < 0 ? unknown : index);
  }
}

function answer(model, wrong) {
  const row = applyingRegion(model);
  const region = model.regions[row];
  const isDefault = row === model.regions.length - 1;
  const box = document.getElementById("answer");
  box.dataset.rule = String(isDefault ? -1 : row);
  box.dataset.labels = JSON.stringify(region.labels);
  const lines = [];
  if (wrong.length) lines.push(html("p", { class: "wrong" }, `Not a number, so taken as missing: ${wrong.join(", ")}.`));
  if (!entered.size) lines.push(html("p", { class: "note" }, "Nothing is entered yet: all values are missing."));
  lines.push(
    html("p", {}, isDefault ? "No rule applies, so the default does:" : "This rule applies:"),
    sentence(region, isDefault)
  );
  if (!region.labels.length) lines.push(html("p", { class: "note" }, "That is, none of the labels is predicted."));
  box.replaceChildren(...lines);
  for (const card of document.querySelectorAll("#rules .rule")) {
    card.classList.toggle("applies", Number(card.dataset.row) === row && entered.size > 0);
  }
}

function drawForm(model) {
  const weights = new Map(model.importances);
  const used = new Set(model.columns);
  const weight = (field) => field.columns.reduce((sum, column) => sum + (weights.get(column) || 0), 0);
  const fields = data.fields
    .filter((field) => field.columns.some((column) => used.has(column)))
    .sort((a, b) => weight(b) - weight(a));
  const largest = Math.max(...fields.map(weight), 1e-9);
  const rows = fields.map((field) => {
    const element = control(field);
    restore(field, element);
    const share = percent(weight(field), 1);
    const name = html("label", { for: element.id, title: field.name }, field.name);
    const importance = html("span", { class: "importance", title: `importance ${share}` }, track("train", weight(field), largest));
    return { field, element, row: html("div", { class: "field" }, name, importance, element) };
  });
  const update = () => {
    const wrong = rows.filter(({ field, element }) => !readControl(field, element));
    answer(model, wrong.map(({ field }) => field.name));
  };
  const form = html("form", { class: "fields" }, ...rows.map(({ row }) => row));
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  const clear = html("button", { type: "button" }, "Clear");
  clear.addEventListener("click", () => {
    for (const { element } of rows) element.value = element.tagName === "SELECT" ? "-1" : "";
    entered.clear();
    update();
  });
  const tools = html("div", { class: "tools" });
  if (rows.length > MANY_FIELDS) {
    const find = html("input", { type: "search", placeholder: `Find one of ${rows.length} features`, "aria-label": "Find a feature" });
    find.addEventListener("input", () => {
      const wanted = find.value.trim().toLowerCase();
      for (const { field, row } of rows) row.hidden = !field.name.toLowerCase().includes(wanted);
    });
    tools.append(find);
  }
  const paste = html("input", {
    type: "text", id: "paste", autocomplete: "off", "aria-label": "Paste a row of the data",
    placeholder: `Paste a row of the data: ${plural(data.n_features, "value")}`,
    title: "Values in the order of the columns, separated by tabs, semicolons or commas; nothing for a missing one",
  });
  paste.addEventListener("input", () => {
    const text = paste.value.replace(/[\r\n]+$/, "");
    const separator = ["\t", ";"].find((sign) => text.includes(sign)) || ",";
    const cells = text.split(separator).map((cell) => cell.trim());
    const fits = cells.length === data.n_features;
    paste.setAttribute("aria-invalid", String(Boolean(text) && !fits));
    if (!fits) return;
    for (const { field, element } of rows) writeControl(field, element, cells);
    update();
  });
  tools.append(paste, clear);
  const card = html("details", { class: "try", id: "try", open: "" },
    html("summary", {}, html("h3", {}, "Try it"), " Enter values to see which rule applies and what it predicts. Bars: how important a feature is."),
    ...(rows.length ? [tools, form] : []), html("div", { id: "answer", "aria-live": "polite" }));
  return [card, update];
}

// What was entered for another model stays.
function restore(field, element) {
  const values = field.columns.map((column) => entered.get(column));
  if (values.every((value) => value === undefined)) return;
  if (field.kind === "number") element.value = String(values[0]);
  else if (field.kind === "one-hot") {
    const index = values.indexOf(1);
    element.value = String(index < 0 ? field.categories.length : index);
  } else element.value = String(values[0]);
}
