import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
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

  @Test func `a reader does not wait long for a writer, and reads later`() throws {
    let (reader, graph) = try open()
    try writer.begin()
    try writer.append()
    #expect(try reader.follow(from: graph) { _ in Issue.record("The writer has the turn.") } == graph)
    writer.file.endTurn()
    #expect(try reader.follow(from: graph) { _ in }.version == 3)
    try writer.close()
  }
}
