import FiefCopying
import FiefGraph
import FiefRuntime

/// The names of a class's properties, and which of them a dictionary of scalars can give. For `GivenScalars`.
final class ScalarNames: @unchecked Sendable {
  // Immutable but for the classes of owned objects, which are set once, while the store opens.

  private let model: ModelClass
  /// By the property's number: the words of the name's short string form; zeros where it has none, or is not stored.
  private let words: ContiguousArray<(UInt64, UInt64)>
  /// By the property's number: the type of its column; nil for properties that are no scalars.
  private let types: ContiguousArray<ColumnType?>
  @safe @exclusivity(unchecked) private var targets: ContiguousArray<Borrowed<ClassBinding>?>
  /// Whether all names are ASCII, so that a key in the short form equals a name exactly when their bytes are equal.
  private let hasPlainNames: Bool

  /// - Parameter all: the properties as the store has them.
  init(_ model: ModelClass, _ all: ContiguousArray<RowProperty>) {
    self.model = model
    words = ContiguousArray(
      model.properties.map { $0.isStored ? SmallString.words(ofShort: $0.name) ?? (0, 0) : (0, 0) })
    types = ContiguousArray(zip(model.properties, all).map { $0.isStored && $0.facts.isScalar ? $1.type : nil })
    targets = ContiguousArray(repeating: nil, count: model.properties.count)
    // Letters with accents have several forms, which are equal.
    hasPlainNames = SmallString.isAvailable && model.all.allSatisfy { $0.name.utf8.allSatisfy { $0 < 0x80 } }
  }

  /// The number of the stored property with a name. Names are few and mostly short, so comparing two words is faster
  /// than hashing.
  @inline(__always)
  func number(of name: String) -> Int? {
    if hasPlainNames {
      let (first, second) = SmallString.words(of: name)
      // A text of ASCII in the short form with other bytes than all names is not a name.
      if second & SmallString.asciiFlags == SmallString.asciiFlags {
        return words.firstIndex { $0.0 == first && $0.1 == second }
      }
    }
    return model.number(of: name).flatMap { model.all[$0].isStored ? $0 : nil }
  }

  /// The number of properties.
  var count: Int { types.count }

  /// The type of a scalar's column; nil for other properties.
  @inline(__always)
  func type(_ number: Int) -> ColumnType? { types[number] }

  /// The embedded class that a property owns an object of; nil unless all properties of that class are scalars.
  func owned(_ number: Int) -> Borrowed<ClassBinding>? { targets[number] }

  /// Connects the properties that own objects with the classes of those.
  func connect(_ binding: ClassBinding) {
    for property in binding.stored where property.type.shape == .single {
      guard let target = binding.borrowedTarget(property.number) else { continue }
      let isScalar = target.with { target in
        target.kind == .embedded && !target.hasUniqueIndex
          && target.stored.allSatisfy { target.scalarNames.type($0.number) != nil }
      }
      if isScalar { targets[property.number] = target }
    }
  }
}
