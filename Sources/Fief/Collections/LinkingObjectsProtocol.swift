/// What `@Persisted(originProperty:)` can declare.
public protocol LinkingObjectsProtocol {
  /// The objects that link by a property of that name.
  init(originProperty: String)
}
