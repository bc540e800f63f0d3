#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ObjectId {
  /// Makes a new identifier from the clock's second, this process's random bytes, and the next count.
  ///
  ///     class Dog: Object {
  ///       @Persisted(primaryKey: true) var id = ObjectId.generate()
  ///     }
  ///
  /// Within a process each identifier is greater than all earlier ones, on any thread, and no identifier repeats;
  /// `ObjectIdSource` explains how. May be called from any thread; takes no lock.
  ///
  /// A child made by `fork` without `exec` starts with a copy of its parent's random bytes and count, and both may then
  /// make the same identifiers. (Swift's runtime does not support such children in general.)
  public static func generate() -> ObjectId {
    // A clock set before 1970 counts as 1970. The upper limit keeps the seconds within 40 bits.
    let now = Date().timeIntervalSince1970
    let tick = ObjectIdSource.shared.next(second: UInt64(Swift.min(Swift.max(now, 0), 0x1p39)))
    return ObjectId(second: tick.second, process: ObjectIdSource.shared.process, count: tick.count)
  }

  /// Makes a new identifier with a given time, machine and process, in the layout that preceded the random bytes.
  ///
  ///     let id = ObjectId(timestamp: Date(), machineId: 1, processId: 2)
  ///
  /// The count is this process's next one, so identifiers made with the same arguments differ, up to 2^24 of them.
  ///
  /// - Parameters:
  ///   - timestamp: its whole seconds since 1970 are used, rounded down and clamped to 0...2^32 - 1 (1970 to 2106).
  ///   - machineId: the lowest three bytes are used.
  ///   - processId: the lowest two bytes are used.
  public init(timestamp: Date, machineId: Int, processId: Int) {
    let second = Timestamp(timestamp).map { UInt32(clamping: $0.seconds) } ?? 0
    let machine = UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF
    let process = machine << 16 | UInt64(truncatingIfNeeded: processId) & 0xFFFF
    self.init(second: UInt64(second), process: process, count: ObjectIdSource.shared.next(second: 0).count)
  }

  /// The time in the first four bytes, in whole seconds from 1970 to 2106.
  ///
  ///     print(ObjectId("507f1f77bcf86cd799439011").timestamp)          // 2012-10-17 21:13:27 +0000
  public var timestamp: Date { Timestamp(seconds: Int64(word0)).date }

  private init(second: UInt64, process: UInt64, count: UInt32) {
    self.init(
      words: UInt32(truncatingIfNeeded: second), UInt32(truncatingIfNeeded: process >> 8),
      UInt32(truncatingIfNeeded: process) << 24 | count)
  }
}
