package import FiefGraph

/// The services of classes, instances and collections for planning an insertion into one store.
///
///     InsertionPlanner ──▶ ObjectSource     values in instances, where instances live, instances for defaults
///                     └──▶ RowReader        rows of this store and of others
///
/// The planner passes instances on without looking into them. Only members with a note on it run code of the
/// application. An instance that stands for another one is never passed: what it stands for is.
package protocol ObjectSource: AnyObject {
  /// The object, collection or any-value in an `Any` that is not an optional; nil for other values.
  func value(of untyped: Any) -> SourceValue?
  /// The conversion of a value by the type of a property or of its elements, or to an any-value when there is no
  /// property: of an enum or a custom type, or to one. Nil when the value has a wrong type. Runs code of the
  /// application.
  func converted(_ untyped: Any, for property: RowProperty?) -> SourceValue?

  /// The home of an object. May be called wherever the object is.
  func state(of object: AnyObject) -> SourceState
  /// Whether the row of a managed object exists. Traps where the object may not be read.
  func hasRow(_ object: AnyObject) -> Bool
  /// Gives an unmanaged object a number, by which it is recognised when it is met again; nil removes it, if there is
  /// one.
  func mark(_ object: AnyObject, _ number: Int?)
  /// The class of an object as it is declared, without a store.
  func declaredClass(of object: AnyObject) -> RowClass
  /// The class of the store that has the same declaration as another one.
  ///
  /// - Parameter reader: the view whose class the other one is; nil for a class without a store.
  /// - Throws: when the store does not have the class, a sentence without a path.
  func rowClass(like other: RowClass, of reader: (any RowReader)?) throws(CopyError) -> RowClass
  /// The class and the property of a cell, for messages; nil when no class of the store has it.
  func name(of cell: Cell) -> String?
  /// Makes an instance for the defaults of a new row. Runs code of the application.
  func makeInstance(of rowClass: RowClass) -> AnyObject

  /// The value of a property of an unmanaged object, without any conversion to the type of its column. Runs code of the
  /// application for custom types and enums.
  ///
  /// - Parameter skippingUnset: whether nil is returned for a property without a value that equals the initial state of
  ///   a new row.
  func content(of property: RowProperty, in object: AnyObject, skippingUnset: Bool) -> SourceValue?
  /// The contents of a collection. Traps where a managed collection may not be read.
  func contents(of collection: AnyObject) -> SourceContents
}
