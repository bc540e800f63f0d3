/// The address of an `Any`, or of a value whose type the caller knows.
///
/// Why this is right: see `Existential`. A value is read as a type only when that type stands in the fourth word, or
/// the caller knows the type. It is read only as a type of at most three words, which lie in those words themselves:
/// `inline` names such types. Callers promise to hold the value while they use the address, and to ask
/// `Existential.isAvailable` first.
@unsafe
@frozen
@usableFromInline
package struct ExistentialPointer {
  /// Where it lies.
  @usableFromInline package let address: UnsafeRawPointer

  /// A pointer to a value that the caller holds.
  @inlinable
  @inline(__always)
  package init(address: UnsafeRawPointer) { unsafe self.address = address }

  /// The type of the value in an `Any`. Not for a value without an `Any` around it.
  @inlinable
  @inline(__always)
  package var type: UInt { unsafe address.load(fromByteOffset: 3 * MemoryLayout<UInt>.size, as: UInt.self) }

  /// The value as it lies in an `Any`. Not for a value without an `Any` around it.
  @inlinable
  @inline(__always)
  package var value: Any { unsafe address.assumingMemoryBound(to: Any.self).pointee }

  /// The value, as the type that it is known to have.
  @inlinable
  @inline(__always)
  package func load<Value>(as type: Value.Type) -> Value { unsafe address.assumingMemoryBound(to: Value.self).pointee }

  /// A number that is equal for all values of a type, and differs between types.
  @inlinable
  @inline(__always)
  package static func identity(of type: Any.Type) -> UInt { unsafe unsafeBitCast(type, to: UInt.self) }

  /// The type, when its values lie in the words of an `Any` themselves; nil for larger ones.
  package static func inline<Value>(_ type: Value.Type) -> Any.Type? {
    MemoryLayout<Value>.size <= 3 * MemoryLayout<UInt>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment ? type : nil
  }
}
