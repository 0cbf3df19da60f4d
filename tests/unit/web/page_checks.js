// What a checker of accessible pages looks for; returns a list of what is wrong.
const wrong = [];
const seen = (node) => node.offsetParent !== null || getComputedStyle(node).position === "fixed";
const tell = (what, node) => wrong.push(what + ": " + node.tagName.toLowerCase() + (node.id ? "#" + node.id : "") +
  " " + (node.textContent || "").trim().slice(0, 40));

// Every field has a label, every button and link a name.
for (const field of document.querySelectorAll("input:not([type=hidden]), select, textarea")) {
  if (!field.labels.length && !field.getAttribute("aria-label")) tell("no label", field);
}
for (const node of document.querySelectorAll("button, a[href]")) {
  if (!node.textContent.trim() && !node.getAttribute("aria-label")) tell("no name", node);
}
for (const node of document.querySelectorAll("svg[role=img], img")) {
  if (!node.getAttribute("aria-label") && !node.getAttribute("aria-labelledby") && !node.querySelector("title")) {
    tell("no name", node);
  }
}

// Ids are there once; what refers to one finds it.
const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
ids.filter((id, place) => ids.indexOf(id) !== place).forEach((id) => wrong.push("id twice: " + id));
for (const node of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
  const named = (node.getAttribute("aria-labelledby") || node.getAttribute("aria-describedby")).split(" ");
  if (!named.every((id) => document.getElementById(id))) tell("refers to nothing", node);
}

// One h1; no level of headings is left out.
let level = 0;
for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
  const now = Number(heading.tagName[1]);
  if (now > level + 1) tell("heading after level " + level, heading);
  level = now;
}
if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
if (!document.documentElement.lang) wrong.push("no language");
if (document.querySelectorAll("[tabindex]:not([tabindex='0']):not([tabindex='-1'])").length) wrong.push("tabindex");

// Contrast of text: at least 4.5 to 1.
const parse = (colour) => {
  const srgb = colour.match(/color\(srgb ([^)]*)\)/);
  if (srgb) { const [r, g, b, a] = srgb[1].split(/[ /]+/).map(Number); return [r * 255, g * 255, b * 255, a ?? 1]; }
  const [r, g, b, a] = colour.match(/[\d.]+/g).map(Number);
  return [r, g, b, a ?? 1];
};
const over = (top, under) => top.slice(0, 3).map((value, place) => value * top[3] + under[place] * (1 - top[3]));
const light = (colour) => {
  const [r, g, b] = colour.map((value) => value / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (node) => {
  const layers = [];
  for (let at = node; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor);
    if (colour[3] > 0) layers.push(colour);
    if (colour[3] === 1) break;
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return layers.reverse().reduce((under, top) => over(top, under), dark ? [18, 24, 30] : [255, 255, 255]);
};
for (const node of document.querySelectorAll("body *")) {
  const own = [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
  if (!own || !seen(node) || node.closest("svg, .hidden, .skip, [disabled], option")) continue;
  const ground = behind(node), text = over(parse(getComputedStyle(node).color), ground);
  const [high, low] = [light(text), light(ground)].sort((a, b) => b - a);
  const ratio = (high + 0.05) / (low + 0.05);
  if (ratio < 4.5) tell("contrast " + ratio.toFixed(1), node);
}

// Nothing is wider than the screen; what can be pressed is large enough.
if (document.documentElement.scrollWidth > innerWidth + 1) {
  wrong.push("wider than the screen: " + document.documentElement.scrollWidth);
}
for (const node of document.querySelectorAll("button, select, input:not([type=hidden]):not([type=checkbox])")) {
  if (seen(node) && node.getBoundingClientRect().height < 24) tell("too small", node);
}
return wrong;
