extension ContiguousArray {
  /// Whether both are one buffer in memory, or both are empty. Constant time.
  ///
  /// The addresses are compared and never dereferenced, so this cannot read freed memory.
  @inlinable
  package func isSameStorage(as other: ContiguousArray) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBufferPointer { a in
      unsafe other.withUnsafeBufferPointer { b in unsafe a.baseAddress == b.baseAddress }
    }
  }
}
