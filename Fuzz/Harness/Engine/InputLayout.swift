import FiefTestSupport

/// The parts of an input: a header, then steps of equal size.
///
///     header ││ code operands │ code operands │ …
///
/// The first byte of a step is its code. Text has steps of one byte, and no codes.
public struct InputLayout: Sendable {
  /// A code of a step, and how frequent it is in random inputs.
  public typealias Kind = (code: UInt8, weight: Int)

  /// The number of bytes before the steps.
  public var header: Int
  /// The number of bytes of a step.
  public var step: Int
  /// The codes of steps. Any other code is a step that does nothing.
  public var kinds: [Kind]
  /// The maximum number of steps of a random input.
  public var limit: Int

  /// A layout of its parts.
  public init(header: Int, step: Int, kinds: [Kind] = [], limit: Int = 64) {
    self.header = header
    self.step = step
    self.kinds = kinds
    self.limit = limit
  }

  /// The maximum number of bytes of an input.
  public var size: Int { max(4096, header + step * limit) }

  /// The steps of an input, each padded with zeros to its full size.
  public func steps(_ input: [UInt8]) -> [StepBytes] {
    stride(from: header, to: input.count, by: step).map { StepBytes(input[$0..<min(input.count, $0 + step)]) }
  }

  /// A random input. Each has a part of the codes only, with other frequencies (`Swarm`).
  public func sample(_ random: inout SeededRandom) -> [UInt8] {
    var input = (0..<header).map { _ in operand(&random) }
    guard !kinds.isEmpty else { return input + random.bytes(count: random.below(limit + 1)) }
    let swarm = Swarm(kinds.map { ($0.code, $0.weight) }, using: &random)
    for _ in 0..<1 + random.below(limit) { input += sampleStep(swarm.next(using: &random), &random) }
    return input
  }

  /// A random step.
  func sampleStep(_ code: UInt8, _ random: inout SeededRandom) -> [UInt8] {
    [code] + (1..<max(1, step)).map { _ in operand(&random) }
  }

  /// Small numbers are frequent, so that steps meet at the same rows.
  private func operand(_ random: inout SeededRandom) -> UInt8 {
    switch random.below(8) {
    case 0..<5: UInt8(random.below(8))
    case 5, 6: UInt8(random.below(256))
    default: random.element(of: [0, 1, 15, 16, 127, 128, 254, 255] as [UInt8])
    }
  }
}

/// The bytes of a step: a code and operands. Missing operands are 0.
public struct StepBytes: Sendable {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// The code.
  var code: UInt8 { bytes.first ?? 0 }

  /// The code and the operands.
  var all: [UInt8] { Array(bytes) }

  /// An operand, counted from 1.
  subscript(index: Int) -> Int {
    let position = bytes.startIndex + index
    return position < bytes.endIndex ? Int(bytes[position]) : 0
  }

  /// An operand that chooses an element.
  func choice<Element>(_ index: Int, of elements: [Element]) -> Element { elements[self[index] % elements.count] }

  /// Two operands as a number, the lower byte first.
  func wide(_ index: Int) -> Int { self[index] | self[index + 1] << 8 }
}
