/// The text of a drawing in SVG, written element by element.
struct SVGText {
  private(set) var text = ""

  /// Adds text that is already SVG.
  mutating func raw(_ svg: String) { text += svg }

  /// Adds an empty element with a place and a size.
  mutating func open(
    _ element: String, _ name: String, _ value: String, at corner: Diagram.Point, size: Diagram.Point,
    _ more: [(String, String)]
  ) {
    text += "<\(element) \(name)=\"\(value.escapedForMarkup)\" x=\"\(corner.x.svg)\" y=\"\(corner.y.svg)\" "
    text += "width=\"\(size.x.svg)\" height=\"\(size.y.svg)\""
    for (name, value) in more { text += " \(name)=\"\(value.escapedForMarkup)\"" }
    text += "/>\n"
  }

  /// Adds a line of text.
  mutating func text(_ words: String, _ kind: String, _ place: Diagram.Point) {
    text += "<text class=\"\(kind)\" x=\"\(place.x.svg)\" y=\"\(place.y.svg)\">\(words.escapedForMarkup)</text>\n"
  }

  /// Adds a line through points, with an arrowhead at its end. It bends where two neighbouring points are not above
  /// each other.
  mutating func arrow(_ points: [Diagram.Point], isLoop: Bool, attributes: String, title: String) {
    guard let first = points.first, let last = points.last else { return }
    var path = "M\(first.x.svg) \(first.y.svg)"
    var before = first
    for (index, point) in points.enumerated().dropFirst() {
      if isLoop || point.x == before.x {
        path += isLoop && index < points.count ? "L\(point.x.svg) \(point.y.svg)" : "V\(point.y.svg)"
      } else {
        let middle = (before.y + point.y) / 2
        path += "C\(before.x.svg) \(middle.svg) \(point.x.svg) \(middle.svg) \(point.x.svg) \(point.y.svg)"
      }
      before = point
    }
    // The arrowhead is drawn, not a marker, so that it has the colour of its line in every viewer.
    let from = isLoop ? Diagram.Point(last.x + 1, last.y) : Diagram.Point(last.x, points[points.count - 2].y)
    let isDown = from.y <= last.y
    let head =
      isLoop
      ? "M\((last.x + 7).svg) \((last.y - 4).svg)L\(last.x.svg) \(last.y.svg)L\((last.x + 7).svg) \((last.y + 4).svg)"
      : "M\((last.x - 4).svg) \((last.y + (isDown ? -7 : 7)).svg)L\(last.x.svg) \(last.y.svg)"
        + "L\((last.x + 4).svg) \((last.y + (isDown ? -7 : 7)).svg)"
    text += "<path \(attributes) d=\"\(path)\(head)\"><title>\(title.escapedForMarkup)</title></path>\n"
  }
}

extension String {
  /// The text for HTML, XML and SVG, inside elements and quoted attributes: no character of it is markup, and none
  /// turns the direction of what follows.
  var escapedForMarkup: String {
    var escaped = ""
    for scalar in printable.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      // No document may contain these.
      case "\u{FFFE}", "\u{FFFF}": escaped += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

extension Double {
  /// The number with at most one digit behind the point.
  var svg: String {
    let tenths = Int((self * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
  }
}
