import FiefGraph
import FiefRuntime
import FiefSessions

// The fast path for adding objects: most objects reach no other object, and need no plan. It does no reference
// counting.

extension Session {
  /// Adds an unmanaged object that reaches no other object.
  ///
  /// - Returns: false when the object needs a plan; nothing was changed then.
  /// - Throws: the kernel's errors; nothing was changed then either.
  func addUnlinked(_ object: ObjectBase, _ transaction: Transaction) throws -> Bool {
    guard !object.isManaged, object.flags.isEmpty, let binding = knownBinding(of: type(of: object)) else {
      return false
    }
    return try binding.with { try addUnlinked(object, $0, transaction) }
  }

  private func addUnlinked(_ object: ObjectBase, _ binding: ClassBinding, _ transaction: Transaction) throws -> Bool {
    guard ShortCut.unlinkedAdding.isOn, binding.canBeUnlinked, binding.model.kind == .object else { return false }
    let base = unsafe object.address
    for offset in binding.bareOffsets where unsafe _WrapperHeader.isSet(at: base + offset) { return false }
    var primaryKey: StoredValue?
    if let key = binding.keyField {
      let value = Adder.value(of: key, object)
      // The conversion of a key may change the object, or add it to another realm, without a trace in this session.
      if key.access.isForeign, !isStillUnlinked(object, binding, transaction) { return false }
      // An existing key needs a plan: it leads to an update, or to an error message. The key is looked up before other
      // values are converted, so that only the planner converts them then.
      if transaction.find(primaryKey: value, in: binding.table) != nil { return false }
      primaryKey = value
    }
    guard binding.foreignFillers.isEmpty else { return try addConverted(object, binding, primaryKey, transaction) }
    return try make(object, binding, primaryKey, transaction) { _ in }
  }

  /// Adds an object with values that the application converts. The conversions run first, so that the code after them
  /// sees their effects on the realm and on the object.
  private func addConverted(
    _ object: ObjectBase, _ binding: ClassBinding, _ primaryKey: StoredValue?, _ transaction: Transaction
  ) throws -> Bool {
    let base = unsafe object.address
    let fillers = binding.foreignFillers
    return unsafe try withUnsafeTemporaryAllocation(of: StoredValue.self, capacity: fillers.count) { converted in
      for (index, filler) in fillers.enumerated() {
        unsafe converted.initializeElement(at: index, to: filler.value(base + filler.offset, object))
      }
      defer { unsafe converted.deinitialize() }
      guard isStillUnlinked(object, binding, transaction) else { return false }
      if let primaryKey, transaction.find(primaryKey: primaryKey, in: binding.table) != nil { return false }
      return try make(object, binding, primaryKey, transaction) { row in
        for (index, filler) in fillers.enumerated() { unsafe try row.set(converted[index], filler.column) }
      }
    }
  }

  /// Makes the row. No application code runs in this function.
  @inline(__always)
  private func make(
    _ object: ObjectBase, _ binding: ClassBinding, _ primaryKey: StoredValue?, _ transaction: Transaction,
    _ fill: (NewRow) throws -> Void
  ) throws -> Bool {
    let base = unsafe object.address
    let made: ObjectKey? = try transaction.attempt(.unlinkedAdding) {
      do {
        return try transaction.create(in: binding.table, primaryKey: primaryKey) { row in
          for filler in binding.fillers { unsafe try filler.fill(base + filler.offset, row, filler.column) }
          try fill(row)
        }
      } catch let error as GraphError where error.code == .invalidValue {
        // The planner names the value and the expected type.
        return nil
      }
    }
    guard let key = made else { return false }
    // Only scalars are set; those stay in the unmanaged storage.
    object.bindNew(self, binding, key)
    return true
  }

  /// Whether an object is still unmanaged and reaches no other object, after application code has run.
  private func isStillUnlinked(_ object: ObjectBase, _ binding: ClassBinding, _ transaction: Transaction) -> Bool {
    checkIsWriting(transaction, binding.model.name)
    let base = unsafe object.address
    return !object.isManaged && object.flags.isEmpty
      && !binding.bareOffsets.contains { unsafe _WrapperHeader.isSet(at: base + $0) }
  }
}
