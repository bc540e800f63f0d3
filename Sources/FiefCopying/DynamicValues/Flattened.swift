/// The value in an `Any` without the optionals around it; nil for an empty optional.
@usableFromInline
package func flattened(_ value: Any) -> Any? {
  // A cast to a protocol looks for the conformance in a table of the runtime, at the price of many comparisons.
  let type = type(of: value)
  if type == String.self || type == Int.self || type == Bool.self || type == Double.self { return value }
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
