/// The contents of a box of a drawing: a title, lines of text, and boxes inside it.
///
///     ┌──────────────────────┐
///     │ Person 7             │
///     ├──────────────────────┤
///     │ name  Ann            │
///     │ ┌──────────────────┐ │
///     │ │ address: Address │ │
///     │ │ city  Rome       │ │
///     │ └──────────────────┘ │
///     └──────────────────────┘
struct BoxContents {
  /// The name of the object or class.
  var title: String
  /// The class of the object, which gives the colour.
  var className: String
  /// The lines and inner boxes, in order.
  var parts: [Part] = []

  enum Part {
    /// A name and its value; one of them may be empty.
    case line(name: String, value: String)
    /// A box inside.
    case box(BoxContents)
  }

  /// The size of letters. Text is set in a font of one width, so that its length is known here.
  static let letter = Diagram.Point(7.25, 17)
  /// The space between text and the edge of a box.
  static let padding = 8.0

  /// The size of the box.
  ///
  /// - Complexity: linear in the parts. Inner boxes are visited by recursion; whoever makes the contents limits their
  ///   depth.
  var size: Diagram.Point {
    let nameWidth = nameWidth
    var width = Self.width(of: title)
    var height = Self.padding + Self.letter.y
    for part in parts {
      switch part {
      case .line(let name, let value):
        width = max(width, name.isEmpty ? Self.width(of: value) : nameWidth + Self.width(of: value))
        height += Self.letter.y
      case .box(let inner):
        let size = inner.size
        width = max(width, size.x)
        height += size.y + 6
      }
    }
    return Diagram.Point(width + 2 * Self.padding, height + Self.padding)
  }

  /// The width of the column of names.
  private var nameWidth: Double {
    let names = parts.compactMap {
      if case .line(let name, _) = $0, !name.isEmpty { Self.width(of: name) } else { nil }
    }
    return names.max().map { $0 + 10 } ?? 0
  }

  static func width(of text: String) -> Double { Double(text.columns) * letter.x }

  /// Writes the box as elements of SVG.
  ///
  /// - Parameters:
  ///   - corner: the upper left corner.
  ///   - size: the size of the box, at least that of its contents.
  ///   - colour: the names of the classes of elements for the colours of a class.
  func draw(at corner: Diagram.Point, size: Diagram.Point, into svg: inout SVGText, colour: (String) -> String) {
    svg.open("rect", "class", "box \(colour(className))", at: corner, size: size, [("rx", "6")])
    var y = corner.y + Self.padding + 12
    let left = corner.x + Self.padding
    svg.text(title, "title", .init(left, y))
    y += Self.letter.y
    let nameWidth = nameWidth
    for part in parts {
      switch part {
      case .line(let name, let value):
        if !name.isEmpty { svg.text(name, "name", .init(left, y)) }
        if !value.isEmpty { svg.text(value, "value", .init(name.isEmpty ? left : left + nameWidth, y)) }
        y += Self.letter.y
      case .box(let inner):
        let own = inner.size
        inner.draw(
          at: .init(left, y - 12), size: .init(size.x - 2 * Self.padding, own.y), into: &svg, colour: colour)
        y += own.y + 6
      }
    }
  }
}
