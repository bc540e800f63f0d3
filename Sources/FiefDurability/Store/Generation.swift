/// The numbers that distinguish the files of one store.
enum Generation {
  /// The generation of a snapshot that stands alone: a copy, which has no journal yet.
  static let alone: UInt64 = 0

  /// A generation for a file that follows one of `generation`: higher, and used by no other file.
  ///
  /// A process that died while it wrote a file may have left blocks of that file on the disk. If generations counted by
  /// one, the next attempt would have the same generation and accept those records. So the steps are random.
  ///
  /// - Throws: `damaged` when the generations are used up, which no real store lives long enough to reach.
  static func next(
    after generation: UInt64, _ paths: StorePaths, _ system: any FileSystem
  ) throws(StoreError) -> UInt64 {
    guard generation < FileHeader.lastNumber else {
      throw StoreError(.damaged, usedUp(paths) + " Nothing was changed.", file: paths.snapshot)
    }
    // Near the end the steps become shorter, so success does not depend on the random bits.
    return min(generation + 1 + system.randomBits() >> 33, FileHeader.lastNumber)
  }

  /// The message for a store that needs a generation after the last.
  static func usedUp(_ paths: StorePaths) -> String {
    "The store \(paths.snapshot) has used up its generations, which only a forged file can. Copy it into a new one by "
      + "recover(from:to:)."
  }
}
