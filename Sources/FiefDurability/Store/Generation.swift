/// The numbers by which the files of one store are told apart.
enum Generation {
  /// That of a snapshot which stands alone: a copy, which has no journal yet.
  static let alone: UInt64 = 0

  /// A generation for a file that comes after one of `generation`: higher, and used by no other file.
  ///
  /// A file that was begun and given up, in a process that died, may have left its blocks on the disk. Counting by one, the
  /// next try would have its generation, and accept its records; so the steps are random.
  ///
  /// - Throws: `damaged` when there is none: no store lives so long.
  static func next(
    after generation: UInt64, _ paths: StorePaths, _ system: any FileSystem
  ) throws(StoreError) -> UInt64 {
    let next = generation &+ 1 &+ system.randomBits() >> 33
    guard next > generation, next <= FileHeader.lastNumber else {
      throw StoreError(
        .damaged,
        "The store \(paths.snapshot) has used up its generations, which only a forged file can: nothing was changed. Copy it "
          + "into a new one by recover(from:to:).", file: paths.snapshot)
    }
    return next
  }
}
