import Foundation

extension FigureReport {
  /// Bars on a logarithmic scale as an SVG picture: a group for each workload, a bar for each program.
  ///
  /// The picture names its size, because readers of pages give pictures without one any width. It follows the colours
  /// of the reader's system, and its description holds what the bars show, for those who do not see it.
  var chart: String {
    let all = rows.flatMap(\.figures).compactMap { $0 }
    let scale = Scale(all.min() ?? 1, all.max() ?? 1)
    var body = ""
    var y = Self.head
    for row in rows {
      let bars = row.figures.enumerated().compactMap { number, figure in figure.map { (number, $0) } }
      let height = bars.count * Self.bar
      body += Self.text(row.highlight.title, x: Self.left - 10, y: y + height / 2 + 4, anchor: "end")
      for (number, figure) in bars {
        let width = max(scale.x(figure) - Self.left, 1)
        body +=
          "<rect class=\"p\(number)\" x=\"\(Self.left)\" y=\"\(y)\" width=\"\(width)\" height=\"\(Self.bar - 2)\"/>\n"
        body += Self.text(Self.time(figure), x: Self.left + width + 6, y: y + Self.bar - 4)
        y += Self.bar
      }
      y += Self.gap
    }
    let height = y + Self.foot
    let grid = scale.powers.map { power in
      let x = scale.x(pow(10, Double(power)))
      return "<line x1=\"\(x)\" y1=\"\(Self.head - 8)\" x2=\"\(x)\" y2=\"\(y)\"/>\n"
        + Self.text(Scale.label(power), x: x, y: y + 16, anchor: "middle")
    }
    let legend = programs.enumerated().map { number, program in
      let x = Self.left + number * 130
      return "<rect class=\"p\(number)\" x=\"\(x)\" y=\"8\" width=\"12\" height=\"12\"/>\n"
        + Self.text(program.label, x: x + 18, y: 19)
    }
    let colors = Self.colors.enumerated().map { ".p\($0) { fill: \($1) }" }.joined(separator: " ")
    return """
      <svg xmlns="http://www.w3.org/2000/svg" role="img" width="\(Self.width)" height="\(height)" \
      viewBox="0 0 \(Self.width) \(height)" font-family="-apple-system, Helvetica, Arial, sans-serif" font-size="12">
      <title>Times of \(Self.escaped(programs.map(\.label).joined(separator: ", ")))</title>
      <desc>\(Self.escaped(description))</desc>
      <style>svg { background: #fff } text { fill: #222 } line { stroke: #d0d0d0 } \(colors)
      @media (prefers-color-scheme: dark) { svg { background: #000 } text { fill: #ddd } line { stroke: #444 } }</style>
      \(grid.joined())\(legend.joined())\(body)</svg>

      """
  }

  /// Each bar in words.
  private var description: String {
    rows.map { row in
      let figures = zip(programs, row.figures).compactMap { program, figure in
        figure.map { "\(program.label) \(Self.time($0))" }
      }
      return "\(row.highlight.title): \(figures.joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  private static let (width, left, right) = (960, 440, 80)
  private static let (head, foot, bar, gap) = (40, 28, 14, 8)
  private static let colors = ["#2f6fb0", "#d9822b", "#4a9a5d", "#8a8a8a", "#9a5fb0"]

  private static func text(_ text: String, x: Int, y: Int, anchor: String = "start") -> String {
    "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(escaped(text))</text>\n"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// A logarithmic scale over whole powers of ten.
  private struct Scale {
    let powers: ClosedRange<Int>

    init(_ least: Double, _ most: Double) {
      let low = Int(floor(log10(least)))
      powers = low...max(Int(ceil(log10(most))), low + 1)
    }

    /// A power of ten nanoseconds in the unit that leaves the fewest digits.
    static func label(_ power: Int) -> String {
      let units = ["ps", "ns", "µs", "ms", "s"]
      let unit = min(max((power + 3) / 3, 0), units.count - 1)
      return String(format: "%g ", pow(10, Double(power + 3 - unit * 3))) + units[unit]
    }

    /// The position of a figure in the picture.
    func x(_ figure: Double) -> Int {
      let part = (log10(figure) - Double(powers.lowerBound)) / Double(powers.count - 1)
      return left + Int(part * Double(width - left - right))
    }
  }
}
