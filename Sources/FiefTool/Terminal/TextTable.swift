/// A table of text in aligned columns. On a terminal it is cut to the width; elsewhere nothing is cut.
///
///     id  name   dogs
///      7  Ann    [2]
///      8  Bob    [0]
///
/// The first rows decide how wide the columns are, so that a long table is printed as it comes.
struct TextTable {
  private let titles: [String]
  private let alignsRight: [Bool]
  private let terminal: Terminal
  /// The rows before the widths are known.
  private var waiting: [[String]] = []
  private var widths: [Int]?

  /// How many rows decide on the widths.
  private static let decisive = 1000
  /// The width up to which columns are aligned where nothing is cut.
  private static let widest = 60
  /// A column of a terminal is not made narrower than this.
  private static let narrowest = 6

  /// - Parameters:
  ///   - titles: the titles of the columns.
  ///   - alignsRight: for each column, whether its cells stand on the right, as numbers do.
  init(_ titles: [String], alignsRight: [Bool], _ terminal: Terminal) {
    self.titles = titles.map(\.printable)
    self.alignsRight = alignsRight
    self.terminal = terminal
  }

  /// Adds a row; its cells are printable.
  mutating func add(_ cells: [String]) throws {
    if let widths { return try print(cells, widths) }
    waiting.append(cells)
    if waiting.count == Self.decisive { try decide() }
  }

  /// Prints what is left. To be called at the end.
  mutating func finish() throws {
    if widths == nil { try decide() }
  }

  private mutating func decide() throws {
    var widths = titles.indices.map { column in
      waiting.reduce(titles[column].columns) { max($0, $1[column].columns) }
    }
    if let width = terminal.width {
      widths = Self.fitting(widths, width)
      if widths.count < titles.count {
        terminal.complain(
          "fief: \((titles.count - widths.count).of("column")) did not fit; --columns chooses among them.")
      }
    } else {
      widths = widths.map { min($0, Self.widest) }
    }
    self.widths = widths
    let head = line(titles, widths)
    terminal.say(StyledText(head, .bold))
    for cells in waiting { try print(cells, widths) }
    waiting = []
  }

  private func print(_ cells: [String], _ widths: [Int]) throws {
    terminal.say(line(cells, widths))
    try terminal.checkReader()
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let parts = widths.indices.map { column in
      let text = terminal.width == nil ? cells[column] : cells[column].cut(to: widths[column])
      if alignsRight[column] { return String(repeating: " ", count: max(0, widths[column] - text.columns)) + text }
      return column == widths.count - 1 ? text : text.padded(to: widths[column])
    }
    var line = parts.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Widths that fit into a line: the widest columns become narrower, and the last ones are left out when even that is
  /// not enough.
  static func fitting(_ widths: [Int], _ width: Int) -> [Int] {
    var widths = widths
    while widths.count > 1, widths.reduce(2 * (widths.count - 1), { $0 + min($1, narrowest) }) > width {
      widths.removeLast()
    }
    while true {
      let excess = widths.reduce(2 * (widths.count - 1), +) - width
      guard excess > 0, let widest = widths.max(), widest > 1 else { return widths }
      // All of the widest columns shrink to the next narrower one, or as far as it takes.
      let next = max(widths.filter { $0 < widest }.max() ?? 1, 1)
      let count = widths.count { $0 == widest }
      let step = max(1, min(widest - next, (excess + count - 1) / count))
      for column in widths.indices where widths[column] == widest { widths[column] = max(1, widest - step) }
    }
  }
}
