import FiefTestSupport

/// Makes inputs: random ones, and mutations of those that are there.
struct InputMaker {
  /// One in how many slow inputs is used. Each takes as long as a hundred others.
  static let shareOfSlow = 50

  private let target: any FuzzTarget
  private let corpus: [[UInt8]]
  private var random: SeededRandom

  init(_ target: any FuzzTarget, corpus: [[UInt8]], seed: UInt64) {
    (self.target, self.corpus) = (target, corpus)
    random = SeededRandom(seed: seed)
  }

  /// The next input.
  mutating func next() -> [UInt8] {
    while true {
      let input = corpus.isEmpty || random.below(5) >= 3 ? target.sample(&random) : mutated()
      // Also a small change makes an input slow, such as one of the depth of a nest.
      if !target.isSlow(input) || random.below(Self.shareOfSlow) == 0 { return input }
    }
  }

  /// A mutation of an input that is there, which must exist.
  mutating func mutated() -> [UInt8] {
    var input = random.element(of: corpus)
    for _ in 0...random.below(4) { mutate(&input) }
    return Array(input.prefix(target.layout(of: input).size))
  }

  private mutating func mutate(_ input: inout [UInt8]) {
    let layout = target.layout(of: input)
    switch random.below(10) {
    case 0..<4: changeByte(&input)
    case 4: if !target.words.isEmpty { insertWord(&input, layout) } else { changeByte(&input) }
    case 5: insertStep(&input, layout)
    case 6: if let range = range(input, layout) { input.removeSubrange(range) }
    case 7:
      if let range = range(input, layout) { input.insert(contentsOf: input[range], at: range.lowerBound) }
    case 8: if let from = range(input, layout) { move(from, in: &input, layout) }
    default: splice(&input, layout)
    }
  }

  private mutating func changeByte(_ input: inout [UInt8]) {
    guard !input.isEmpty else { return input.append(UInt8(random.below(256))) }
    let index = random.below(input.count)
    switch random.below(5) {
    case 0: input[index] ^= 1 << UInt8(random.below(8))
    case 1: input[index] &+= 1
    case 2: input[index] &-= 1
    case 3: input[index] = UInt8(random.below(256))
    default: input[index] = random.element(of: [0, 1, 127, 128, 255, 0x20, 0x22, 0x5B, 0x7B] as [UInt8])
    }
  }

  private mutating func insertWord(_ input: inout [UInt8], _ layout: InputLayout) {
    let word = Array(random.element(of: target.words).utf8)
    let position = min(input.count, layout.header + random.below(max(1, input.count - layout.header + 1)))
    input.insert(contentsOf: word, at: position)
  }

  private mutating func insertStep(_ input: inout [UInt8], _ layout: InputLayout) {
    guard !layout.kinds.isEmpty else { return input.append(contentsOf: random.bytes(count: 1 + random.below(4))) }
    let step = layout.sampleStep(random.element(of: layout.kinds).code, &random)
    let steps = max(0, input.count - layout.header) / layout.step
    input.insert(contentsOf: step, at: min(input.count, layout.header + random.below(steps + 1) * layout.step))
  }

  /// Some whole steps.
  private mutating func range(_ input: [UInt8], _ layout: InputLayout) -> Range<Int>? {
    let steps = (input.count - layout.header) / layout.step
    guard steps > 0 else { return nil }
    let first = random.below(steps)
    let count = 1 + random.below(min(steps - first, layout.step == 1 ? 16 : 4))
    return layout.header + first * layout.step..<layout.header + (first + count) * layout.step
  }

  private mutating func move(_ range: Range<Int>, in input: inout [UInt8], _ layout: InputLayout) {
    let part = Array(input[range])
    input.removeSubrange(range)
    let steps = max(0, input.count - layout.header) / layout.step
    input.insert(contentsOf: part, at: min(input.count, layout.header + random.below(steps + 1) * layout.step))
  }

  /// Continues with the end of another input.
  private mutating func splice(_ input: inout [UInt8], _ layout: InputLayout) {
    let other = random.element(of: corpus)
    guard let cut = range(input, layout), let from = range(other, layout) else { return }
    input = Array(input[..<cut.lowerBound]) + other[from.lowerBound...]
  }
}
