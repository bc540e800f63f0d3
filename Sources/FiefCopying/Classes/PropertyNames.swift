import FiefRuntime

/// The numbers of a class's properties by their Swift names.
///
/// Names are few and mostly short. The two words of a short name (`SmallString`) are compared with those of each
/// property, which takes a tenth of the time of hashing it. Long names, and the names of a class with many properties,
/// are hashed.
struct PropertyNames: Sendable {
  private let numbers: [String: Int]
  /// By the property's number: the words of the name, zeros for a long one. Empty if the words do not decide: for many
  /// names, and for letters with accents, which have several equal forms.
  private let words: ContiguousArray<(UInt64, UInt64)>
  private static let mostCompared = 32

  /// - Parameter names: the names in the order of the numbers. The first of two equal ones is found.
  init(_ names: [String]) {
    numbers = Dictionary(zip(names, names.indices)) { first, _ in first }
    let areCompared =
      SmallString.isAvailable && names.count <= Self.mostCompared
      && names.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
    words = areCompared ? ContiguousArray(names.map { SmallString.words(ofShort: $0) ?? (0, 0) }) : []
  }

  /// The number of the property with a name; nil if there is none.
  @inline(__always)
  func number(of name: String) -> Int? {
    if !words.isEmpty {
      let (first, second) = SmallString.words(of: name)
      // A text of ASCII in the short form with other bytes than all names is not a name.
      if second & SmallString.asciiFlags == SmallString.asciiFlags {
        return words.firstIndex { $0.0 == first && $0.1 == second }
      }
    }
    return numbers[name]
  }
}
