extension FileKey {
  /// Asks a cipher for its identifier and its overhead.
  ///
  /// - Throws: `wrongKey` if they are out of range.
  package init(_ cipher: any FileCipher) throws(StoreError) {
    let (identifier, overhead) = (cipher.keyIdentifier, cipher.overhead)
    guard identifier.count <= KeyMark.longestIdentifier else {
      throw StoreError(
        .wrongKey,
        "The cipher has a keyIdentifier of \(identifier.count) bytes: give one of at most "
          + "\(KeyMark.longestIdentifier) bytes.")
    }
    guard 0...KeyMark.highestOverhead ~= overhead else {
      throw StoreError(
        .wrongKey,
        "The cipher has an overhead of \(overhead) bytes: use one that adds at most \(KeyMark.highestOverhead) bytes.")
    }
    self.init(cipher: cipher, mark: KeyMark(identifier: Array(identifier), overhead: overhead))
  }
}
