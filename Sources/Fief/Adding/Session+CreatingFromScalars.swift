import FiefCopying
import FiefGraph
import FiefRuntime
import FiefSessions
import Foundation

// Objects made from dictionaries of scalars: without a plan, and almost without reference counting.

extension Session {
  /// Creates an object from a dictionary of scalars, or updates the object with its primary key, without a plan.
  ///
  /// - Parameter instance: receives the instance that was made for a new object, for use by the planner if this call
  ///   returns nil.
  /// - Returns: nil when the dictionary needs a plan; nothing was changed then.
  func createFromScalars(
    _ dictionary: [String: Any], _ reference: Borrowed<ClassBinding>, _ policy: Realm.UpdatePolicy,
    _ transaction: Transaction, _ instance: inout ObjectBase?
  ) throws -> ObjectBase? {
    let canBeFlat = reference.with { $0.acceptsScalars }
    guard canBeFlat, ShortCut.scalarCreation.isOn else { return nil }
    // Taken out during use: an initialiser of the application may call this function again.
    let insertion = spareInsertion ?? ObjectInsertion(self, transaction)
    spareInsertion = nil
    defer {
      insertion.scalarValues.removeAll()
      spareInsertion = insertion
    }
    // The values are read in place, in the dictionary.
    return try withExtendedLifetime(dictionary) {
      try reference.with { binding in
        guard insertion.scalarValues.read(dictionary, binding.scalarLayout) else { return nil }
        guard let index = binding.scalarLayout.key else {
          guard policy == .error else { return nil }
          let before = validity.moment
          let object = try freshInstance(of: binding.type, binding.model.name, transaction)
          instance = object
          if reachesMore(object, binding) {
            checkIsWriting(transaction, binding.model.name)
            return nil
          }
          insertion.scalarValues.convertForeignDefaults(of: binding.scalarLayout, object)
          if validity.moment != before { checkIsWriting(transaction, binding.model.name) }
          return try makeFromScalars(object, insertion, binding, nil, transaction)
        }
        guard let primaryKey = insertion.scalarValues.stored(index, binding.scalarLayout.properties[index]),
          !primaryKey.isNull
        else {
          return nil
        }
        if let key = find(primaryKey, binding, transaction) {
          return try updateFromScalars(key, insertion, binding, policy, transaction)
        }
        let before = validity.moment
        let object = try freshInstance(of: binding.type, binding.model.name, transaction)
        instance = object
        if reachesMore(object, binding) {
          checkIsWriting(transaction, binding.model.name)
          return nil
        }
        insertion.scalarValues.convertForeignDefaults(of: binding.scalarLayout, object)
        // The initialiser and conversions are application code, and may have made an object with this key.
        if validity.moment != before {
          checkIsWriting(transaction, binding.model.name)
          if let key = find(primaryKey, binding, transaction) {
            return try updateFromScalars(key, insertion, binding, policy, transaction)
          }
        }
        return try makeFromScalars(object, insertion, binding, primaryKey, transaction)
      }
    }
  }

  /// Updates the row with the primary key. Nil when the update could fail, or would change embedded objects; the
  /// planner handles these.
  private func updateFromScalars(
    _ key: ObjectKey, _ insertion: ObjectInsertion, _ binding: ClassBinding, _ policy: Realm.UpdatePolicy,
    _ transaction: Transaction
  ) throws -> ObjectBase? {
    guard policy != .error, insertion.scalarValues.owned.isEmpty, !binding.rows.hasUniqueIndex else { return nil }
    try transaction.attempt(.scalarCreation) { try update(key, insertion, binding, transaction) }
    // The accessor's initialiser is application code.
    noteChanges()
    return accessor(binding, key, within: transaction)
  }

  /// The row of a primary key. For integer keys, the most frequent kind, no reference is counted.
  @inline(__always)
  private func find(_ primaryKey: StoredValue, _ binding: ClassBinding, _ transaction: Transaction) -> ObjectKey? {
    if binding.hasIntegerKey, case .int(let number) = primaryKey {
      return transaction.borrowedRow(primaryKey: number, in: binding.table)?.key
    }
    return transaction.find(primaryKey: primaryKey, in: binding.table)
  }

  private func update(
    _ key: ObjectKey, _ insertion: ObjectInsertion, _ binding: ClassBinding, _ transaction: Transaction
  ) throws {
    for index in 0..<binding.scalarLayout.properties.count {
      let property = binding.scalarLayout.properties[index]
      if property.isPrimaryKey { continue }
      switch insertion.scalarValues[index] {
      case .nothing: continue
      case .plain(let value):
        unsafe try value.store(property.type.kind, Cell(binding.table, key, property.column), transaction)
      case .converted(let number):
        try transaction.set(insertion.scalarValues.converted[number], Cell(binding.table, key, property.column))
      }
    }
  }

  /// Whether an instance has a link or collection that its initialiser or a conversion has set.
  @inline(__always)
  private func reachesMore(_ object: ObjectBase, _ binding: ClassBinding) -> Bool {
    let base = unsafe object.address
    for offset in binding.bareOffsets where unsafe _WrapperHeader.isSet(at: base + offset) { return true }
    return false
  }

  /// Makes the row. No application code runs in this function before the row is complete.
  ///
  /// - Returns: nil when the planner must make the row, or must name a value that the store refuses.
  /// - Throws: the kernel's error for a unique value that exists already. The planner's error would be equal.
  private func makeFromScalars(
    _ object: ObjectBase, _ insertion: ObjectInsertion, _ binding: ClassBinding, _ primaryKey: StoredValue?,
    _ transaction: Transaction
  ) throws -> ObjectBase? {
    let base = unsafe object.address
    guard object.flags.isEmpty, !object.isManaged else { return nil }
    // The caller has asked before the conversions ran.
    if !binding.foreignFillers.isEmpty, reachesMore(object, binding) { return nil }
    // After this check, no embedded object can be refused: its values have been validated.
    for owned in insertion.scalarValues.owned {
      let table = owned.binding.with { $0.table }
      guard transaction.hasKeys(for: insertion.scalarValues.owned.count, in: table) else { return nil }
    }
    let made: ObjectKey? = try transaction.attempt(.scalarCreation) {
      let key: ObjectKey
      do {
        // The caller has checked that the primary key is free.
        key = try transaction.insertRow(binding.table, primaryKey) { row in
          unsafe try Self.fill(row, insertion, binding.scalarLayout, 0, base)
        }
      } catch let error as GraphError where error.code == .invalidValue {
        // The row was appended and withdrawn.
        noteChanges()
        return nil
      }
      for owned in insertion.scalarValues.owned {
        let target = owned.binding.counted
        let part = try transaction.insertRow(target.table, nil) {
          unsafe try Self.fill($0, insertion, target.scalarLayout, owned.first, nil)
        }
        transaction.setOwner(ObjectLink(target.table, part), by: Cell(binding.table, key, owned.cell))
      }
      return key
    }
    guard let key = made else { return nil }
    // Only wrappers release values of the application here.
    if !binding.wrappers.isEmpty { noteChanges() }
    object.becomeManaged(self, binding, key)
    return object
  }

  /// Writes the values of a new row; missing values are taken from an unmanaged object.
  @inline(__always)
  private static func fill(
    _ row: NewRow, _ insertion: ObjectInsertion, _ flat: ScalarLayout, _ first: Int, _ base: UnsafeMutableRawPointer?
  ) throws {
    for index in 0..<flat.properties.count {
      let property = flat.properties[index]
      if property.isPrimaryKey || !property.isScalar { continue }
      switch insertion.scalarValues[first + index] {
      case .plain(let value): unsafe try value.fill(row, property.type.kind, property.column)
      case .converted(let number): try insertion.scalarValues.converted[number].fill(row, property.column)
      case .nothing:
        if let base = unsafe base, let filler = flat.fillers[index] {
          unsafe try filler.fill(base + filler.offset, row, property.column)
        }
      }
    }
  }
}

extension ScalarValues {
  /// The stored form of the value for a property.
  fileprivate func stored(_ index: Int, _ property: ScalarProperty) -> StoredValue? {
    switch self[index] {
    case .nothing: nil
    case .converted(let number): converted[number]
    case .plain(let value):
      switch property.type.kind {
      case .int: unsafe .int(Int64(value.load(as: Int.self)))
      case .string: unsafe .string(value.load(as: String.self))
      default: unsafe DynamicValue.stored(value.value, property.type)
      }
    }
  }
}

extension StoredValue {
  @inline(__always)
  fileprivate func fill(_ row: NewRow, _ column: ColumnKey) throws {
    switch self {
    case .null: break
    case .int(let value): try row.set(value, column)
    case .date(let value): try row.set(value, column)
    default: try row.set(self, column)
    }
  }
}

extension ExistentialPointer {
  /// Puts a plain value into a new row.
  @inline(__always)
  fileprivate func fill(_ row: NewRow, _ kind: ValueKind, _ column: ColumnKey) throws {
    switch kind {
    case .int: unsafe try row.set(Int64(load(as: Int.self)), column)
    case .string: unsafe try row.set(load(as: String.self), column)
    case .bool: unsafe try row.set(Int64(load(as: Bool.self) ? 1 : 0), column)
    case .double: unsafe try row.set(load(as: Double.self), column)
    case .float: unsafe try row.set(load(as: Float.self), column)
    case .data: unsafe try row.set(load(as: Data.self), column)
    case .objectId: unsafe try row.set(load(as: ObjectId.self), column)
    case .uuid: unsafe try row.set(load(as: UUID.self), column)
    case .decimal: unsafe try row.set(load(as: Decimal128.self), column)
    case .date, .link, .any: break
    }
  }

  /// Writes a plain value into a cell.
  @inline(__always)
  fileprivate func store(_ kind: ValueKind, _ cell: Cell, _ transaction: Transaction) throws {
    switch kind {
    case .int: unsafe try transaction.set(Int64(load(as: Int.self)), cell)
    case .string: unsafe try transaction.set(load(as: String.self), cell)
    case .bool: unsafe try transaction.set(Int64(load(as: Bool.self) ? 1 : 0), cell)
    case .double: unsafe try transaction.set(load(as: Double.self), cell)
    case .float: unsafe try transaction.set(load(as: Float.self), cell)
    case .data: unsafe try transaction.set(load(as: Data.self), cell)
    case .objectId: unsafe try transaction.set(load(as: ObjectId.self), cell)
    case .uuid: unsafe try transaction.set(load(as: UUID.self), cell)
    case .decimal: unsafe try transaction.set(load(as: Decimal128.self), cell)
    case .date, .link, .any: break
    }
  }
}
