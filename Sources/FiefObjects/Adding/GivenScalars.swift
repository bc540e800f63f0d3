import FiefCopying
import FiefGraph
import FiefRuntime

/// The values of a dictionary for the properties of a class, when all of them are scalars or embedded objects of
/// scalars. A row can be made of them without a plan.
///
///     ["id": 7, "name": "Ann", "address": ["city": "Rome"]]
///        │
///        ▼
///     key 7,  scalars  name = "Ann"                 in the order of the dictionary
///             owned    address ─▶ city = "Rome"     in the order of the class
///
/// Values are converted by the planner's rules. Anything unusual is left to the planner: a list, a link, an invalid
/// value, a missing value of an embedded object.
struct GivenScalars {
  /// A value of a property.
  struct Scalar {
    let column: ColumnKey
    let value: StoredValue
  }

  /// An embedded object to be made.
  struct Owned {
    /// The number of the property in the owner's class.
    let number: Int
    let column: ColumnKey
    let binding: Borrowed<ClassBinding>
    /// Its values in `ownedScalars`.
    let range: Range<Int>
  }

  /// The primary key; nil when none was given.
  var key: StoredValue?
  /// The values of the other scalars.
  private(set) var scalars: ContiguousArray<Scalar> = []
  private(set) var owned: ContiguousArray<Owned> = []
  private(set) var ownedScalars: ContiguousArray<Scalar> = []

  /// Removes all values, and keeps the capacity.
  @inline(__always)
  mutating func removeAll() {
    key = nil
    scalars.removeAll(keepingCapacity: true)
    if owned.isEmpty { return }
    owned.removeAll(keepingCapacity: true)
    ownedScalars.removeAll(keepingCapacity: true)
  }

  /// Whether there is a value for a column.
  @inline(__always)
  func has(_ column: ColumnKey) -> Bool {
    for scalar in scalars where scalar.column == column { return true }
    return false
  }

  /// Reads a dictionary. Unknown keys are ignored.
  ///
  /// - Returns: false when it contains anything unusual.
  mutating func read(_ dictionary: [String: Any], _ binding: ClassBinding) -> Bool {
    assert(key == nil && scalars.isEmpty && owned.isEmpty, "One dictionary is read at a time.")
    let names = binding.scalarNames
    for (name, value) in dictionary {
      guard let number = names.number(of: name) else { continue }
      if names.isScalar(number) {
        guard let stored = Self.stored(value, binding.type(of: number)) else { return false }
        if number == binding.primaryKey {
          key = stored
        } else {
          scalars.append(Scalar(column: binding.columns[number], value: stored))
        }
      } else {
        guard let target = names.owned(number), readOwned(value, as: target, binding.all[number]) else { return false }
      }
    }
    return true
  }

  /// The stored form of a value, null included; nil when the planner must look at it.
  @inline(__always)
  private static func stored(_ value: Any, _ type: ColumnType) -> StoredValue? {
    if let stored = DynamicValue.stored(value, type) { return stored }
    return type.isOptional && DynamicValue.isNull(value) ? .null : nil
  }

  /// Reads an embedded object, of which no value may be missing: its defaults are not known here.
  private mutating func readOwned(_ value: Any, as target: Borrowed<ClassBinding>, _ property: RowProperty) -> Bool {
    let first = ownedScalars.count
    let isRead = target.with { binding in
      if let values = Existential.value(value, as: [String: String].self) { return readAll(values, binding) }
      return Existential.value(value, as: [String: Any].self).map { readAll($0, binding) } ?? false
    }
    guard isRead else { return false }
    var index = owned.count
    while index > 0, owned[index - 1].number > property.number { index -= 1 }
    owned.insert(
      Owned(number: property.number, column: property.column, binding: target, range: first..<ownedScalars.count),
      at: index)
    return true
  }

  private mutating func readAll<Given>(_ values: [String: Given], _ binding: ClassBinding) -> Bool {
    guard values.count == binding.stored.count else { return false }
    for (name, value) in values {
      guard let number = binding.scalarNames.number(of: name) else { return false }
      guard let stored = Self.stored(value, binding.type(of: number)) else { return false }
      ownedScalars.append(Scalar(column: binding.columns[number], value: stored))
    }
    return true
  }

  /// Adds the values that application code converts, for properties without a value.
  mutating func addConverted(_ object: ObjectBase, _ binding: ClassBinding) {
    for filler in binding.foreignFillers where !has(filler.column) {
      scalars.append(Scalar(column: filler.column, value: filler.value(in: object)))
    }
  }
}

extension GivenScalars.Scalar {
  /// Puts the value into a new row.
  @inline(__always)
  func fill(_ row: NewRow) throws {
    switch value {
    case .null: try row.set(StoredValue.null, column)
    case .int(let value): try row.set(value, column)
    case .string(let value): try row.set(value, column)
    case .double(let value): try row.set(value, column)
    case .date(let value): try row.set(value, column)
    default: try row.set(value, column)
    }
  }
}
