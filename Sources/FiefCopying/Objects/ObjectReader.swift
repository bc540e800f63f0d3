package import FiefGraph

/// The services of instances and collections for reading a graph of objects, managed or not. No store is needed.
package protocol ObjectReader: AnyObject {
  /// The object to read instead of the given one; nil when the program does not define its class.
  func readable(_ object: AnyObject) -> AnyObject?
  /// The class of an object as it is declared, without a store.
  func declaredClass(of object: AnyObject) -> RowClass
  /// Traps where an object may not be read, and when it was deleted.
  func checkReading(_ object: AnyObject)
  /// The value of a property. Linked objects and collections are returned without being read.
  func value(of property: RowProperty, in object: AnyObject) -> SourceValue
  /// The elements of a collection of a type, in an order that depends only on their values, except for objects of an
  /// unmanaged set.
  func elements(of collection: AnyObject, _ type: ColumnType) -> [SourceElement]
  func identity(of object: AnyObject) -> SourceIdentity
  /// The identity of a list or map inside an any-value.
  func identity(ofNested collection: AnyObject) -> SourceIdentity
  /// Whether a list or map inside an any-value is a list.
  func isList(_ collection: AnyObject) -> Bool
}

/// The identity of an object or a collection: the instance, or the row that a view shows.
package struct SourceIdentity: Hashable {
  private let holder: ObjectIdentifier
  private let row: ObjectLink?

  /// The identity of an unmanaged instance.
  package init(_ instance: AnyObject) {
    holder = ObjectIdentifier(instance)
    row = nil
  }

  package init(_ row: ObjectLink, in reader: any RowReader) {
    holder = ObjectIdentifier(reader)
    self.row = row
  }
}
