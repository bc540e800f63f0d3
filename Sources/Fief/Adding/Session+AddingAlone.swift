import FiefGraph

// The way of most objects into a store: they reach no other object, so they take no plan. References are not counted on
// it.

extension Session {
  /// Brings an unmanaged object in that reaches no other.
  ///
  /// - Returns: false when it takes more than that; nothing has happened then.
  /// - Throws: what the kernel refuses; nothing has happened then either.
  func addAlone(_ object: ObjectBase, _ transaction: Transaction) throws -> Bool {
    guard !object.isManaged, object.flags.isEmpty, let binding = knownBinding(of: type(of: object)) else {
      return false
    }
    return try binding._withUnsafeGuaranteedRef { try addAlone(object, $0, transaction) }
  }

  private func addAlone(_ object: ObjectBase, _ binding: ClassBinding, _ transaction: Transaction) throws -> Bool {
    guard binding.canBeAlone, binding.model.kind == .object else { return false }
    let base = object.address
    for offset in binding.bareOffsets where WrapperHeader.isSet(at: base + offset) { return false }
    guard binding.foreignFillers.isEmpty else { return try addConverted(object, binding, transaction) }
    var primaryKey: StoredValue?
    if let property = binding.keyProperty {
      let before = changes
      let value = Adder.value(of: property, object)
      if changes != before, !isStillAlone(object, binding, transaction) { return false }
      // A key that is there takes more: an update, or an error that says so.
      if transaction.find(primaryKey: value, in: binding.table) != nil { return false }
      primaryKey = value
    }
    let key = try transaction.create(in: binding.table, primaryKey: primaryKey) { row in
      for filler in binding.fillers { try filler.fill(base + filler.offset, row, filler.column) }
    }
    // Nothing but scalars is set, and those are left where they are.
    object.bindNew(self, binding, key)
    return true
  }

  /// The same for an object with values that the application converts. Those come first: what they do to the realm, or
  /// to the object, is seen by all that follows.
  private func addConverted(
    _ object: ObjectBase, _ binding: ClassBinding, _ transaction: Transaction
  ) throws -> Bool {
    let base = object.address
    let primaryKey = binding.keyProperty.map { Adder.value(of: $0, object) }
    let converted = binding.foreignFillers.map { $0.value(base + $0.offset, object) }
    guard isStillAlone(object, binding, transaction) else { return false }
    if let primaryKey, transaction.find(primaryKey: primaryKey, in: binding.table) != nil { return false }
    let key = try transaction.create(in: binding.table, primaryKey: primaryKey) { row in
      for filler in binding.fillers { try filler.fill(base + filler.offset, row, filler.column) }
      for (filler, value) in zip(binding.foreignFillers, converted) { try row.set(value, filler.column) }
    }
    object.bindNew(self, binding, key)
    return true
  }

  /// Whether an object still reaches no other and is unmanaged, after code of the application ran.
  private func isStillAlone(_ object: ObjectBase, _ binding: ClassBinding, _ transaction: Transaction) -> Bool {
    checkIsWriting(transaction, binding.model.name)
    let base = object.address
    return !object.isManaged && object.flags.isEmpty
      && !binding.bareOffsets.contains { WrapperHeader.isSet(at: base + $0) }
  }
}
