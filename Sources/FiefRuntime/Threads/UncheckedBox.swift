/// Carries a value to another thread where the compiler cannot see that this is safe.
///
/// Each place that makes one says why: the value is immutable, or is used by one thread at a time.
package struct UncheckedBox<Value>: @unchecked Sendable {
  /// The value.
  package let value: Value

  /// A box around a value.
  package init(_ value: Value) { self.value = value }
}
