/// The type of properties that `@Persisted(originProperty:)` declares.
public protocol LinkingObjectsProtocol {
  /// Declares the objects that link through the property with the given name.
  ///
  /// - Parameter originProperty: the Swift name of a property of the linking class.
  init(originProperty: String)
  /// The name of that property.
  var _origin: String { get }
}
