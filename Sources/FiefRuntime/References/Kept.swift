/// A reference that is counted by hand: the object is retained from the making of this to `release()`.
///
/// It serves stored properties that are read so often that the counting of each read would show. One word.
@frozen
@usableFromInline
@safe
package struct Kept<Object: AnyObject>: @unchecked Sendable {
  // Sendable like `Borrowed`: the holder decides who may use the object.
  @usableFromInline let reference: Unmanaged<Object>

  /// Retains an object.
  @inlinable
  @inline(__always)
  package init(_ object: Object) { unsafe reference = .passRetained(object) }

  /// Calls `body` with the object, which must not outlive the call.
  @inlinable
  @inline(__always)
  package func with<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    try unsafe reference._withUnsafeGuaranteedRef(body)
  }

  /// The object with a reference of its own.
  @inlinable
  @inline(__always)
  package var counted: Object { unsafe reference.takeUnretainedValue() }

  /// Whether it refers to an object.
  @inlinable
  @inline(__always)
  package func refers(to other: Object) -> Bool { with { $0 === other } }

  /// The word in which the runtime counts the references to the object; see `ReferenceCount`.
  @inlinable
  @inline(__always)
  package var countWord: UInt { unsafe ReferenceCount.word(of: reference) }

  /// The object with a second reference, which is counted without an atomic step.
  ///
  /// Call this only when `countWord` is `ReferenceCount.known?.one`; see there.
  ///
  /// - Parameter two: `ReferenceCount.known?.two`.
  @unsafe
  @inlinable
  @inline(__always)
  package func countedTwice(as two: UInt) -> Object {
    unsafe ReferenceCount.countSecond(of: reference, as: two)
    return unsafe reference.takeRetainedValue()
  }

  /// Gives the reference up. Neither this nor a copy of it may be used afterwards.
  @unsafe
  @inlinable
  @inline(__always)
  package func release() { unsafe reference.release() }
}
