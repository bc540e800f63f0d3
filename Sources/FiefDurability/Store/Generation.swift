/// The numbers by which the files of one store are told apart.
enum Generation {
  /// That of a snapshot which stands alone: a copy, which has no journal yet.
  static let alone: UInt64 = 0

  /// A generation for a file that comes after one of `generation`: higher, and used by no other file.
  ///
  /// A file that was begun and given up, in a process that died, may have left its blocks on the disk. Counting by one,
  /// the next try would have its generation, and accept its records; so the steps are random.
  ///
  /// - Throws: `damaged` when there is none: no store lives so long.
  static func next(
    after generation: UInt64, _ paths: StorePaths, _ system: any FileSystem
  ) throws(StoreError) -> UInt64 {
    guard generation < FileHeader.lastNumber else {
      throw StoreError(.damaged, usedUp(paths) + " Nothing was changed.", file: paths.snapshot)
    }
    // Near the end the steps become shorter, so whether there is one is no matter of luck.
    return min(generation + 1 + system.randomBits() >> 33, FileHeader.lastNumber)
  }

  /// What is wrong with a store that needs a generation after the last.
  static func usedUp(_ paths: StorePaths) -> String {
    "The store \(paths.snapshot) has used up its generations, which only a forged file can. Copy it into a new one by "
      + "recover(from:to:)."
  }
}
