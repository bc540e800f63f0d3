import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// S37: processes that read and do not write.
@Suite("Following a store without writing it", .leavesNoFileOpen, .alsoEncrypted)
struct StoreReaderTests {
  private let disk = SimulatedDisk()
  private let writer: SharedStage

  init() throws {
    writer = try SharedStage(disk, 1)
    try writer.commit()
    try writer.commit()
  }

  private func open() throws -> (reader: StoreReader, graph: Graph) {
    let (reader, stored) = try StoreReader.open(SharedStage.path, on: SimulatedProcess(disk, number: 5))
    return (reader, stored.graph)
  }

  @Test func `a reader follows commits, and changes no byte`() throws {
    let (reader, graph) = try open()
    #expect(SharedStage.lines(graph) == ["A 1"])
    try writer.commit()
    try writer.commit()
    let before = disk.files
    var versions: [UInt64] = []
    #expect(reader.hasNews)
    let latest = try reader.follow(from: graph) { versions.append($0.graph.version) }
    #expect(versions == [3, 4] && SharedStage.lines(latest) == writer.lines)
    #expect(try reader.follow(from: latest) { _ in Issue.record("There is nothing new.") } == latest)
    #expect(disk.files == before)
    try writer.close()
    #expect(try reader.follow(from: latest) { _ in Issue.record("A seal is no commit.") } == latest)
  }

  @Test func `a reader goes on in a switched journal, and reads the snapshot if it slept`() throws {
    let (reader, graph) = try open()
    try writer.checkpoint()
    try writer.commit()
    var leaps: [Bool] = []
    var latest = try reader.follow(from: graph) { leaps.append($0.isLeap) }
    #expect(leaps == [false] && SharedStage.lines(latest) == writer.lines)
    try writer.commit()
    try writer.commit()
    try writer.checkpoint()
    try writer.commit()
    latest = try reader.follow(from: latest) { leaps.append($0.isLeap) }
    #expect(leaps == [false, true] && SharedStage.lines(latest) == writer.lines)
    try writer.commit()
    latest = try reader.follow(from: latest) { leaps.append($0.isLeap) }
    #expect(leaps == [false, true, false] && SharedStage.lines(latest) == writer.lines)
    try writer.close()
  }

  @Test func `a reader reads beside a writer, and holds up nobody`() throws {
    let process = SimulatedProcess(disk, number: 5, pausing: { Issue.record("A reader waits for nobody.") })
    let (reader, stored) = try StoreReader.open(SharedStage.path, on: process)
    try writer.begin()
    #expect(try reader.follow(from: stored.graph) { _ in Issue.record("Nothing is appended.") } == stored.graph)
    try writer.append()
    let graph = try reader.follow(from: stored.graph) { _ in }
    #expect(graph.version == 3 && SharedStage.lines(graph) == writer.lines)
    writer.file.endTurn()
    // A reader that is stopped between any two calls, or in one, has no lock.
    let waits = Locks()
    let stopping = SimulatedProcess(disk, number: 6, gate: { _, _ in waits.check() })
    waits.writer = writer
    let (stopped, late) = try StoreReader.open(SharedStage.path, on: stopping)
    _ = try stopped.follow(from: late.graph) { _ in }
    waits.writer = nil
    #expect(waits.count > 5)
    try writer.close()
  }

  @Test func `a commit between the reading and the watching wakes a reader`() throws {
    let process = SimulatedProcess(disk, number: 5)
    process.watchesFiles = true
    let reader = try StoreReader.open(SharedStage.path, on: process).reader
    try writer.commit()
    let calls = Mutex(0)
    reader.whenOthersCommit { calls.withLock { $0 += 1 } }
    process.passTime()
    #expect(calls.withLock { $0 } == 1 && reader.hasNews)
    #expect(!process.passTime())
    try writer.close()
  }

  @Test func `a journal that is away for a while wakes a reader when it is back`() throws {
    let process = SimulatedProcess(disk, number: 5)
    process.watchesFiles = true
    let (reader, stored) = try StoreReader.open(SharedStage.path, on: process)
    let isFound = Mutex(false)
    reader.whenOthersCommit { [weak reader] in
      let hasNews = reader?.hasNews == true
      isFound.withLock { $0 = hasNews }
    }
    let graph = try reader.follow(from: stored.graph) { _ in }
    try writer.commit()
    let bytes = try #require(disk.names[SharedStage.journal]).bytes
    disk.remove(SharedStage.journal)
    for _ in 0..<3 { process.passTime() }
    #expect(!isFound.withLock { $0 })
    disk.newFile(at: SharedStage.journal).bytes = bytes
    process.passTime()
    #expect(isFound.withLock { $0 })
    #expect(SharedStage.lines(try reader.follow(from: graph) { _ in }) == writer.lines)
    // The new file is watched, and nothing else wakes the reader.
    process.passTime()
    #expect(!process.passTime())
    writer.kill()
  }

  /// Each call of the system that reading needs fails once.
  @Test func `commits that could not be read stay news`() throws {
    let (reader, stored) = try open()
    var graph = try reader.follow(from: stored) { _ in }
    var (calls, hasFailed) = (0, true)
    while hasFailed {
      try writer.commit()
      disk.faults = [DiskFault(call: disk.calls + calls, kind: .refuse(EIO))]
      let next = try? reader.follow(from: graph) { _ in }
      disk.faults = []
      hasFailed = next == nil
      if hasFailed { #expect(reader.hasNews, "call \(calls)") }
      graph = try next ?? reader.follow(from: graph) { _ in }
      #expect(SharedStage.lines(graph) == writer.lines)
      calls += 1
    }
    #expect(calls > 2)
    try writer.close()
  }

  @Test func `a seal that was read is no news, and what takes its place is`() throws {
    let (reader, graph) = try open()
    try writer.commit()
    try writer.close()
    #expect(reader.hasNews)
    let latest = try reader.follow(from: graph) { _ in }
    #expect(SharedStage.lines(latest) == writer.lines)
    #expect(!reader.hasNews)
    let journal = try #require(disk.names[SharedStage.journal])
    let size = journal.bytes.count
    let other = try SharedStage(SimulatedProcess(disk, number: 2), padding: String(repeating: "x", count: 100_000))
    try other.begin()
    try other.append()
    other.file.endTurn()
    let whole = journal.bytes
    journal.bytes = Array(whole[..<size])
    // Of encrypted records, one may be whole in as many bytes as the seal.
    #expect(reader.hasNews == (disk.key != nil))
    #expect(try reader.follow(from: latest) { _ in Issue.record("The record is not whole.") } == latest)
    #expect(!reader.hasNews)
    journal.bytes = whole
    #expect(reader.hasNews)
    #expect(SharedStage.lines(try reader.follow(from: latest) { _ in }) == other.lines)
    #expect(!reader.hasNews)
    try other.close()
  }

  /// Each length of a record that is being written, over nothing and over a seal.
  @Test(arguments: [false, true]) func `a record is read when it is whole`(isSealed: Bool) throws {
    if isSealed { for _ in 0..<3 { writer.process.passTime() } }
    let (reader, stored) = try open()
    let journal = try #require(disk.names[SharedStage.journal])
    var graph = try reader.follow(from: stored) { _ in }
    let before = journal.bytes
    try writer.begin()
    try writer.append()
    writer.file.endTurn()
    let after = journal.bytes
    for count in stride(from: 0, to: after.count, by: Effort.of(debug: 5, release: 1, night: 1)) {
      // What is not written yet is as it was.
      let bytes = Array(after[..<count]) + before.dropFirst(count)
      if bytes == after { break }
      journal.bytes = bytes
      if reader.hasNews { graph = try reader.follow(from: graph) { _ in } }
      #expect(graph.version == 2, "cut at \(count)")
    }
    journal.bytes = after
    #expect(reader.hasNews)
    graph = try reader.follow(from: graph) { _ in }
    #expect(SharedStage.lines(graph) == writer.lines)
    try writer.close()
  }

  /// Commits that follow there have numbers of commits that the reader has shown, and other contents.
  @Test func `older files that are put back are not followed until they hold a later version`() throws {
    let (reader, stored) = try open()
    try writer.close()
    let older = disk.files
    let second = try SharedStage(disk, 2)
    try second.commit()
    try second.commit()
    let graph = try reader.follow(from: stored) { _ in }
    #expect(SharedStage.lines(graph) == ["A 1", "B 1", "B 2"])
    try second.close()
    for path in [SharedStage.path, SharedStage.journal] { disk.newFile(at: path).bytes = older[path] ?? [] }
    let third = try SharedStage(disk, 3)
    try third.commit()
    #expect(try reader.hasNews && reader.leap(from: graph) == nil)
    #expect(!reader.hasNews)
    try third.commit()
    try third.commit()
    let later = try #require(try reader.hasNews ? reader.leap(from: graph) : nil)
    #expect(SharedStage.lines(later) == ["A 1", "C 1", "C 2", "C 3"])
    try third.commit()
    #expect(SharedStage.lines(try reader.follow(from: later) { _ in }) == third.lines)
    try third.close()
  }

  /// The system has all bytes of a record, and reports a failure all the same.
  @Test func `a commit that is undone after it was read stays until a later one is there`() throws {
    let (reader, stored) = try open()
    let journal = try #require(disk.names[SharedStage.journal])
    let other = try SharedStage(disk, 2)
    let before = journal.bytes
    try writer.begin()
    try writer.append()
    let graph = try reader.follow(from: stored) { _ in }
    #expect(graph.version == 3)
    writer.kill()
    journal.bytes = before
    #expect(try reader.hasNews && reader.leap(from: graph) == nil)
    #expect(!reader.hasNews)
    // Another commit of that number, in as many bytes.
    try other.commit()
    #expect(try reader.hasNews && reader.leap(from: graph) == nil)
    #expect(!reader.hasNews)
    try other.checkpoint()
    try other.commit()
    let later = try #require(try reader.hasNews ? reader.leap(from: graph) : nil)
    #expect(SharedStage.lines(later) == ["A 1", "B 1", "B 2"])
    try other.commit()
    #expect(SharedStage.lines(try reader.follow(from: later) { _ in }) == other.lines)
    try other.close()
  }
}

extension StoreReader {
  /// Follows the files from a graph, expecting nothing but leaps; returns the last graph leapt to.
  fileprivate func leap(from graph: Graph) throws -> Graph? {
    var leap: Graph?
    _ = try follow(from: graph) {
      #expect($0.isLeap)
      leap = $0.graph
    }
    return leap
  }
}

/// Takes the turn between any two calls of another process.
private final class Locks: @unchecked Sendable {
  var writer: SharedStage?
  var count = 0

  func check() {
    guard let writer else { return }
    count += 1
    #expect(throws: Never.self) { try writer.commit(.relaxed) }
  }
}
