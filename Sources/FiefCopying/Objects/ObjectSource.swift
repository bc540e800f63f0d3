package import FiefGraph

/// What planning an insertion needs of classes, instances and collections, for one store.
///
///     InsertionPlanner ──▶ ObjectSource     values in instances, where instances live, instances for defaults
///                     └──▶ RowReader        rows of this store and of others
///
/// The planner passes instances on without looking into them. Only members that say so run code of the application.
package protocol ObjectSource: AnyObject {
  // MARK: Untyped values

  /// The object, collection or any-value in an `Any` that is not an optional; nil for other values.
  func value(of untyped: Any) -> SourceValue?
  /// The any-value in an `Any`, recognised by the type alone; nil for other values.
  func anyValue(in untyped: Any) -> SourceValue?
  /// The conversion of a value by the type of a property or of its elements, or to an any-value when there is no
  /// property: of an enum or a custom type, or to one. Nil when the value has a wrong type. Runs code of the
  /// application.
  func converted(_ untyped: Any, for property: RowProperty?) -> SourceValue?

  // MARK: Objects

  /// Where an object lives. May be called wherever the object is.
  func state(of object: AnyObject) -> SourceState
  /// Whether the row of a managed object exists. Traps where the object may not be read.
  func hasRow(_ object: AnyObject) -> Bool
  /// Gives an unmanaged object a number, by which it is recognised when it is met again.
  func mark(_ object: AnyObject, _ number: Int)
  /// Removes the mark of an object, if it has one.
  func unmark(_ object: AnyObject)
  /// The error of an unmanaged object that was made from an invalid value.
  func error(of object: AnyObject) -> (any Error)?
  /// Whether any-values may link to the object.
  func isLinkable(_ object: AnyObject) -> Bool
  /// The object to read instead of the given one: the unmanaged object that it shows, or itself.
  func shown(by object: AnyObject) -> AnyObject
  /// The row of this store for which a row of another view stands: that of the new object, for an old object of a
  /// migration. Nil for any other row.
  func counterpart(of link: ObjectLink, in other: any RowReader) -> ObjectLink?
  /// Whether an object, or its row, is one of a class.
  func isInstance(_ object: AnyObject, of target: RowClass) -> Bool
  /// The class of an object as it is declared, without a store.
  func declaredClass(of object: AnyObject) -> RowClass
  /// The name of an object's class in the language, for messages.
  func className(of object: AnyObject) -> String

  // MARK: Properties of unmanaged objects

  /// The value of a property, without any conversion to the type of its column. Runs code of the application for custom
  /// types and enums.
  ///
  /// - Parameter skippingUnset: whether nil is returned for a property without a value that equals the initial state of
  ///   a new row.
  func content(of property: RowProperty, in object: AnyObject, skippingUnset: Bool) -> SourceValue?
  /// The value of a property of the object's own class, as code that reads by name sees it; `NSNull` for null.
  func untyped(_ property: RowProperty, in object: AnyObject) -> Any

  // MARK: Collections

  /// The cell of a managed collection; nil for an unmanaged one.
  func cell(of collection: AnyObject) -> SourceCell?
  /// Traps where a managed collection may not be read, and when it was deleted.
  func checkReading(_ collection: AnyObject)
  /// The elements of an unmanaged collection.
  func elements(of collection: AnyObject) -> [SourceElement]
  /// The elements of an unmanaged list or map of any-values; nil for other collections.
  func nestedElements(of collection: AnyObject) -> SourceElements?

  // MARK: The store

  /// Counts the changes of the store. Equal counts prove that no code of the application has changed it meanwhile.
  var changes: UInt64 { get }
  /// Records the changes of the write, before code of the application may run.
  func noteChanges()
  /// Traps when code of the application has ended the write while an object of a class was brought into it.
  func checkIsWriting(_ className: String)
  /// The class of an object in the store.
  ///
  /// - Throws: when the store does not have the class, a sentence without a path.
  func rowClass(of object: AnyObject) throws(CopyError) -> RowClass
  /// The class in the store that has the same declaration as a class of another store; throws as `rowClass(of:)` does.
  func rowClass(like other: RowClass) throws(CopyError) -> RowClass
  /// Makes an instance for the defaults of a new row. Runs code of the application.
  func makeInstance(of rowClass: RowClass) throws -> AnyObject
  /// Throws when code of the application has given the instance of a new row an invalid value, or added it to a store.
  func checkInstance(_ instance: AnyObject, _ rowClass: RowClass) throws
  /// Makes an object that was added the accessor of its row, and removes its mark.
  func bind(_ object: AnyObject, _ rowClass: RowClass, _ key: ObjectKey)
}
