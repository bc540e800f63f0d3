/// Makes an input smaller while it keeps showing its finding: first by steps, then by values.
///
/// Steps are removed in halves, quarters and so on down to single ones (Zeller and Hildebrandt, "Simplifying and
/// Isolating Failure-Inducing Input", 2002). Then each operand becomes 0, its half, or one less. The code of a step
/// stays.
struct Minimizer {
  /// The parts of an input.
  let layout: InputLayout
  /// The first of some inputs that still shows the finding; nil if no one does.
  let firstThatFails: ([[UInt8]]) -> Int?

  /// The smallest input that was found.
  func minimized(_ input: [UInt8]) -> [UInt8] {
    var input = input
    while true {
      let before = input
      removeSteps(&input)
      lowerValues(&input)
      if input == before { return input }
    }
  }

  private func removeSteps(_ input: inout [UInt8]) {
    var size = max(1, count(input) / 2)
    while true {
      while let smaller = first(
        stride(from: 0, to: count(input), by: size).map { without($0..<min(count(input), $0 + size), input) })
      {
        input = smaller
      }
      if size == 1 { return }
      size /= 2
    }
  }

  private func lowerValues(_ input: inout [UInt8]) {
    var index = 0
    while index < input.count {
      let value = input[index]
      let isCode = index >= layout.header && (index - layout.header) % layout.step == 0 && layout.step > 1
      let lower: [UInt8] =
        layout.step == 1 && index >= layout.header
        ? [UInt8(ascii: "a"), UInt8(ascii: "0"), UInt8(ascii: " ")].prefix { $0 != value } : lowered(value)
      if !isCode, let changed = first(lower.map { changing(index, to: $0, input) }) {
        input = changed
      } else {
        index += 1
      }
    }
  }

  private func lowered(_ value: UInt8) -> [UInt8] {
    var values: [UInt8] = []
    for candidate in [0, value / 2, value &- 1] where candidate < value && !values.contains(candidate) {
      values.append(candidate)
    }
    return values
  }

  private func changing(_ index: Int, to value: UInt8, _ input: [UInt8]) -> [UInt8] {
    var input = input
    input[index] = value
    return input
  }

  private func count(_ input: [UInt8]) -> Int {
    max(0, input.count - layout.header + layout.step - 1) / layout.step
  }

  private func without(_ steps: Range<Int>, _ input: [UInt8]) -> [UInt8] {
    let start = layout.header + steps.lowerBound * layout.step
    let end = min(input.count, layout.header + steps.upperBound * layout.step)
    return Array(input[..<start] + input[end...])
  }

  private func first(_ inputs: [[UInt8]]) -> [UInt8]? {
    inputs.isEmpty ? nil : firstThatFails(inputs).map { inputs[$0] }
  }
}
