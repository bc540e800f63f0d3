import Foundation

/// Writes a new file from front to back while its writer works out what comes next.
///
///     writer:   ├─ fills portion 1 ─┼─ fills portion 2 ─┼─ fills portion 3 ─┼─ drain ──────┤
///     queue:                        ├ writes 1 ┤        ├ writes 2 ┤        ├ writes 3 ┤
///
/// A portion that is in the file is also sent on its way to the disk, so that synchronizing finds little left to do. It
/// is used by one thread at a time, for files whose `writesBehind` says so. It never calls the file while its writer
/// may do so, never writes behind a failure, and never synchronizes: what was appended is in the file when `drain` has
/// returned, and no sooner.
final class WriteBehind: @unchecked Sendable {
  // `@unchecked Sendable` is true because what both sides touch is under `door`, and the rest belongs to the writer.

  /// How many bytes are written at a time, once the file is under way.
  static let portionSize = 1 << 19
  /// How many bytes the first portion has; those after it are larger, as the file is, so that writing begins soon.
  private static let firstPortionSize = 1 << 17
  /// How many portions may wait to be written; the writer waits when there are more, so memory is bounded.
  private static let mostWaiting = 4

  private let file: any OpenFile
  private let path: String
  // Nil while a thread does the work, which is so but for tests.
  private let work: (any WorkBehind)?
  private let portionSize: Int
  private let queue = DispatchQueue(label: "fief.write-behind", qos: .userInitiated)
  private let finish: (@Sendable (UnsafeMutableRawBufferPointer) -> Void)?
  // The writer's own.
  private var portion = ByteWriter()
  private var offset = 0

  private let door = NSCondition()
  // Under `door`: what is to be written, the one that is being written included, and memory to be used again.
  private var waiting: [Portion] = []
  private var spare: [ByteWriter] = []
  private var failure: FileFailure?

  /// Bytes, and where in the file they go.
  private struct Portion {
    let bytes: ByteWriter
    let offset: Int
  }

  /// Begins at the beginning of `file`.
  ///
  /// - Parameter finish: Has the last word on each portion, in order, before it is written; portions end where an
  ///   `append` ends.
  init(_ file: any OpenFile, path: String, finish: (@Sendable (UnsafeMutableRawBufferPointer) -> Void)? = nil) {
    self.file = file
    self.path = path
    self.finish = finish
    work = file.workBehind
    portionSize = work?.portionSize ?? Self.portionSize
  }

  /// Adds bytes at the end.
  ///
  /// - Throws: what the system said about these or earlier bytes.
  func append(_ bytes: UnsafeRawBufferPointer) throws(FileFailure) {
    portion.append(bytes)
    if portion.count >= min(portionSize, Self.firstPortionSize + offset) { try handOver() }
  }

  /// Returns when everything is in the file.
  ///
  /// - Throws: what the system said; the file then has only a beginning of it.
  func drain() throws(FileFailure) {
    door.lock()
    while !waiting.isEmpty { wait() }
    let failure = failure
    door.unlock()
    if let failure { throw failure }
    guard portion.count > 0 else { return }
    // Nobody else writes now.
    finish?(portion.mutableBytes)
    try file.writeAll(portion.bytes, at: offset, path: path)
    offset += portion.count
    portion.removeAll()
  }

  /// Forgets what is not written yet, and returns when the file is left alone.
  func abandon() {
    portion.removeAll()
    door.lock()
    if failure == nil { failure = FileFailure(.write, path, ECANCELED) }
    while !waiting.isEmpty { wait() }
    door.unlock()
  }

  private func handOver() throws(FileFailure) {
    door.lock()
    while waiting.count >= Self.mostWaiting && failure == nil { wait() }
    if let failure {
      door.unlock()
      throw failure
    }
    waiting.append(Portion(bytes: portion, offset: offset))
    offset += portion.count
    portion = spare.popLast() ?? ByteWriter(capacity: Self.portionSize * 5 / 4)
    door.unlock()
    if let work { work.later { [self] in writeNext() } } else { queue.async { [self] in writeNext() } }
  }

  /// Returns after something may have been written. Under `door`, which is open meanwhile.
  private func wait() {
    guard let work else { return door.wait() }
    door.unlock()
    work.help()
    door.lock()
  }

  /// Writes the portion that waits longest, on the queue.
  private func writeNext() {
    door.lock()
    let next = waiting[0]
    var failure = failure
    door.unlock()
    if failure == nil {
      do throws(FileFailure) {
        finish?(next.bytes.mutableBytes)
        try file.writeAll(next.bytes.bytes, at: next.offset, path: path)
        file.startWriting(next.offset..<next.offset + next.bytes.count)
      } catch let error {
        failure = error
      }
    }
    next.bytes.removeAll()
    door.lock()
    if self.failure == nil { self.failure = failure }
    waiting.removeFirst()
    spare.append(next.bytes)
    door.broadcast()
    door.unlock()
  }
}
