/// The value in an `Any` without the optionals around it; nil for an empty optional.
@usableFromInline
package func flattened(_ value: Any) -> Any? {
  var value = value
  while let optional = value as? any AnyOptional {
    guard let inner = optional.inner else { return nil }
    value = inner
  }
  return value
}

/// The protocol of all optionals, regardless of the wrapped type.
private protocol AnyOptional {
  var inner: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var inner: Any? { self.map { $0 } }
}
