// Live updates: progress by server-sent events, risk as roles change, files that are dropped. Without this script
// every page works the same with its buttons.
"use strict";

function follow(box) {
  const events = new EventSource(box.dataset.events);
  const stage = box.querySelector("[data-stage]"), left = box.querySelector("[data-left]");
  const bar = box.querySelector("progress");
  let parts = null;
  events.onmessage = (event) => {
    const told = JSON.parse(event.data);
    if (parts === null) parts = told.parts;
    if (["done", "failed", "cancelled"].includes(told.state) || told.parts !== parts) {
      events.close();
      location.reload();
      return;
    }
    const before = told.before === 1 ? "1 job is" : told.before + " jobs are";
    stage.textContent = told.state === "waiting" ? "Waiting: " + before + " before this one" : told.stage + " …";
    left.textContent = told.left || "";
    if (told.share === null) bar.removeAttribute("value");
    else bar.value = told.share;
  };
}

function live(form) {
  let latest = 0, before = Promise.resolve();
  form.addEventListener("change", async (event) => {
    if (!event.target.name || !event.target.name.startsWith("role-")) return;
    const mine = ++latest, fields = new URLSearchParams();
    fields.set("csrf", form.elements.csrf.value);
    fields.set(event.target.name, event.target.value);
    // One after the other: the last choice is the last one that is heard.
    before = before.catch(() => {}).then(
      () => fetch(form.action, {method: "POST", body: fields, credentials: "same-origin"}));
    const asked = await before;
    if (mine !== latest) return;
    const page = new DOMParser().parseFromString(await asked.text(), "text/html");
    const fresh = page.getElementById("risk");
    if (!asked.ok || !fresh) { location.reload(); return; }
    document.getElementById("risk").replaceWith(fresh);
    document.getElementById("notices").replaceChildren(...page.getElementById("notices").children);
    // Other columns may have changed with it: there is one target and one person.
    for (const line of page.querySelectorAll("li.column")) {
      const select = line.querySelector("select"), old = document.getElementById(select.id);
      if (!old) continue;
      const item = old.closest("li.column");
      old.value = select.value;
      item.className = line.className;
      item.querySelector(".why").replaceWith(line.querySelector(".why"));
      item.querySelector(".level").replaceWith(line.querySelector(".level"));
    }
  });
}

function drop(form) {
  const input = form.querySelector("input[type=file]");
  for (const kind of ["dragenter", "dragover"]) {
    form.addEventListener(kind, (event) => { event.preventDefault(); form.classList.add("over"); });
  }
  form.addEventListener("dragleave", () => form.classList.remove("over"));
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("over");
    if (event.dataTransfer.files.length) { input.files = event.dataTransfer.files; form.requestSubmit(); }
  });
}

function chance(input) {
  const output = document.querySelector("[data-chance]");
  if (output) input.addEventListener("input", () => { output.textContent = "1 in " + (input.value || "?"); });
}

// An address that is used a second time ends its page: whoever comes back to it should see that at once.
async function check() {
  const first = document.querySelector(".mark a").href;
  const asked = await fetch(first, {method: "HEAD", credentials: "same-origin"}).catch(() => ({}));
  if (asked.status === 410 && !document.hidden) location.replace(first);
}

document.addEventListener("visibilitychange", check);
document.querySelectorAll("[data-events]").forEach(follow);
document.querySelectorAll("[data-live]").forEach(live);
document.querySelectorAll("[data-drop]").forEach(drop);
document.querySelectorAll("#k").forEach(chance);
