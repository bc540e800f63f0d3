package import FiefGraph
internal import FiefRuntime
import Foundation

// The roots of plans: the value of `create`, and a change of one property.

extension InsertionPlanner {
  /// An instance that was made for the root before the plan, for its defaults.
  package var rootInstance: AnyObject? {
    get { state.rootInstance }
    set { state.rootInstance = newValue }
  }

  /// The outcome for the root value of `create`.
  package enum EnteredRoot {
    /// A row of the plan.
    case planned
    /// An object of the store, which stays as it is.
    case present(AnyObject)
    /// A row that was copied without a plan.
    case copied(ObjectKey)
  }

  /// Plans the root value of `create`. It copies a row of another store at once, if that needs no plan.
  package func enterRoot(_ value: Any, _ rowClass: RowClass) throws -> EnteredRoot {
    assert(plan.rows.isEmpty, "A plan has one root.")
    if let dictionary = Existential.value(value, as: [String: Any].self) {
      _ = try enter(.dictionary(dictionary), as: rowClass, at: .root)
      return .planned
    }
    if DynamicValue.isObject(value), case .object(let object)? = objects.value(of: value) {
      return try enterRoot(object: object, rowClass)
    }
    guard let inner = DynamicValue.present(value) else {
      throw CopyError(
        "Object of class '\(rowClass.name)' cannot be created of null: a non-nil value is required (a dictionary, an "
          + "array or an object).")
    }
    if case .object(let object)? = objects.value(of: inner) { return try enterRoot(object: object, rowClass) }
    guard let container = DynamicContainer.of(inner) else {
      throw CopyError(
        "Object of class '\(rowClass.name)' cannot be created of \(DynamicValue.description(of: value)): expected "
          + "a dictionary with property names as keys, an array with one value for each property, or an object.")
    }
    _ = try enter(container, as: rowClass, at: .root, current: nil)
    return .planned
  }

  private func enterRoot(object: AnyObject, _ rowClass: RowClass) throws -> EnteredRoot {
    guard case .row(let other, let source, let key) = objects.state(of: object) else {
      _ = try accept(object, as: rowClass, at: .root, current: nil)
      return .planned
    }
    guard objects.hasRow(object) else { throw invalidated(object, .root) }
    if other === store && source === rowClass && request.policy != .error && !request.copiesOwnRows {
      return .present(object)
    }
    if other !== store, request.copiesRowsWhole, rowClass.kind == .ordinary {
      let copy = try transaction.attempt(.rowCopies) {
        try copier.copy(
          key, of: source, in: other, to: rowClass, transaction: transaction, refusesSharing: !request.keepsCycles)
      }
      if let copy { return .copied(copy) }
    }
    _ = try enter(row: ObjectLink(source.table, key), of: source, in: other, as: rowClass, at: .root, current: nil)
    return .planned
  }

  /// The instance for the defaults of the root, which becomes the object of its row. It is made now, if no default was
  /// needed.
  package func instanceOfRoot(_ rowClass: RowClass) throws -> AnyObject {
    assert(!plan.rows[0].isUpdate, "A new row needs an instance.")
    if let instance = state.items[0].instance {
      try checkInstance(instance, rowClass)
      return instance
    }
    return try instance(of: rowClass, .root)
  }

  /// Plans a change of an existing row by the values of an array or a dictionary. The caller undoes a change that fails
  /// halfway.
  package func enter(_ value: Any, of key: ObjectKey, as rowClass: RowClass) {
    assert(plan.rows.isEmpty && key.rawValue >= 0, "A changed row is the root of its plan.")
    guard let container = DynamicContainer.of(value) else { return }
    var row = PlannedRow(rowClass.table, .root)
    row.key = key
    row.traits.insert(.update)
    state.items.append(Item(source: Source(container), rowClass: rowClass))
    noteDepth(.root, isOwned: false)
    _ = plan.add(row)
  }

  /// Plans a change of one property of an existing row.
  package func enter(_ name: String, value: Any, of key: ObjectKey, as rowClass: RowClass) {
    assert(plan.rows.isEmpty && key.rawValue >= 0, "A change of one property is the root of its plan.")
    var row = PlannedRow(rowClass.table, .root)
    row.key = key
    row.traits.insert(.update)
    // The old elements of the collection are removed before the new ones are stored, so the change may fail halfway.
    plan.canBeRefused = true
    state.items.append(Item(source: .dictionary([name: value]), rowClass: rowClass))
    noteDepth(.root, isOwned: false)
    _ = plan.add(row)
  }
}
