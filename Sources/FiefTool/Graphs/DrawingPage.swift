import FiefGraph

/// A drawing as a page: it can be moved and magnified, and a box that is pressed shows its object.
enum DrawingPage {
  /// Longer values are cut.
  private static let longestText = 500
  /// Of a collection, and of the links to an object, only this many are shown.
  private static let shownElements = 100

  static func text(_ drawing: Drawing, _ drawn: ObjectDrawing, _ objects: StoreView) -> String {
    PageOutput.html(
      title: drawing.title, summary: drawing.summary, style: "\(BrowsePage.style)\n\(style)",
      tools: """
        <div class="tools" role="toolbar" aria-label="View">
        <button type="button" id="larger" aria-label="Larger">+</button>
        <button type="button" id="smaller" aria-label="Smaller">−</button>
        <button type="button" id="whole">Whole</button>
        </div>
        """,
      body: """
        <div class="drawing">
        <main id="view" aria-label="Drawing; arrow keys move it, + and - magnify">
        \(drawing.svg(isInPage: true))</main>
        <aside id="panel" aria-labelledby="panel-title" hidden>
        <button type="button" id="close" aria-label="Close">×</button>
        <h2 id="panel-title" tabindex="-1"></h2>
        <div id="object"></div>
        </aside>
        </div>
        """,
      data: .array(drawn.drawn.map { data($0, drawn, objects) }), script: script)
  }

  // MARK: Data

  /// The name of an object, its properties as name and words, and its links in both directions as property, box and
  /// name. The box of an object that is not drawn is -1.
  private static func data(_ object: ObjectLink, _ drawn: ObjectDrawing, _ objects: StoreView) -> JSON {
    var pairs: [JSON] = []
    properties(of: object, objects) { pairs.append(.texts([$0, $1.shortened(to: longestText)])) }
    func link(_ path: String, _ other: ObjectLink) -> JSON {
      .array([.text(path.printable), .number(drawn.number(of: other) ?? -1), .text(objects.label(of: other))])
    }
    return [
      "name": .text(objects.label(of: object)), "properties": .array(pairs),
      "links": .array(objects.links(of: object, limit: shownElements).map { link($0.path, $0.target) }),
      "backlinks": .array(objects.backlinks(of: object).prefix(shownElements).map { link($0.path, $0.object) }),
    ]
  }

  /// Calls a body with each property of an object, and of what it owns, that holds something else than links.
  private static func properties(
    of object: ObjectLink, _ objects: StoreView, _ body: (String, String) -> Void
  ) {
    objects.forEachProperty(of: object) { path, table, key, leaf, parts in
      let type = table.schema.columns[leaf].type
      let isList = type.isCollection && !table.schema.key.isNested
      var words: [String] = []
      var count = 0
      objects.forEachValue(table, key, leaf) { value in
        if let target = value.linked {
          if objects.isOwned(target) { parts.append((target, isList ? "\(path)[\(count)]" : path)) }
        } else if words.count < shownElements {
          words.append(objects.text(value))
        }
        count += 1
        return parts.count + words.count < shownElements
      }
      if type.kind != .link && !(words.isEmpty && count > 0) {
        body(path.printable, type.isCollection ? words.joined(separator: ", ") : words.first ?? "nil")
      }
      return true
    }
  }

  // MARK: Style and script

  private static let style = """
    body{display:flex;flex-direction:column;height:100vh;overflow:hidden}
    .drawing{flex:1;display:flex;min-height:0}main{flex:1;padding:0;min-width:0;overflow:hidden;cursor:grab;
    touch-action:none}main:active{cursor:grabbing}
    main svg{display:block;width:100%;height:100%}
    aside{flex:0 0 22rem;max-width:100%;overflow:auto;padding:.6rem 1rem;border-left:1px solid var(--line);
    background:var(--ground);position:relative}aside[hidden]{display:none}
    aside h2{margin:.1rem 2rem .4rem 0;font-size:1.15rem;overflow-wrap:anywhere}
    #close{position:absolute;right:.6rem;top:.5rem}header .tools{margin:0 0 0 auto}
    .faint{opacity:.18}
    aside dl>div{grid-template-columns:minmax(4rem,8rem) minmax(0,1fr)}
    aside ul{list-style:none;margin:.2rem 0;padding:0}aside li{margin:.15rem 0;overflow-wrap:anywhere}
    .go{border:0;background:none;padding:0;color:var(--link);text-decoration:underline;text-align:left}
    @media(max-width:44rem){.drawing{flex-direction:column}aside{flex:0 1 45%;border-left:0;
    border-top:1px solid var(--line)}}
    """

  private static let script = #"""
    "use strict";
    const data = JSON.parse(document.getElementById("data").textContent);
    const view = document.getElementById("view"), svg = view.querySelector("svg");
    const panel = document.getElementById("panel"), title = document.getElementById("panel-title");
    const box = svg.viewBox.baseVal;
    const size = { width: box.width, height: box.height };
    const lines = [...svg.querySelectorAll("path[data-from]")];
    let chosen = -1, scale = 1;

    svg.removeAttribute("width");
    svg.removeAttribute("height");

    // MARK: Moving and magnifying

    function move(x, y, width) {
      const frame = view.getBoundingClientRect();
      const least = 160, most = 4 * Math.max(size.width, size.height * frame.width / Math.max(1, frame.height));
      const w = Math.min(Math.max(width, least), most), h = w * frame.height / Math.max(1, frame.width);
      svg.setAttribute("viewBox", [x, y, w, h].map(n => n.toFixed(1)).join(" "));
      scale = w / Math.max(1, frame.width);
    }

    /// Keeps the scale when the space changes.
    function resize() { move(box.x, box.y, scale * view.getBoundingClientRect().width); }

    function whole() {
      const frame = view.getBoundingClientRect();
      // Text stays readable: a large drawing begins at its upper left corner.
      const width = Math.max(size.width, size.height * frame.width / Math.max(1, frame.height));
      move(Math.min(0, (size.width - width) / 2), 0, width);
    }

    function start() {
      const frame = view.getBoundingClientRect();
      whole();
      if (box.width > frame.width * 1.6) move(0, 0, frame.width * 1.6);
    }

    function magnify(factor, x, y) {
      const frame = view.getBoundingClientRect();
      const cx = x === undefined ? 0.5 : (x - frame.left) / frame.width;
      const cy = y === undefined ? 0.5 : (y - frame.top) / frame.height;
      const px = box.x + cx * box.width, py = box.y + cy * box.height;
      const width = box.width / factor;
      move(px - cx * width, py - cy * width * frame.height / frame.width, width);
    }

    let drag = null;
    view.addEventListener("pointerdown", e => {
      drag = { x: e.clientX, y: e.clientY, left: box.x, top: box.y, isMoved: false, id: e.pointerId };
    });
    view.addEventListener("pointermove", e => {
      if (!drag || drag.id !== e.pointerId) return;
      const dx = e.clientX - drag.x, dy = e.clientY - drag.y;
      if (!drag.isMoved && Math.hypot(dx, dy) < 4) return;
      if (!drag.isMoved) view.setPointerCapture(e.pointerId);
      drag.isMoved = true;
      move(drag.left - dx * scale, drag.top - dy * scale, box.width);
    });
    view.addEventListener("pointerup", e => {
      const wasMoved = drag && drag.isMoved;
      drag = null;
      if (wasMoved) return;
      const target = e.target.closest("g[id^=box-]");
      if (target) show(Number(target.id.slice(4)));
    });
    view.addEventListener("pointercancel", () => { drag = null; });
    view.addEventListener("wheel", e => {
      e.preventDefault();
      magnify(Math.exp(-e.deltaY / 400), e.clientX, e.clientY);
    }, { passive: false });
    document.getElementById("larger").addEventListener("click", () => magnify(1.3));
    document.getElementById("smaller").addEventListener("click", () => magnify(1 / 1.3));
    document.getElementById("whole").addEventListener("click", whole);
    addEventListener("keydown", e => {
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const isInDrawing = view.contains(e.target) || e.target === document.body;
      if (e.key === "Escape") { hide(); return; }
      if (!isInDrawing) return;
      const step = box.width / 10;
      const target = e.target.closest && e.target.closest("g[id^=box-]");
      switch (e.key) {
        case "ArrowLeft": move(box.x - step, box.y, box.width); break;
        case "ArrowRight": move(box.x + step, box.y, box.width); break;
        case "ArrowUp": move(box.x, box.y - step, box.width); break;
        case "ArrowDown": move(box.x, box.y + step, box.width); break;
        case "+": case "=": magnify(1.3); break;
        case "-": magnify(1 / 1.3); break;
        case "0": whole(); break;
        case "Enter": case " ": if (!target) return; show(Number(target.id.slice(4))); break;
        default: return;
      }
      e.preventDefault();
    });
    // A box that the keyboard reaches comes into sight.
    view.addEventListener("focusin", e => {
      const target = e.target.closest("g[id^=box-]");
      if (target && target.matches(":focus-visible")) reveal(target);
    });

    function reveal(target) {
      const area = target.getBBox();
      const isSeen = area.x >= box.x && area.y >= box.y && area.x + area.width <= box.x + box.width &&
        area.y + area.height <= box.y + box.height;
      if (!isSeen) {
        move(area.x + area.width / 2 - box.width / 2, area.y + area.height / 2 - box.height / 2, box.width);
      }
    }

    // MARK: The object

    function make(tag, kind, ...children) {
      const element = document.createElement(tag);
      if (kind) element.className = kind;
      element.append(...children);
      return element;
    }

    function links(heading, list) {
      if (list.length === 0) return [];
      return [make("h3", "", heading), make("ul", "", ...list.map(([property, number, name]) => {
        const label = make("bdi", "", name);
        let target = label;
        if (number >= 0) {
          target = make("button", "go", label);
          target.type = "button";
          target.addEventListener("click", () => show(number));
        }
        return make("li", "", make("span", "kind", make("bdi", "", property), " "), target);
      }))];
    }

    function show(number) {
      const object = data[number];
      mark(number);
      title.replaceChildren(make("bdi", "", object.name));
      document.getElementById("object").replaceChildren(
        make("dl", "", ...object.properties.map(([name, words]) =>
          make("div", "", make("dt", "", make("bdi", "", name)), make("dd", "", make("bdi", "", words))))),
        ...links("Links", object.links), ...links("Linked from", object.backlinks));
      panel.hidden = false;
      resize();
      reveal(document.getElementById("box-" + number));
      title.focus();
    }

    /// The object and its neighbours stand out.
    function mark(number) {
      chosen = number;
      const near = new Set([number]);
      for (const line of lines) {
        const from = Number(line.dataset.from), to = Number(line.dataset.to);
        const isOwn = from === number || to === number;
        if (isOwn) { near.add(from); near.add(to); }
        line.classList.toggle("faint", number >= 0 && !isOwn);
      }
      svg.querySelectorAll("g[id^=box-]").forEach((g, i) => {
        g.classList.toggle("chosen", i === number);
        g.classList.toggle("faint", number >= 0 && !near.has(i));
      });
    }

    function hide() {
      if (panel.hidden) return;
      panel.hidden = true;
      const last = chosen;
      mark(-1);
      resize();
      if (last >= 0) document.getElementById("box-" + last).focus();
    }

    document.getElementById("close").addEventListener("click", hide);
    addEventListener("resize", resize);
    start();

    """#
}
