/// The type of properties that `@Persisted(originProperty:)` declares.
public protocol LinkingObjectsProtocol {
  /// Declares the objects that link through the property with the given name.
  init(originProperty: String)
}
