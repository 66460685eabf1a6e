// Tables: a click on a heading sorts, a field above a long table filters its rows.
"use strict";
(() => {
  const value = (row, n) => row.cells[n] ? row.cells[n].textContent.trim() : "";
  const number = (text) => {
    const found = /^[-+\u2212\u00b1]?\d[\d,]*\.?\d*(e[-+]?\d+)?/i.exec(text);
    return found ? parseFloat(found[0].replace(/,/g, "").replace("\u2212", "-")) : null;
  };

  function sort(table, head, n) {
    const down = head.getAttribute("aria-sort") === "descending"
      ? false : head.getAttribute("aria-sort") === "ascending" || head.classList.contains("num");
    const body = table.tBodies[0];
    const numeric = head.classList.contains("num");
    const keyed = [...body.rows].map((row, at) => {
      const text = value(row, n);
      return { row, at, key: numeric ? number(text) : text.toLowerCase() };
    });
    keyed.sort((a, b) => {
      // Dashes stay at the end, whichever way the column runs.
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null) || a.at - b.at;
      const order = numeric ? a.key - b.key : a.key.localeCompare(b.key);
      return (down ? -order : order) || a.at - b.at;
    });
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...keyed.map((k) => k.row));
  }

  function filter(table, box) {
    const line = document.createElement("label");
    const field = document.createElement("input");
    const count = document.createElement("span");
    line.className = "filter";
    field.type = "search";
    field.placeholder = "words, all must occur";
    line.append("Filter", field, count);
    box.before(line);
    field.addEventListener("input", () => {
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const row of table.tBodies[0].rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((w) => text.includes(w));
        shown += !row.hidden;
      }
      count.textContent = words.length ? `${shown} of ${table.tBodies[0].rows.length}` : "";
    });
  }

  for (const table of document.querySelectorAll("table.data")) {
    if (!table.tHead || !table.tBodies.length) continue;
    [...table.tHead.rows[0].cells].forEach((head, n) => {
      const button = document.createElement("button");
      button.type = "button";
      button.title = "sort";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => sort(table, head, n));
    });
    if (table.tBodies[0].rows.length > 10) filter(table, table.parentElement);
  }

  // Paper has no folds.
  addEventListener("beforeprint", () => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });
})();
