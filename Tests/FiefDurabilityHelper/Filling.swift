import FiefDurability
import FiefGraph
import Foundation

/// A store on a disk that is full for a while, and then no longer.
///
///     Filling(path, FileSizeLimit(bytes))     no file may have more bytes
///     Filling(path, Ballast(…))               a file system that has only so much room left
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
    // Half of them are opened again before they go on.
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

/// A disk being full.
protocol Fullness {
  /// From now on there is little space.
  func begin() throws
  /// There is space again.
  func end() throws
}

/// No file of this process may grow beyond a size.
struct FileSizeLimit: Fullness {
  let bytes: Int

  func begin() { set(rlim_t(bytes)) }

  func end() { set(nil) }

  private func set(_ bytes: rlim_t?) {
    // The system would end the process otherwise.
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

/// A file that takes all the space of a small file system but for a little.
struct Ballast: Fullness {
  let path: String
  /// How many bytes it leaves.
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
