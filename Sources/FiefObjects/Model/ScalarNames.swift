import FiefCopying
import FiefGraph
import FiefRuntime

/// Which properties of a class a dictionary of scalars can give, by their names. For `GivenScalars`.
final class ScalarNames: @unchecked Sendable {
  // Immutable but for the classes of owned objects, which are set once, while the store opens.

  private let model: ModelClass
  /// By the property's number: the type of its column; nil for properties that are no scalars.
  private let types: ContiguousArray<ColumnType?>
  @safe @exclusivity(unchecked) private var targets: ContiguousArray<Borrowed<ClassBinding>?>

  /// - Parameter all: the properties as the store has them.
  init(_ model: ModelClass, _ all: ContiguousArray<RowProperty>) {
    self.model = model
    types = ContiguousArray(zip(model.properties, all).map { $0.isStored && $0.facts.isScalar ? $1.type : nil })
    targets = ContiguousArray(repeating: nil, count: model.properties.count)
  }

  /// The number of the stored property with a name.
  @inline(__always)
  func number(of name: String) -> Int? {
    guard let number = model.number(of: name) else { return nil }
    return types[number] != nil || model.all[number].isStored ? number : nil
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
