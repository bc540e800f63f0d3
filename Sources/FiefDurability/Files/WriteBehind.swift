import Foundation

/// Writes a new file from front to back while its writer prepares the next bytes.
///
///     writer:   ├─ fills portion 1 ─┼─ fills portion 2 ─┼─ fills portion 3 ─┼─ drain ──────┤
///     queue:                        ├ writes 1 ┤        ├ writes 2 ┤        ├ writes 3 ┤
///
/// The transfer of a written portion to the disk is started at once, so that synchronizing has little left to do. One
/// thread at a time uses an instance, for files whose `writesBehind` is true. It never calls the file while the writer
/// may do so, never writes after a failure, and never synchronizes. All appended bytes are in the file when `drain` has
/// returned, and not before.
@safe  // `finish` receives the bytes of a portion for one call.
final class WriteBehind: @unchecked Sendable {
  // `@unchecked Sendable` is correct because `condition` guards what both sides use, and only the writer uses the rest.

  /// The size in bytes of a portion, once the file is long enough.
  static let portionSize = 1 << 19
  /// The size in bytes of the first portion. Later portions grow with the file, so that writing begins early.
  private static let firstPortionSize = 1 << 17
  /// The number of portions that may wait to be written. Beyond that the writer waits, so memory is bounded.
  private static let mostWaiting = 4

  private let file: any OpenFile
  private let path: String
  // Nil, except in tests, when a thread does the work.
  private let work: (any WorkBehind)?
  private let portionSize: Int
  private let queue = DispatchQueue(label: "fief.write-behind", qos: .userInitiated)
  private let finish: (@Sendable (UnsafeMutableRawBufferPointer) -> Void)?
  // Used by the writer only.
  private var portion = ByteWriter()
  private var offset = 0

  private let condition = NSCondition()
  // Guarded by `condition`: the portions to be written, including the current one, and buffers for reuse.
  private var waiting: [Portion] = []
  private var spare: [ByteWriter] = []
  private var failure: FileFailure?

  /// Bytes, and their offset in the file.
  private struct Portion {
    let bytes: ByteWriter
    let offset: Int
  }

  /// Starts at the beginning of `file`.
  ///
  /// - Parameter finish: Processes each portion, in order, before it is written; portions end where an `append` ends.
  init(_ file: any OpenFile, path: String, finish: (@Sendable (UnsafeMutableRawBufferPointer) -> Void)? = nil) {
    self.file = file
    self.path = path
    unsafe self.finish = finish
    work = file.workBehind
    portionSize = work?.portionSize ?? Self.portionSize
  }

  /// Appends bytes.
  ///
  /// - Throws: the system's error for these or earlier bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
    unsafe portion.append(bytes)
    if portion.count >= min(portionSize, Self.firstPortionSize + offset) { try handOver() }
  }

  /// Returns when all bytes are in the file.
  ///
  /// - Throws: the system's error; the file then has only the beginning of the bytes.
  func drain() throws(FileFailure) {
    condition.lock()
    while !waiting.isEmpty { wait() }
    let failure = failure
    condition.unlock()
    if let failure { throw failure }
    assert(waiting.isEmpty, "The writer writes only when no portion waits.")
    guard portion.count > 0 else { return }
    // No other thread writes now.
    unsafe finish?(portion.mutableBytes)
    try unsafe file.writeAll(portion.bytes, at: offset, path: path)
    offset += portion.count
    portion.removeAll()
  }

  /// Drops all bytes that are not written yet, and returns when no thread uses the file any more.
  func abandon() {
    portion.removeAll()
    condition.lock()
    if failure == nil { failure = FileFailure(.write, at: path, ECANCELED) }
    while !waiting.isEmpty { wait() }
    condition.unlock()
  }

  private func handOver() throws(FileFailure) {
    condition.lock()
    while waiting.count >= Self.mostWaiting && failure == nil { wait() }
    if let failure {
      condition.unlock()
      throw failure
    }
    waiting.append(Portion(bytes: portion, offset: offset))
    offset += portion.count
    portion = spare.popLast() ?? ByteWriter(capacity: Self.portionSize * 5 / 4)
    condition.unlock()
    if let work { work.later { [self] in writeNext() } } else { queue.async { [self] in writeNext() } }
  }

  /// Returns after a portion may have been written. The caller holds `condition`, which is released meanwhile.
  private func wait() {
    guard let work else { return condition.wait() }
    condition.unlock()
    work.help()
    condition.lock()
  }

  /// Writes the oldest waiting portion, on the queue.
  private func writeNext() {
    condition.lock()
    assert(!waiting.isEmpty, "A portion is written for each that was handed over.")
    let next = waiting[0]
    var failure = failure
    condition.unlock()
    if failure == nil {
      do throws(FileFailure) {
        unsafe finish?(next.bytes.mutableBytes)
        try unsafe file.writeAll(next.bytes.bytes, at: next.offset, path: path)
        file.startWriting(next.offset..<next.offset + next.bytes.count)
      } catch let error {
        failure = error
      }
    }
    next.bytes.removeAll()
    condition.lock()
    if self.failure == nil { self.failure = failure }
    waiting.removeFirst()
    spare.append(next.bytes)
    condition.broadcast()
    condition.unlock()
  }
}
