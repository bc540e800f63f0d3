extension BrowsePage {
  /// The program of the page. It makes elements and sets their text; it never makes markup out of data.
  ///
  ///     #class/2           the table of a class            #object/2/17       an object, and what links to it
  ///     #search/words      what contains the words
  ///
  /// Only the rows of one page are in the document. What is looked through as a whole is looked through in pieces of a
  /// few milliseconds.
  static let script = #"""
    "use strict";
    const data = JSON.parse(document.getElementById("data").textContent);
    const classes = data.classes;
    const main = document.getElementById("main");
    const status = document.getElementById("status");
    const tables = new Map();
    const pageSizes = [25, 50, 100, 250];
    let pageSize = 50, task = 0;

    // MARK: Values

    classes.forEach((c, number) => {
      c.number = number;
      c.starts = [];
      let rows = 0;
      for (const run of c.keys) { c.starts.push(rows); rows += run[1]; }
      for (const p of c.properties) {
        p.links = p.type === "object" || p.type === "mixed";
        if (p.pool) p.values = p.values.map(i => i < 0 ? null : p.pool[i]);
      }
    });

    /// The value of a property; null too for an empty collection.
    function value(p, row) { return p.values ? p.values[row] : null; }

    /// The number that the file gives an object.
    function fileKey(c, row) {
      let low = 0, high = c.starts.length - 1;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (c.starts[middle] <= row) low = middle; else high = middle - 1;
      }
      return c.keys[low][0] + row - c.starts[low];
    }

    function key(c, row) {
      return c.key < 0 ? "#" + fileKey(c, row) : scalarText(c.properties[c.key].type, value(c.properties[c.key], row));
    }

    function name(c, row) { return c.name + " " + key(c, row); }

    /// Text whose invisible characters are shown as escapes, so that none can turn or hide its neighbours.
    function visible(text) {
      return String(text).replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cf}]/gu, s =>
        s === "\u200d" ? s : s === "\n" ? "⏎" : s === "\t" ? "⇥" :
        "\\u{" + s.codePointAt(0).toString(16).toUpperCase() + "}");
    }

    function scalarText(type, v) {
      if (v === null || v === undefined) return "nil";
      if (type === "bool") return v ? "true" : "false";
      return visible(v);
    }

    /// A value inside an any-value: `[kind, value]`, links as `["object", class, row]`.
    function anyText(v) {
      if (v === null) return "nil";
      switch (v[0]) {
        case "object": return name(classes[v[1]], v[2]);
        case "list": return "[" + v[1].slice(0, 5).map(anyText).join(", ") + (v[1].length > 5 ? ", …" : "") + "]";
        case "map":
          return "[" + v[1].slice(0, 5).map(e => visible(e[0]) + ": " + anyText(e[1])).join(", ") +
            (v[1].length > 5 ? ", …" : "") + "]";
        default: return scalarText(v[0], v[1]);
      }
    }

    function elementText(p, v) {
      if (v === null) return "nil";
      if (p.type === "mixed") return anyText(v);
      if (p.type === "object") {
        return classes[p.target].isEmbedded ? embeddedText(p.target, v) : name(classes[p.target], v);
      }
      return scalarText(p.type, v);
    }

    function embeddedText(target, row) {
      const c = classes[target], parts = [];
      for (const p of c.properties) {
        if (parts.length === 3) { parts.push("…"); break; }
        const v = value(p, row);
        if (v !== null && p.shape === "single" && p.type !== "object") parts.push(elementText(p, v));
      }
      return c.name + " (" + parts.join(", ") + ")";
    }

    /// A property in one line.
    function cellText(p, row, most = 5) {
      const v = value(p, row);
      if (p.shape === "single") return elementText(p, v);
      if (v === null) return "";
      const parts = v.slice(0, most).map(e =>
        p.shape === "map" ? visible(e[0]) + ": " + elementText(p, e[1]) : elementText(p, e));
      return v.length > most ? v.length.toLocaleString("en") + ": " + parts.join(", ") + ", …" : parts.join(", ");
    }

    function compareScalars(type, a, b) {
      if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
      switch (type) {
        case "int": case "float": case "double": case "decimal": case "bool": {
          const x = Number(a), y = Number(b);
          if (x !== y) return x < y ? -1 : x > y ? 1 : (isNaN(x) ? 1 : 0) - (isNaN(y) ? 1 : 0);
          if (typeof a === "string" && typeof b === "string" && type === "int") {
            const l = BigInt(a), r = BigInt(b);
            return l < r ? -1 : l > r ? 1 : 0;
          }
          return 0;
        }
        case "date": {
          const x = Date.parse(a), y = Date.parse(b);
          if (x !== y && !isNaN(x) && !isNaN(y)) return x < y ? -1 : 1;
        }
      }
      return a < b ? -1 : a > b ? 1 : 0;
    }

    /// A function that orders rows by a property.
    function order(c, p) {
      if (p.shape !== "single") {
        const count = row => { const v = value(p, row); return v === null ? 0 : v.length; };
        return (a, b) => count(a) - count(b);
      }
      if (p.type === "object") {
        const target = classes[p.target];
        if (target.key < 0) return (a, b) => compareScalars("int", value(p, a), value(p, b));
        const k = target.properties[target.key];
        const of = row => { const v = value(p, row); return v === null ? null : value(k, v); };
        return (a, b) => compareScalars(k.type, of(a), of(b));
      }
      if (p.type === "mixed") return (a, b) => compareScalars("string", cellText(p, a), cellText(p, b));
      return (a, b) => compareScalars(p.type, value(p, a), value(p, b));
    }

    // MARK: Elements

    function make(tag, attributes, ...children) {
      const element = document.createElement(tag);
      for (const [k, v] of Object.entries(attributes || {})) {
        if (v === null || v === undefined || v === false) continue;
        if (k.startsWith("on")) element.addEventListener(k.slice(2), v);
        else element.setAttribute(k, v === true ? "" : v);
      }
      element.append(...children.filter(child => child !== null));
      return element;
    }

    function text(words, kind) { return make("bdi", { class: kind }, words); }
    function nothing() { return make("span", { class: "nil" }, "nil"); }
    function objectLink(c, row) { return make("a", { href: "#object/" + c.number + "/" + row }, text(name(c, row))); }

    function scalar(type, v) {
      if (v === null) return nothing();
      return text(scalarText(type, v), type === "string" ? "string" : "value");
    }

    function any(v, depth) {
      if (v === null) return nothing();
      if (v[0] === "object") return objectLink(classes[v[1]], v[2]);
      if (v[0] === "list") return collection(v[1], "list", e => any(e, depth + 1));
      if (v[0] === "map") return collection(v[1], "map", e => any(e, depth + 1));
      const kind = v[0] === "string" ? null : make("span", { class: "kind" }, " " + v[0]);
      return make("span", {}, scalar(v[0], v[1]), kind);
    }

    /// Elements, a hundred at a time.
    function collection(values, shape, show) {
      if (!values || values.length === 0) return make("span", { class: "nil" }, "none");
      const list = make(shape === "list" ? "ol" : "ul", { class: "elements" });
      if (shape === "list") list.setAttribute("start", "0");
      const box = make("div", {}, list);
      const more = make("button", { type: "button", onclick: () => add(true) });
      let shown = 0;
      function add(isAsked) {
        const first = shown;
        for (const v of values.slice(shown, shown + 100)) {
          list.append(shape === "map"
            ? make("li", {}, make("bdi", { class: "entry" }, visible(v[0])), ": ", show(v[1]))
            : make("li", {}, show(v)));
        }
        shown = Math.min(values.length, shown + 100);
        more.textContent = "Show more: " + (values.length - shown).toLocaleString("en") + " are left";
        if (shown >= values.length) more.remove(); else box.append(more);
        if (isAsked) {
          const item = list.children[first];
          const target = item.querySelector("a") || item;
          if (target === item) item.tabIndex = -1;
          target.focus();
        }
      }
      add(false);
      return box;
    }

    function element(p, v, depth) {
      if (v === null) return nothing();
      if (p.type === "mixed") return any(v, depth);
      if (p.type !== "object") return scalar(p.type, v);
      const target = classes[p.target];
      if (!target.isEmbedded || depth > 5) return objectLink(target, v);
      return make("div", { class: "part", role: "group", "aria-label": target.name },
        make("div", { class: "kind" }, objectLink(target, v)), properties(target, v, depth + 1));
    }

    function properties(c, row, depth) {
      const list = make("dl", {});
      for (const p of c.properties) {
        const v = value(p, row);
        const content = p.shape === "single"
          ? element(p, v, depth) : collection(v, p.shape, e => element(p, e, depth));
        list.append(make("div", {},
          make("dt", {}, text(p.name), make("span", { class: "kind" }, " " + p.typeWords)), make("dd", {}, content)));
      }
      return list;
    }

    /// Where a function runs piece by piece; a later task ends an earlier one.
    function inPieces(count, step, end) {
      const own = ++task;
      let next = 0;
      (function run() {
        if (own !== task) return;
        const until = performance.now() + 12;
        while (next < count && performance.now() < until) {
          const last = Math.min(count, next + 500);
          step(next, last);
          next = last;
        }
        if (next < count) setTimeout(run); else end();
      })();
    }

    // MARK: The table of a class

    function stateOf(c) {
      if (!tables.has(c.number)) {
        tables.set(c.number, { rows: null, page: 0, sort: -1, isDescending: false, filter: "", property: -1 });
      }
      return tables.get(c.number);
    }

    const comparison = /^\s*(!=|<=|>=|=|<|>)\s*(.*)$/s;

    function test(c, state) {
      const words = state.filter.trim();
      if (!words) return null;
      const p = c.properties[state.property];
      const match = p && p.shape === "single" ? comparison.exec(words) : null;
      if (match) {
        const isNil = match[2] === "nil";
        const wanted = isNil ? null : p.type === "bool" ? (match[2] === "true" ? 1 : 0) : match[2];
        const plain = p.type !== "object" && p.type !== "mixed";
        return row => {
          const v = value(p, row);
          let result;
          if (plain) {
            if (v === null !== isNil) return match[1] === "!=";
            result = compareScalars(p.type, typeof v === "number" && p.type === "string" ? String(v) : v, wanted);
          } else {
            const own = v === null ? "nil" : p.type === "object" ? key(classes[p.target], v) : anyText(v);
            result = own < match[2] ? -1 : own > match[2] ? 1 : 0;
          }
          switch (match[1]) {
            case "=": return result === 0;
            case "!=": return result !== 0;
            case "<": return result < 0;
            case "<=": return result <= 0;
            case ">": return result > 0;
            default: return result >= 0;
          }
        };
      }
      const small = words.toLowerCase();
      const looked = p ? [p] : c.properties;
      return row => (!p && c.key < 0 && key(c, row) === small) ||
        looked.some(q => cellText(q, row, 50).toLowerCase().includes(small));
    }

    function showClass(c, isMoved) {
      const state = stateOf(c);
      const heading = make("h2", { tabindex: "-1" }, text(c.name), c.isEmbedded
        ? make("span", { class: "kind" }, " embedded") : null);
      const filter = make("input", {
        type: "search", id: "filter", value: state.filter, autocomplete: "off", spellcheck: "false",
        placeholder: "text, or = < > and a value" });
      filter.addEventListener("input", () => {
        state.filter = filter.value;
        later(() => refresh(true));
      });
      const choice = make("select", { id: "filter-property", onchange: () => {
        state.property = Number(choice.value);
        refresh(true);
      } }, make("option", { value: "-1" }, "all properties"),
        ...c.properties.map((p, i) => make("option", { value: String(i), selected: i === state.property }, p.name)));
      const form = make("form", { class: "tools", role: "search", "aria-label": "Filter this table",
        onsubmit: e => { e.preventDefault(); refresh(true); } },
        make("label", { for: "filter" }, "Filter"), filter,
        make("label", { for: "filter-property" }, "in"), choice);
      const head = make("tr", {});
      const columns = c.properties.map((p, i) => [p, i]);
      if (c.key >= 0) columns.unshift(...columns.splice(c.key, 1));
      const heads = [];
      function column(label, index) {
        const button = make("button", { type: "button", onclick: () => {
          state.isDescending = state.sort === index && !state.isDescending;
          state.sort = index;
          refresh(true);
        } }, text(label));
        const cell = make("th", { scope: "col" }, button);
        heads.push([cell, index]);
        head.append(cell);
      }
      if (c.key < 0) column("object", -1);
      for (const [p, i] of columns) column(p.name, i);
      const body = make("tbody", {});
      const table = make("table", {}, make("caption", { class: "hidden" }, "Objects of " + c.name),
        make("thead", {}, head), body);
      const region = make("div", { class: "scroll", role: "region", tabindex: "0",
        "aria-label": "Table of " + c.name }, table);
      const pager = make("nav", { class: "tools", "aria-label": "Pages" });
      const range = make("span", { id: "range" });
      const jump = (label, to) => make("button", { type: "button", onclick: () => { state.page = to(); draw(true); } },
        label);
      const last = () => Math.max(0, Math.ceil(state.rows.length / pageSize) - 1);
      const buttons = [jump("First", () => 0), jump("Previous", () => state.page - 1),
        jump("Next", () => state.page + 1), jump("Last", last)];
      const sizes = make("select", { id: "page-size", onchange: () => {
        const first = state.page * pageSize;
        pageSize = Number(sizes.value);
        state.page = Math.floor(first / pageSize);
        draw(true);
      } }, ...pageSizes.map(n => make("option", { value: String(n), selected: n === pageSize }, String(n))));
      pager.append(buttons[0], buttons[1], range, buttons[2], buttons[3],
        make("label", { for: "page-size" }, "rows"), sizes);

      function draw(isTold) {
        state.page = Math.min(Math.max(0, state.page), last());
        const first = state.page * pageSize, rows = state.rows.slice(first, first + pageSize);
        body.replaceChildren(...rows.map(row => {
          const cells = c.key < 0 ? [make("th", { scope: "row" }, objectLink(c, row))] : [];
          for (const [p, i] of columns) {
            if (i === c.key) {
              cells.push(make("th", { scope: "row" },
                make("a", { href: "#object/" + c.number + "/" + row }, text(key(c, row)))));
            } else {
              cells.push(cell(p, row));
            }
          }
          return make("tr", {}, ...cells);
        }));
        const shown = rows.length === 0 ? "no objects" : (first + 1).toLocaleString("en") + "–" +
          (first + rows.length).toLocaleString("en") + " of " + state.rows.length.toLocaleString("en");
        range.textContent = shown;
        buttons[0].disabled = buttons[1].disabled = state.page === 0;
        buttons[2].disabled = buttons[3].disabled = state.page >= last();
        for (const [cell, index] of heads) {
          if (index === state.sort) cell.setAttribute("aria-sort", state.isDescending ? "descending" : "ascending");
          else cell.removeAttribute("aria-sort");
        }
        if (isTold) {
          status.textContent = shown;
          region.scrollTop = 0;
        }
      }

      function refresh(isTold) {
        const accepts = test(c, state), rows = [];
        if (isTold) state.page = 0;
        inPieces(c.rows, (from, to) => {
          for (let row = from; row < to; row += 1) if (!accepts || accepts(row)) rows.push(row);
        }, () => {
          if (state.sort >= 0) rows.sort(order(c, c.properties[state.sort]));
          if (state.isDescending) rows.reverse();
          state.rows = rows;
          draw(isTold);
        });
      }

      main.replaceChildren(heading, form, region, pager);
      if (state.rows) draw(false); else refresh(false);
      arrive(heading, c.name, isMoved);
    }

    function cell(p, row) {
      const v = value(p, row);
      const isNumber = p.shape === "single" && ["int", "float", "double", "decimal"].includes(p.type);
      if (v === null) return make("td", {}, p.shape === "single" ? nothing() : make("span", { class: "nil" }, "none"));
      if (p.shape === "single" && p.type === "object") {
        return make("td", {}, make("a", { href: "#object/" + p.target + "/" + v }, text(elementText(p, v))));
      }
      if (p.shape === "single" && p.type === "mixed" && v[0] === "object") {
        return make("td", {}, objectLink(classes[v[1]], v[2]));
      }
      const words = cellText(p, row, 3);
      return make("td", { class: isNumber ? "number" : null },
        text(words.length > 200 ? words.slice(0, 200) + "…" : words, p.type === "string" ? "string" : "value"));
    }

    let timer = 0;
    function later(body) { clearTimeout(timer); timer = setTimeout(body, 150); }

    // MARK: An object

    function showObject(c, row, isMoved) {
      const title = name(c, row);
      const heading = make("h2", { tabindex: "-1" }, text(title));
      const way = make("p", {}, "in ", make("a", { href: "#class/" + c.number }, text(c.name)));
      const links = make("div", { "aria-busy": "true" }, make("p", { class: "nil" }, "looking …"));
      main.replaceChildren(heading, way, properties(c, row, 0),
        make("h3", {}, c.isEmbedded ? "Part of" : "Linked from"), links);
      arrive(heading, title, isMoved);
      const found = [];
      const looked = [];
      for (const from of classes) {
        for (const p of from.properties) {
          if (p.links && p.values && (p.type === "mixed" || p.target === c.number)) looked.push([from, p]);
        }
      }
      let next = 0;
      (function look() {
        if (next === looked.length) {
          links.removeAttribute("aria-busy");
          links.replaceChildren(...found.length ? found : [make("p", { class: "nil" }, "nothing")]);
          return;
        }
        const [from, p] = looked[next];
        const rows = [];
        next += 1;
        inPieces(from.rows, (first, last) => {
          for (let other = first; other < last; other += 1) {
            if (leads(p, value(p, other), c.number, row)) rows.push(other);
          }
        }, () => {
          if (rows.length > 0) {
            found.push(make("h4", {}, text(from.name + "." + p.name), " (" + rows.length.toLocaleString("en") + ")"),
              collection(rows, "set", other => objectLink(from, other)));
          }
          look();
        });
      })();
    }

    function leads(p, v, target, row) {
      if (v === null) return false;
      if (p.type === "mixed") {
        if (p.shape === "single") return anyLeads(v, target, row);
        return v.some(e => anyLeads(p.shape === "map" ? e[1] : e, target, row));
      }
      if (p.shape === "single") return v === row;
      return p.shape === "map" ? v.some(e => e[1] === row) : v.includes(row);
    }

    function anyLeads(v, target, row) {
      if (v === null) return false;
      if (v[0] === "object") return v[1] === target && v[2] === row;
      if (v[0] === "list") return v[1].some(e => anyLeads(e, target, row));
      if (v[0] === "map") return v[1].some(e => anyLeads(e[1], target, row));
      return false;
    }

    // MARK: Search

    function showSearch(words, isMoved) {
      const small = words.trim().toLowerCase();
      const heading = make("h2", { tabindex: "-1" }, "Search: ", text(visible(words)));
      const results = make("div", { "aria-busy": "true" });
      main.replaceChildren(heading, results);
      arrive(heading, "Search", isMoved);
      const most = 100;
      let number = 0, total = 0;
      (function look() {
        if (number === classes.length || !small) {
          results.removeAttribute("aria-busy");
          status.textContent = total.toLocaleString("en") + (total === 1 ? " object found" : " objects found");
          if (total === 0) results.append(make("p", { class: "nil" }, "Nothing contains these words."));
          return;
        }
        const c = classes[number], found = [];
        let count = 0;
        number += 1;
        inPieces(c.rows, (first, last) => {
          for (let row = first; row < last; row += 1) {
            const p = c.properties.find(q => !(q.type === "object") && value(q, row) !== null &&
              cellText(q, row, 50).toLowerCase().includes(small));
            if (!p) continue;
            count += 1;
            if (found.length < most) found.push([row, p]);
          }
        }, () => {
          total += count;
          if (count > 0) {
            results.append(make("h3", {}, text(c.name), " (" + count.toLocaleString("en") + ")"),
              make("ul", { class: "elements" }, ...found.map(([row, p]) => make("li", {}, objectLink(c, row), " ",
                make("span", { class: "kind" }, text(p.name + ": " + near(cellText(p, row, 50), small)))))));
            if (count > most) {
              results.append(make("p", { class: "nil" }, "The first " + most + " are shown. ",
                make("a", { href: "#class/" + c.number, onclick: () => {
                  Object.assign(stateOf(c), { filter: words, property: -1, rows: null, page: 0 });
                } }, "Show all in the table")));
            }
          }
          look();
        });
      })();
    }

    /// The text around the words.
    function near(words, small) {
      const at = words.toLowerCase().indexOf(small);
      const from = Math.max(0, at - 30), to = Math.min(words.length, at + small.length + 50);
      return (from > 0 ? "…" : "") + words.slice(from, to) + (to < words.length ? "…" : "");
    }

    // MARK: Ways

    function arrive(heading, title, isMoved) {
      document.title = visible(title) + " – " + data.title;
      status.textContent = "";
      if (isMoved) heading.focus();
    }

    function show(isMoved) {
      task += 1;
      const parts = location.hash.slice(1).split("/");
      const c = classes[Number(parts[1])];
      let current = null;
      if (parts[0] === "search") {
        const words = decodeURIComponent(parts.slice(1).join("/"));
        document.getElementById("search").value = words;
        showSearch(words, isMoved);
      } else if (parts[0] === "object" && c && Number(parts[2]) < c.rows) {
        current = c;
        showObject(c, Number(parts[2]), isMoved);
      } else if (c || classes.length > 0) {
        current = c || classes.find(other => other.rows > 0 && !other.isEmbedded) || classes[0];
        showClass(current, isMoved);
      } else {
        main.replaceChildren(make("p", {}, "This file has no classes."));
      }
      document.querySelectorAll("#classes a").forEach((link, i) => {
        if (current && current.number === i) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
      });
    }

    document.getElementById("classes").append(...classes.map(c => make("li", {},
      make("a", { href: "#class/" + c.number }, text(c.name),
        make("span", { class: "count" }, " ", c.rows.toLocaleString("en"))))));
    document.getElementById("searching").addEventListener("submit", event => {
      event.preventDefault();
      location.hash = "search/" + encodeURIComponent(document.getElementById("search").value);
    });
    document.addEventListener("keydown", event => {
      const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
      if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
        event.preventDefault();
        document.getElementById("search").focus();
      }
    });
    document.getElementById("skip").addEventListener("click", event => {
      event.preventDefault();
      main.focus();
    });
    addEventListener("hashchange", () => show(true));
    show(false);

    """#
}
