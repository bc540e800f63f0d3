import FiefGraph

/// The values of a dictionary by the properties of a class, when all of them are scalars, or embedded objects of scalars: what an object can be
/// made of without a plan.
///
///     ["id": 7, "name": "Ann", "address": ["city": "Rome"]]
///        │
///        ▼
///     values   7, "Ann", –, –, …      one place for each stored property of the class
///     owned    address ─▶ its own stretch of values
///
/// Reading runs no code of the application and changes nothing. Whatever is unusual (a null, a list, a link, a value that does not fit, a missing
/// value of an embedded object) is not read, and the planner does all of it.
struct FlatValues {
  private(set) var values: ContiguousArray<StoredValue?> = []
  private(set) var owned: ContiguousArray<Owned> = []

  /// An embedded object that is to be made.
  struct Owned {
    let cell: ColumnKey
    let binding: Unmanaged<ClassBinding>
    /// Where its values begin.
    let first: Int
  }

  /// Forgets everything, and keeps the memory.
  mutating func removeAll() {
    values.removeAll(keepingCapacity: true)
    if !owned.isEmpty { owned.removeAll(keepingCapacity: true) }
  }

  /// Reads a dictionary.
  ///
  /// - Returns: false when something is unusual.
  mutating func read(_ dictionary: [String: Any], _ binding: ClassBinding) -> Bool {
    let flat = binding.flat
    values.append(contentsOf: repeatElement(nil, count: flat.count))
    for (name, value) in dictionary {
      // A key that is no property is ignored, as ever.
      guard let place = binding.flatPlace(of: name) else { continue }
      if flat[place].isScalar {
        guard let stored = Untyped.stored(value, flat[place].type) else { return false }
        values[place] = stored
      } else {
        guard let target = flat[place].owned, own(value, target, flat[place].column) else { return false }
      }
    }
    return true
  }

  private mutating func own(_ value: Any, _ target: Unmanaged<ClassBinding>, _ column: ColumnKey) -> Bool {
    let first = values.count
    let isWhole = target._withUnsafeGuaranteedRef { target in
      if let texts = exactly(value, [String: String].self) { return readAll(texts, target) { .string($0) } }
      guard let dictionary = exactly(value, [String: Any].self) else { return false }
      return readAll(dictionary, target, nil)
    }
    guard isWhole else { return false }
    owned.append(Owned(cell: column, binding: target, first: first))
    return true
  }

  /// Reads the values of an embedded object, of which none may be missing.
  @inline(__always)
  private mutating func readAll<Element>(
    _ dictionary: [String: Element], _ target: ClassBinding, _ text: ((Element) -> StoredValue)?
  ) -> Bool {
    let flat = target.flat
    guard dictionary.count == flat.count else { return false }
    let first = values.count
    values.append(contentsOf: repeatElement(nil, count: flat.count))
    for (name, value) in dictionary {
      guard let place = target.flatPlace(of: name), flat[place].isScalar else { return false }
      if let text, flat[place].type.kind == .string {
        values[first + place] = text(value)
      } else {
        guard let stored = Untyped.stored(value, flat[place].type) else { return false }
        values[first + place] = stored
      }
    }
    return true
  }
}

/// A stored property, as `FlatValues` asks for it.
final class FlatProperty: @unchecked Sendable {
  // All but the class of what is owned never changes; that is set once, while the store opens.

  let name: String
  let type: ColumnType
  let column: ColumnKey
  let isScalar: Bool
  let isPrimaryKey: Bool
  /// The embedded class that it holds one object of, when that has nothing but scalars.
  private(set) var owned: Unmanaged<ClassBinding>?
  /// Puts the value of an unmanaged object into a new row.
  let filler: ClassBinding.Filler?

  init(_ property: BoundProperty) {
    name = property.name
    type = property.type
    column = property.column
    isScalar = property.access.fill != nil
    isPrimaryKey = property.isPrimaryKey
    filler = property.access.fill.map {
      ClassBinding.Filler(offset: property.offset, column: property.column, fill: $0)
    }
  }

  /// Takes note of the class of what it owns, when that has nothing but scalars.
  func own(_ target: Unmanaged<ClassBinding>) {
    let isFlat = target._withUnsafeGuaranteedRef {
      $0.model.kind == .embedded && !$0.hasUniqueIndex && $0.flat.allSatisfy(\.isScalar)
    }
    if isFlat { owned = target }
  }
}

extension ClassBinding {
  /// The place of the stored property of a name. Names are few and mostly short, so that comparing is faster than hashing.
  @inline(__always)
  func flatPlace(of name: String) -> Int? {
    flatNames.withUnsafeBufferPointer { names in
      for place in names.indices where names[place] == name { return place }
      return nil
    }
  }
}

extension Session {
  /// Makes an object of a dictionary of scalars, or updates the one that has its primary key, without a plan.
  ///
  /// - Returns: nil when it takes more than that; nothing was changed then.
  func createFlat(
    _ dictionary: [String: Any], _ binding: ClassBinding, _ policy: Realm.UpdatePolicy, _ transaction: Transaction
  ) throws -> ObjectBase? {
    // Taken out while it is used: an initialiser of the application may come here again.
    let planner = sparePlanner ?? Planner(self, transaction)
    sparePlanner = nil
    defer {
      planner.flat.removeAll()
      sparePlanner = planner
    }
    guard planner.flat.read(dictionary, binding) else { return nil }
    guard let place = binding.flatKey else {
      return policy == .error ? makeFlat(planner, binding, nil, transaction) : nil
    }
    guard let primaryKey = planner.flat.values[place] else { return nil }
    guard let key = transaction.read({ $0[binding.table]?.find(primaryKey: primaryKey) }) else {
      return makeFlat(planner, binding, primaryKey, transaction)
    }
    // What may be refused, or stands for an object that is there, is the planner's.
    guard policy != .error, planner.flat.owned.isEmpty, !binding.hasUniqueIndex else { return nil }
    for number in binding.flat.indices where number != place {
      guard let value = planner.flat.values[number] else { continue }
      let cell = Cell(binding.table, key, binding.flat[number].column)
      switch value {
      case .int(let value): try transaction.set(value, cell)
      case .double(let value): try transaction.set(value, cell)
      case .string(let value): try transaction.set(value, cell)
      default: try transaction.set(value, cell)
      }
    }
    return accessor(binding, key)
  }

  private func makeFlat(
    _ planner: Planner, _ binding: ClassBinding, _ primaryKey: StoredValue?, _ transaction: Transaction
  ) -> ObjectBase? {
    let object = binding.type.init()
    let base = object.address
    guard object.flags.isEmpty else { return nil }
    // A default that is a link or a collection.
    for offset in binding.bareOffsets where WrapperHeader.isSet(at: base + offset) { return nil }
    // What the store refuses (a unique value that is taken) the planner says in words.
    let made = try? transaction.create(in: binding.table, primaryKey: primaryKey) { row in
      for (number, property) in binding.flat.enumerated() where property.isScalar && !property.isPrimaryKey {
        if let value = planner.flat.values[number] {
          try Self.fill(row, value, property.column)
        } else if let filler = property.filler {
          try filler.fill(base + filler.offset, row, filler.column)
        }
      }
    }
    guard let key = made else { return nil }
    for owned in planner.flat.owned {
      let target = owned.binding._withUnsafeGuaranteedRef { $0 }
      // The owner was made just now, and every value was looked at.
      let part = try? transaction.createOwned(in: target.table, by: Cell(binding.table, key, owned.cell), .value) {
        row in
        for (number, property) in target.flat.enumerated() {
          if let value = planner.flat.values[owned.first + number] { try Self.fill(row, value, property.column) }
        }
      }
      guard part != nil else {
        try? transaction.delete(ObjectLink(binding.table, key))
        return nil
      }
    }
    object.becomeManaged(self, binding, key)
    return object
  }

  @inline(__always)
  private static func fill(_ row: NewRow, _ value: StoredValue, _ column: ColumnKey) throws {
    switch value {
    case .int(let value): try row.set(value, column)
    case .double(let value): try row.set(value, column)
    case .string(let value): try row.set(value, column)
    default: try row.set(value, column)
    }
  }
}
