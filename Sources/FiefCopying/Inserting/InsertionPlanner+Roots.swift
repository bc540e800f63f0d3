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

  /// Plans the root value of `create`, unless it is an object.
  ///
  /// - Returns: the object that the value is or holds. The caller plans it, or copies it without a plan.
  package func enterRoot(_ value: Any, _ rowClass: RowClass) throws -> AnyObject? {
    if let dictionary = Existential.value(value, as: [String: Any].self) {
      _ = try enter(.dictionary(dictionary), rowClass, .root)
      return nil
    }
    guard let inner = DynamicValue.present(value) else {
      throw CopyError(
        "Object of class '\(rowClass.name)' cannot be created of null: a non-nil value is required (a dictionary, an "
          + "array or an object).")
    }
    if case .object(let object)? = objects.value(of: inner) { return object }
    if let container = DynamicContainer.of(inner) {
      _ = try enter(container, rowClass, .root, current: nil)
    } else {
      throw CopyError(
        "Object of class '\(rowClass.name)' cannot be created of \(DynamicValue.words(value)): expected a dictionary "
          + "with property names as keys, an array with one value for each property, or an object.")
    }
    return nil
  }

  /// The instance for the defaults of the root, which becomes the object of its row. It is made now, if no default was
  /// needed.
  package func instanceOfRoot(_ rowClass: RowClass) throws -> AnyObject {
    try state.items[0].instance ?? instance(of: rowClass, .root)
  }

  /// Plans a change of one property of an existing row.
  package func enter(_ name: String, _ value: Any, of key: ObjectKey, _ rowClass: RowClass) {
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
