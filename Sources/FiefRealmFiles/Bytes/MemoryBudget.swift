/// How much memory may be made of a file.
///
/// Values that are all equal take no bytes in a file, and small numbers take a bit each. So a file of an application
/// can be much smaller than its graph, and a forged file of a megabyte could announce a terabyte. Everything that is
/// made of the file is therefore counted, before it is made. `README.md` says how the limit was chosen.
struct MemoryBudget {
  /// What a file of any size may take, in bytes.
  static let base = 16 << 20
  /// How many bytes may be made of one byte of the file.
  static let factor = 16
  /// What a string or binary data takes that does not fit in its cell, in bytes beside its own.
  static let storage = 64

  /// How many values a leaf may have. Leaves of Realm have at most 1,000. What is made of a leaf while it is read is
  /// not counted, and is less than four times the file.
  let leafLimit: Int
  /// How many bytes were taken.
  private(set) var taken = 0
  private let limit: Int

  init(fileSize: Int) {
    leafLimit = max(1 << 16, fileSize / 8)
    limit = Self.base + Self.factor * min(fileSize, .max / 64)
  }

  /// Takes the bytes of `count` things of `size` bytes; returns false if that is above the limit.
  mutating func take(_ count: Int, of size: Int) -> Bool {
    let (total, overflow) = count.multipliedReportingOverflow(by: size)
    guard !overflow, total <= limit - taken else { return false }
    taken += total
    return true
  }
}
