import Foundation

/// The figures of a workload at several sizes, and how they grow.
struct Growth {
  let name: String
  /// Nanoseconds per operation by number of rows, ascending.
  let figures: [(rows: Int, figure: Double)]

  /// The exponent of the rows in the time of one operation, by least squares over the logarithms: 0 if an operation
  /// takes the same time whatever the size, 1 if it is proportional to the rows. Nil for fewer than two sizes.
  var exponent: Double? {
    guard figures.count > 1 else { return nil }
    let points = figures.map { (x: log(Double($0.rows)), y: log($0.figure)) }
    let count = Double(points.count)
    let (x, y) = (points.map(\.x).reduce(0, +) / count, points.map(\.y).reduce(0, +) / count)
    let spread = points.map { ($0.x - x) * ($0.x - x) }.reduce(0, +)
    return points.map { ($0.x - x) * ($0.y - y) }.reduce(0, +) / spread
  }

  /// A row of a table in Markdown, with an empty cell for a size that is missing.
  func row(_ sizes: [Int]) -> String {
    let cells = sizes.map { size in figures.first { $0.rows == size }.map { FigureReport.time($0.figure) } ?? "" }
    let growth = exponent.map { String(format: "%.2f", $0) } ?? ""
    return "| \(name) | \(cells.joined(separator: " | ")) | \(growth) |"
  }

  /// The head of the table.
  static func head(_ sizes: [Int]) -> String {
    "| workload | \(sizes.map(\.description).joined(separator: " | ")) | exponent |\n"
      + "| --- |\(String(repeating: " ---: |", count: sizes.count + 1))"
  }
}
