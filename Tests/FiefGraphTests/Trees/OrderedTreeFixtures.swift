import FiefGraph
import Testing

/// Reproducible random numbers: SplitMix64 (Steele, Lea and Flood 2014). A failure only needs to print the seed.
struct OrderedTreeRandom: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in 0 ..< bound, or 0 if the bound is 0.
  mutating func below(_ bound: Int) -> Int { bound == 0 ? 0 : Int.random(in: 0..<bound, using: &self) }

  /// A range within 0 ... count, mostly short.
  mutating func range(in count: Int) -> Range<Int> {
    let start = below(count + 1)
    let length = below(2) == 0 ? below(12) : below(count - start + 1)
    return start..<min(count, start + length)
  }
}

// The short forms of `replaceSubrange`, as arrays have them.
extension OrderedTree {
  mutating func removeSubrange(_ range: Range<Int>) { replaceSubrange(range, with: EmptyCollection()) }
  mutating func removeAll() { removeSubrange(0..<count) }

  mutating func insert<S: Sequence>(contentsOf elements: S, at position: Int) where S.Element == Element {
    replaceSubrange(position..<position, with: elements)
  }

  mutating func append<S: Sequence>(contentsOf elements: S) where S.Element == Element {
    insert(contentsOf: elements, at: count)
  }
}

/// A number that is so large in memory that a leaf holds sixteen: small trees have many nodes.
struct Wide: Hashable, Sendable {
  var value: Int
  private var ballast: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

  init(_ value: Int) { self.value = value }

  static func == (one: Wide, other: Wide) -> Bool { one.value == other.value }
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension OrderedTree where Element: Equatable {
  /// Expects the tree to be sound and to contain these elements.
  func expect(_ model: [Element], _ context: @autoclosure () -> String, location: SourceLocation = #_sourceLocation) {
    let faults = checkInvariants(areIdentical: ==)
    #expect(faults.isEmpty, "\(context())", sourceLocation: location)
    #expect(count == model.count && elementsEqual(model), "\(context())", sourceLocation: location)
  }
}

/// `count` wide numbers from 0.
func wides(_ count: Int) -> [Wide] { (0..<count).map(Wide.init) }
