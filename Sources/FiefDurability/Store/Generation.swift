/// The numbers by which the files of one store are told apart.
enum Generation {
  /// That of a snapshot which stands alone: a copy, which has no journal yet.
  static let alone: UInt64 = 0

  /// A generation for a file that comes after one of `generation`: higher, and used by no other file.
  ///
  /// A file that was begun and given up, in a process that died, may have left its blocks on the disk. Counting by one, the
  /// next try would have its generation, and accept its records; so the steps are random.
  static func next(after generation: UInt64, _ system: any FileSystem) -> UInt64 {
    generation &+ 1 &+ system.randomBits() >> 33
  }
}
