import FiefDurability
import FiefGraph
import Foundation

/// A store on a disk that is full for a while.
///
///     Filling(path, FileSizeLimit(bytes))     no file may have more bytes
///     Filling(path, Ballast(…))               a file system with only so much space left
struct Filling {
  let path: String
  let fullness: any Fullness

  init(_ path: String, _ fullness: any Fullness) {
    self.path = path
    self.fullness = fullness
  }

  func run() throws {
    var (file, stored) = try StoreFile.open(path)
    var graph = stored.graph
    try fullness.begin()
    var refused = 0
    for _ in 0..<400 where refused < 3 {
      let next = try Diary.next(after: graph)
      do throws(StoreError) {
        try file.commit(Delta(from: graph, to: next), version: next.version, userVersion: 0)
        graph = next
        say("durable \(graph.version)")
      } catch {
        refused += 1
        say("refused \(next.version) \(error.code)")
      }
    }
    do throws(StoreError) {
      try file.checkpoint(graph, version: graph.version, userVersion: 0)
      say("checkpoint done")
    } catch {
      say("checkpoint \(error.code)")
    }
    try fullness.end()
    if let refusal = file.refusal { say("refusal \(refusal.code)") }
    // Half of them are opened again before they continue.
    if graph.version % 2 == 0 {
      try file.close()
      (file, stored) = try StoreFile.open(path)
      guard stored.version == graph.version else {
        return say("failed: \(graph.version) were durable, and \(stored.version) found")
      }
    }
    let next = try Diary.next(after: graph)
    try file.commit(Delta(from: graph, to: next), version: next.version, userVersion: 0)
    say("durable \(next.version)")
    try file.checkpoint(next, version: next.version, userVersion: 0)
    try file.close()
    say("closed")
  }
}

/// A way to fill a disk.
protocol Fullness {
  /// Limits the space.
  func begin() throws
  /// Removes the limit.
  func end() throws
}

/// A limit on the size of each file of this process.
struct FileSizeLimit: Fullness {
  let bytes: Int

  func begin() { set(rlim_t(bytes)) }

  func end() { set(nil) }

  private func set(_ bytes: rlim_t?) {
    // Without this, the signal would end the process.
    signal(SIGXFSZ, SIG_IGN)
    var limits = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    getrlimit(resource, &limits)
    limits.rlim_cur = bytes ?? limits.rlim_max
    setrlimit(resource, &limits)
  }
}

/// A file that takes nearly all the space of a small file system.
struct Ballast: Fullness {
  let path: String
  /// The number of bytes that it leaves.
  let room: Int

  func begin() throws {
    let block = [UInt8](repeating: 7, count: 4096)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    defer { close(descriptor) }
    var size = 0
    while true {
      let written = write(descriptor, block, block.count)
      if written <= 0 { break }
      size += written
    }
    guard errno == ENOSPC, ftruncate(descriptor, off_t(max(0, size - room))) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
    say("full after \(size)")
  }

  func end() throws { try FileManager.default.removeItem(atPath: path) }
}
