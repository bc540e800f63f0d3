import FiefCopying
import FiefGraph
import FiefRuntime

/// The values of a dictionary for the properties of a class, when all of them are scalars or embedded objects of
/// scalars. A row can be made of them without a plan.
///
///     ["id": 7, "name": "Ann", "address": ["city": "Rome"]]
///        │
///        ▼
///     key 7,  values   –, "Ann", –        by the numbers of the properties
///             owned    address ─▶ "Rome"  behind them, likewise
///
/// Values are converted by the planner's rules. Anything unusual is left to the planner: a list, a link, an invalid
/// value, a missing value of an embedded object.
struct GivenScalars {
  /// An embedded object to be made.
  struct Owned {
    /// The number of the property in the owner's class.
    let number: Int
    let column: ColumnKey
    let binding: Borrowed<ClassBinding>
    /// The index of its first value.
    let first: Int
  }

  /// The primary key; nil when none was given.
  var key: StoredValue?
  /// The values of the other scalars; nil where none was given.
  private var values: ContiguousArray<StoredValue?> = []
  /// In the order of the class, so that the result does not depend on the dictionary's hash seed.
  private(set) var owned: ContiguousArray<Owned> = []
  /// The number of values in use.
  private var used = 0

  /// Removes all values, and keeps the capacity.
  @inline(__always)
  mutating func removeAll() {
    key = nil
    for index in 0..<used { values[index] = nil }
    used = 0
    if !owned.isEmpty { owned.removeAll(keepingCapacity: true) }
  }

  /// Calls `body` with the values that are in use, which are read in place: a copy of each would be retained.
  @inline(__always)
  func withValues<Result>(_ body: (Values) throws -> Result) rethrows -> Result {
    try unsafe values.withUnsafeBufferPointer { unsafe try body(Values(values: $0, used: used)) }
  }

  /// The values in use.
  @safe
  struct Values {
    fileprivate let values: UnsafeBufferPointer<StoredValue?>
    fileprivate let used: Int

    /// Puts a value into a new row.
    ///
    /// - Returns: false when none was given.
    @inline(__always)
    func fill(_ row: NewRow, _ column: ColumnKey, from number: Int) throws -> Bool {
      guard number < used else { return false }
      switch unsafe values[number] {
      case nil: return false
      case .null: break
      case .int(let value): try row.set(value, column)
      case .string(let value): try row.set(value, column)
      case .double(let value): try row.set(value, column)
      case .date(let value): try row.set(value, column)
      case .some(let value): try row.set(value, column)
      }
      return true
    }

    /// Writes a value into the cell of a property, when one was given.
    @inline(__always)
    func set(_ number: Int, in cell: Cell, _ transaction: Transaction) throws {
      guard number < used else { return }
      switch unsafe values[number] {
      case nil: break
      case .int(let value): try transaction.set(value, cell)
      case .string(let value): try transaction.set(value, cell)
      case .double(let value): try transaction.set(value, cell)
      case .date(let value): try transaction.set(value, cell)
      case .some(let value): try transaction.set(value, cell)
      }
    }
  }

  /// Reads a dictionary. Unknown keys are ignored.
  ///
  /// - Returns: false when it contains anything unusual.
  mutating func read(_ dictionary: [String: Any], _ binding: ClassBinding) -> Bool {
    assert(key == nil && used == 0 && owned.isEmpty, "One dictionary is read at a time.")
    let names = binding.scalarNames
    _ = makeRoom(for: names)
    for (name, value) in dictionary {
      guard let number = names.number(of: name) else { continue }
      if let type = names.type(number) {
        guard let stored = Self.stored(value, type) else { return false }
        if number == binding.primaryKey { key = stored } else { values[number] = stored }
      } else {
        guard let target = names.owned(number), readOwned(value, as: target, binding.all[number]) else { return false }
      }
    }
    return true
  }

  /// Adds a value without a content for each property of a class, and returns the index of the first.
  @inline(__always)
  private mutating func makeRoom(for names: ScalarNames) -> Int {
    defer { used += names.count }
    while values.count < used + names.count { values.append(nil) }
    return used
  }

  /// The stored form of a value, null included; nil when the planner must look at it.
  @inline(__always)
  private static func stored(_ value: Any, _ type: ColumnType) -> StoredValue? {
    if let stored = DynamicValue.stored(value, type) { return stored }
    return type.isOptional && DynamicValue.isNull(value) ? .null : nil
  }

  /// Reads an embedded object, of which no value may be missing: its defaults are not known here.
  private mutating func readOwned(_ value: Any, as target: Borrowed<ClassBinding>, _ property: RowProperty) -> Bool {
    let first = makeRoom(for: target.with { $0.scalarNames })
    let isRead = target.with { binding in
      if let values = Existential.value(value, as: [String: String].self) {
        return readAll(values, binding, from: first) { $0 }
      }
      return Existential.value(value, as: [String: Any].self).map { readAll($0, binding, from: first) { $0 } } ?? false
    }
    guard isRead else { return false }
    var index = owned.count
    while index > 0, owned[index - 1].number > property.number { index -= 1 }
    owned.insert(Owned(number: property.number, column: property.column, binding: target, first: first), at: index)
    return true
  }

  /// - Parameter any: returns a value as it is. A generic conversion would put an `Any` into another one, which takes
  ///   the slow way of all foreign values.
  @inline(__always)
  private mutating func readAll<Given>(
    _ given: [String: Given], _ binding: ClassBinding, from first: Int, as any: (Given) -> Any
  ) -> Bool {
    guard given.count == binding.stored.count else { return false }
    for (name, value) in given {
      guard let number = binding.scalarNames.number(of: name), let type = binding.scalarNames.type(number),
        let stored = Self.stored(any(value), type)
      else { return false }
      values[first + number] = stored
    }
    return true
  }

  /// Adds the values that application code converts, for properties without a value.
  mutating func addConverted(_ object: ObjectBase, _ binding: ClassBinding) {
    if used == 0 { _ = makeRoom(for: binding.scalarNames) }
    for filler in binding.foreignFillers where values[filler.number] == nil {
      values[filler.number] = filler.value(in: object)
    }
  }
}
