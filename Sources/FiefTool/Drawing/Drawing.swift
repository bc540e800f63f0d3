/// Boxes with contents and named lines between them, drawn as SVG.
///
/// The colours follow the reader's choice of light or dark. Each class has one; a legend names them.
struct Drawing {
  /// One line.
  struct Line {
    /// The indices of the boxes.
    var from: Int
    var to: Int
    /// The names of the properties that link.
    var names: [String]
  }

  /// The title.
  var title: String
  /// The number of objects and links, or of those that were left out.
  var summary: String
  var boxes: [BoxContents]
  var lines: [Line]

  /// More lines than this have their names only where the pointer rests on them.
  private static let namedLines = 80

  /// The drawing as a document of its own.
  ///
  /// - Parameter isInPage: whether it becomes a part of a page; boxes can then be reached and pressed.
  func svg(isInPage: Bool = false) -> String {
    let sizes = boxes.map(\.size)
    let places = Diagram(
      boxes: sizes.map { Diagram.Box(size: $0) }, lines: lines.map { Diagram.Line(from: $0.from, to: $0.to) }
    ).placed()
    let classes = classNames
    let colours = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1, "c\($0)") })
    let hasClosing = places.isClosing.contains(true)
    let legend = Legend(classes: classes, hasClosing: hasClosing)
    let margin = 24.0
    let width = max(places.size.x, BoxContents.width(of: title), legend.width(in: max(places.size.x, 480)))
    let top = margin + 2 * BoxContents.letter.y + 8 + legend.height(in: width) + margin
    let (fullWidth, fullHeight) = (width + 2 * margin, top + places.size.y + margin)
    var svg = SVGText()
    svg.raw(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(fullWidth.svg) \(fullHeight.svg)\" "
        + "width=\"\(fullWidth.svg)\" height=\"\(fullHeight.svg)\" role=\"\(isInPage ? "group" : "img")\" "
        + "aria-labelledby=\"drawing-title drawing-summary\">\n"
        + "<title id=\"drawing-title\">\(title.escapedForMarkup)</title>\n"
        + "<desc id=\"drawing-summary\">\(summary.escapedForMarkup)</desc>\n"
        + "<style>\n\(Self.style)\(legend.style)</style>\n")
    svg.open("rect", "class", "ground", at: .init(0, 0), size: .init(fullWidth, fullHeight), [])
    svg.text(title, "heading", .init(margin, margin + 12))
    svg.text(summary, "name", .init(margin, margin + 12 + BoxContents.letter.y))
    legend.draw(at: .init(margin, margin + 2 * BoxContents.letter.y + 8), width: width, into: &svg)
    let offset = Diagram.Point(margin, top)
    drawLines(places, offset, into: &svg)
    for (number, box) in boxes.enumerated() {
      svg.raw(
        isInPage
          ? "<g id=\"box-\(number)\" tabindex=\"0\" role=\"button\" aria-label=\"\(box.title.escapedForMarkup)\">\n"
          : "<g>\n")
      box.draw(at: offset + places.corners[number], size: sizes[number], into: &svg) { colours[$0] ?? "c0" }
      svg.raw("</g>\n")
    }
    svg.raw("</svg>\n")
    return svg.text
  }

  private func drawLines(_ places: Diagram.Places, _ offset: Diagram.Point, into svg: inout SVGText) {
    for (number, line) in lines.enumerated() {
      let names = line.names.joined(separator: ", ")
      svg.arrow(
        places.paths[number].map { offset + $0 }, isLoop: line.from == line.to,
        attributes: "class=\"line\(places.isClosing[number] ? " closing" : "")\" data-from=\"\(line.from)\" "
          + "data-to=\"\(line.to)\"",
        title: "\(boxes[line.from].title) – \(names) → \(boxes[line.to].title)")
    }
    if lines.count <= Self.namedLines { drawNames(places, offset, into: &svg) }
  }

  /// Writes the names of lines beside their arrowheads. The left half of the lines that arrive at one edge of a box has
  /// its names on the left, in steps, and the other half on the right, so that names stay apart.
  private func drawNames(_ places: Diagram.Places, _ offset: Diagram.Point, into svg: inout SVGText) {
    var arriving: [Arrival: [Int]] = [:]
    for (number, line) in lines.enumerated() {
      guard let first = places.paths[number].first, let last = places.paths[number].last else { continue }
      if line.from == line.to {
        svg.text(
          line.names.joined(separator: ", ").cut(to: 24), "label", offset + .init(last.x + 20, last.y + 14))
      } else {
        arriving[Arrival(box: line.to, isFromBelow: last.y < first.y), default: []].append(number)
      }
    }
    for (edge, numbers) in arriving.sorted(by: { $0.key < $1.key }) {
      let ends = numbers.map { (x: places.paths[$0].last?.x ?? 0, number: $0) }.sorted { $0 < $1 }
      let sorted = ends.map(\.number)
      let half = sorted.count == 1 ? 0 : (sorted.count + 1) / 2
      for (position, number) in sorted.enumerated() {
        guard let last = places.paths[number].last else { continue }
        let isLeft = position < half
        let name = lines[number].names.joined(separator: ", ").cut(to: 24)
        // The innermost name is nearest to the box.
        let step = 12.0 * Double(isLeft ? half - 1 - position : position - half)
        let x: Double = isLeft ? last.x - 7 - Double(name.columns) * 6.65 : last.x + 7
        let y: Double = edge.isFromBelow ? last.y + 18 + step : last.y - 10 - step
        svg.text(name, "label", offset + Diagram.Point(x, y))
      }
    }
  }

  /// The place where lines arrive: at the upper edge of a box, or at the lower one.
  private struct Arrival: Hashable, Comparable {
    let box: Int
    let isFromBelow: Bool

    static func < (a: Arrival, b: Arrival) -> Bool {
      a.box != b.box ? a.box < b.box : !a.isFromBelow && b.isFromBelow
    }
  }

  /// The classes of all boxes, inner ones too, in the order in which they are met.
  private var classNames: [String] {
    var names: [String] = []
    var known: Set<String> = []
    var rest = Array(boxes.reversed())
    while let box = rest.popLast() {
      if known.insert(box.className).inserted { names.append(box.className) }
      for case .box(let inner) in box.parts.reversed() { rest.append(inner) }
    }
    return names
  }

  private static let style = """
    svg{background:#fff}.ground{fill:#fff}.heading{font-weight:700}.line{fill:none;stroke:#6b7280;stroke-width:1.3}
    .closing{stroke:#c2410c;stroke-dasharray:5 3}.box{stroke-width:1.3}
    text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#111827;white-space:pre}
    .title{font-weight:700}.name{fill:#4b5563}.label{fill:#374151;font-size:11px;paint-order:stroke;stroke:#fff;
    stroke-width:3px}
    [role=button]{cursor:pointer}[role=button]:focus{outline:none}
    [role=button]:focus-visible>.box:first-child{stroke-width:4}.chosen>.box:first-child{stroke-width:3.5}
    @media(prefers-color-scheme:dark){svg{background:#111418}.ground{fill:#111418}text{fill:#e5e7eb}\
    .line{stroke:#9ca3af}
    .closing{stroke:#fb923c}.name{fill:#b6bcc6}.label{fill:#d1d5db;stroke:#111418}}

    """
}

/// The colours of classes, with their names.
private struct Legend {
  let classes: [String]
  let hasClosing: Bool

  private static let closing = "closes a cycle"

  private var entries: [String] { classes.map { $0.printable.cut(to: 40) } + (hasClosing ? [Self.closing] : []) }

  private static func width(of entry: String) -> Double { BoxContents.width(of: entry) + 44 }

  private func rows(in width: Double) -> [[String]] {
    var (rows, used) = ([[String]](), 0.0)
    for entry in entries {
      if rows.isEmpty || used + Self.width(of: entry) > width {
        rows.append([])
        used = 0
      }
      rows[rows.count - 1].append(entry)
      used += Self.width(of: entry)
    }
    return rows
  }

  func width(in limit: Double) -> Double {
    rows(in: limit).map { $0.reduce(0) { $0 + Self.width(of: $1) } }.max() ?? 0
  }

  func height(in width: Double) -> Double { Double(rows(in: width).count) * 22 }

  func draw(at corner: Diagram.Point, width: Double, into svg: inout SVGText) {
    var number = 0
    for (row, entries) in rows(in: width).enumerated() {
      var x = corner.x
      let y = corner.y + Double(row) * 22
      for entry in entries {
        if number < classes.count {
          svg.open(
            "rect", "class", "box c\(number)", at: .init(x, y), size: .init(20, 14), [("rx", "3")])
        } else {
          svg.raw("<path class=\"line closing\" d=\"M\(x.svg) \((y + 7).svg)h20\"/>\n")
        }
        svg.text(entry, "name", .init(x + 26, y + 11))
        x += Self.width(of: entry)
        number += 1
      }
    }
  }

  /// Hues a golden angle apart, so that neighbours in the list of classes are never alike.
  var style: String {
    var (light, dark) = ("", "")
    for number in classes.indices {
      let hue = Int((210 + Double(number) * 137.508).truncatingRemainder(dividingBy: 360))
      light += ".c\(number){fill:hsl(\(hue),70%,95%);stroke:hsl(\(hue),55%,42%)}"
      dark += ".c\(number){fill:hsl(\(hue),32%,17%);stroke:hsl(\(hue),55%,60%)}"
    }
    return "\(light)\n@media(prefers-color-scheme:dark){\(dark)}\n"
  }
}
