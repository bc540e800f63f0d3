/// How much memory may be made of a file.
///
/// Values that are all equal take no bytes in a file, and small numbers take a bit each. So a file of an application
/// can be much smaller than its graph, and a forged file of a megabyte could announce a terabyte. Everything that would
/// be made of the file is therefore counted while it is checked. `README.md` says how the limit was chosen.
struct MemoryBudget {
  /// The bytes that the graph of a file of any size may take.
  static let base = 64 << 20
  /// How many bytes may be made of one byte of the file.
  static let factor = 64
  /// The bytes that the schema of a file of any size may take. It is made before the objects are checked.
  static let schemaBase = 4 << 20
  /// The bytes, beside its own, of a string or binary data that does not fit in its cell.
  static let storage = 64
  /// How many values a leaf may have. Values that are made of a leaf while it is checked are not counted.
  static let leafLimit = 1 << 16

  /// How many bytes were taken.
  private(set) var taken = 0
  /// How many bytes may be taken.
  let limit: Int
  private var schemaLeft: Int

  init(fileSize: Int) {
    limit = Self.base + Self.factor * min(fileSize, .max / (2 * Self.factor))
    schemaLeft = Self.schemaBase + fileSize
  }

  /// Takes the bytes of `count` things of `size` bytes; returns false if that is above the limit.
  mutating func take(_ count: Int, of size: Int) -> Bool {
    let (total, overflow) = count.multipliedReportingOverflow(by: size)
    guard !overflow, total <= limit - taken else { return false }
    taken += total
    return true
  }

  /// Takes the bytes of a part of the schema; returns false if that is above the limit.
  mutating func takeSchema(_ size: Int) -> Bool {
    guard size <= schemaLeft else { return false }
    schemaLeft -= size
    return true
  }
}
