import Foundation

/// The figures of several programs for the same work, as a table and as a chart for people.
///
/// Ours come first. A workload that the first program has no figure for is left out.
struct FigureReport {
  let programs: [Figures]
  /// The workloads shown, each with the figures in the order of the programs.
  let rows: [Row]

  struct Row {
    let highlight: Highlight
    let figures: [Double?]
  }

  init(_ programs: [Figures], of highlights: [Highlight] = Highlight.all) {
    precondition(!programs.isEmpty, "A report has at least one program.")
    self.programs = programs
    rows = highlights.compactMap { highlight in
      let figures = programs.map { $0[highlight.name, highlight.mode] }
      return figures[0].map { _ in Row(highlight: highlight, figures: figures) }
    }
  }

  /// A table in Markdown, the means of the ratios, and what the programs say about their runs.
  var markdown: String {
    var lines = ["| operation | " + programs.map(\.label).joined(separator: " | ") + " |"]
    lines.append("| --- |" + String(repeating: " ---: |", count: programs.count))
    for row in rows {
      let cells = row.figures.map { $0.map(Self.time) ?? "" }
      lines.append("| \(row.highlight.title) | " + cells.joined(separator: " | ") + " |")
    }
    lines.append("")
    for (number, program) in programs.enumerated().dropFirst() {
      let ratios = rows.compactMap { row in row.figures[number].map { $0 / row.figures[0]! } }
      guard !ratios.isEmpty else { continue }
      let mean = exp(ratios.map { log($0) }.reduce(0, +) / Double(ratios.count))
      let text = String(format: "%.1f", mean)
      lines.append(
        "\(program.label) takes \(text) times as long as \(programs[0].label) "
          + "(geometric mean of \(ratios.count) lines)."
      )
    }
    for program in programs where !program.conditions.isEmpty {
      lines.append("\(program.label): \(program.conditions)")
    }
    return lines.joined(separator: "\n")
  }

  /// Nanoseconds in the unit that people read, with two or three digits.
  static func time(_ nanoseconds: Double) -> String {
    var (value, units) = (nanoseconds, ["ns", "µs", "ms"][...])
    while value >= 1000, units.count > 1 {
      value /= 1000
      units.removeFirst()
    }
    let digits =
      value < 1 ? 2 : value < 10 && units.count == 3 ? 1 : value < 10 ? 2 : value < 100 && units.count < 3 ? 1 : 0
    return String(format: "%.\(digits)f ", value) + units.first!
  }
}
