extension ContiguousArray {
  /// Whether the two are one buffer in memory, or both empty. Constant time.
  ///
  /// The addresses are compared and never followed, so nothing here can read memory that is gone.
  @inlinable
  func isSameStorage(as other: ContiguousArray) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBufferPointer { a in other.withUnsafeBufferPointer { b in a.baseAddress == b.baseAddress } }
  }
}
