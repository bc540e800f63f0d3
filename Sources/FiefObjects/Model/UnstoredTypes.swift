// Types that a property may seem to have. The compiler refuses them, and says what to declare instead.

/// A type of the standard library that no property can have. Other types may conform to `CustomPersistable`.
public protocol _UnstoredType: _PersistableInsideOptional where PersistedType == Never {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension _UnstoredType {
  /// The conformance can be seen at run time, so these are facts of a value that is not looked into.
  public static var _facts: _TypeFacts { _TypeFacts(.data) }
  public static func _encode(_ value: Self) -> _PropertyContent { .value(.null) }
  public static func _loadOrNil(_ object: ObjectBase, _ index: Int) -> Self? { nil }
  public static func _save(_ value: Self?, to object: ObjectBase, _ index: Int) {}
  public static func _makeDefault() -> Self { fatalError("No property is of type '\(Self.self)'.") }
  public static func _fromAny(_ value: Any) -> Self? { nil }
}

@available(*, unavailable, message: "an array is stored as a list: '@Persisted var names: List<String>'")
extension Array: _UnstoredType {}

@available(*, unavailable, message: "a dictionary is stored as a map: '@Persisted var ages: Map<String, Int>'")
extension Dictionary: _UnstoredType {}

@available(*, unavailable, message: "a set is stored as a mutable set: '@Persisted var tags: MutableSet<String>'")
extension Set: _UnstoredType {}
