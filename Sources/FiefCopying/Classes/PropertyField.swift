/// The field of a class that a property reads and writes. The module of the classes implements it, and reads it back
/// from the property.
package protocol PropertyField: AnyObject, Sendable {
  /// The name of the class that links point at, for messages.
  var targetTypeName: String { get }
  /// The stored name of that class; nil for a property without links.
  var targetName: String? { get }
}
