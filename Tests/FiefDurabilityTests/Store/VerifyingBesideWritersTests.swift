import FiefDurability
import FiefTestSupport
import Synchronization
import Testing

/// Checks of a store whose writer is in the middle of an append: the journal changes between two readings.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct VerifyingBesideWritersTests {
  /// A store of ten commits, and the lengths of its journal after each of them.
  private struct Stage {
    let snapshot: [UInt8]
    let journal: [UInt8]
    var lengths: [Int] = []

    init() throws {
      let disk = SimulatedDisk()
      let process = SimulatedProcess(disk)
      defer { process.kill() }
      let store = try StageStore(process)
      for _ in 0..<10 {
        try store.commit()
        lengths.append(disk.files[StageStore.journal]?.count ?? 0)
      }
      (snapshot, journal) = (disk.files[StageStore.path] ?? [], disk.files[StageStore.journal] ?? [])
    }

    /// A journal of so many whole commits and the first bytes of the next one.
    func torn(behind commits: Int, _ bytes: Int = 30) -> [UInt8] { Array(journal.prefix(lengths[commits - 1] + bytes)) }

    /// A journal of so many whole commits.
    func whole(_ commits: Int) -> [UInt8] { Array(journal.prefix(lengths[commits - 1])) }

    /// Checks the store while each opening of the journal finds the next one of some journals, and then the last.
    func report(_ journals: [[UInt8]]) throws -> (report: StoreReport, openings: Int) {
      let disk = SimulatedDisk(files: [StageStore.path: snapshot, StageStore.journal: journals[0]])
      let openings = Mutex(0)
      let reader = SimulatedProcess(disk, number: 2) { operation, path in
        guard operation == .open, path == StageStore.journal else { return }
        let number = openings.withLock { count in
          defer { count += 1 }
          return min(count, journals.count - 1)
        }
        disk.lock.withLock { disk.names[StageStore.journal]?.bytes = journals[number] }
      }
      defer { reader.kill() }
      return (try StoreFile.verify(StageStore.path, on: reader), openings.withLock { $0 })
    }
  }

  @Test func anAppendThatIsUnderWayIsNoDoubt() throws {
    let stage = try Stage()
    // The thread of the writer stands still during three looks.
    for stops in 1...3 {
      let (report, _) = try stage.report(Array(repeating: stage.torn(behind: 7), count: stops) + [stage.whole(8)])
      #expect(report.isSound, "\(stops): \(report.doubts)")
      #expect(report.info?.version == 8 && report.info?.state == .notClosed && report.info?.cutOff == nil)
    }
  }

  /// Part of a record may be written over bytes that are there already.
  @Test func otherBytesOfTheSameNumberAreAnAppendThatIsUnderWay() throws {
    let stage = try Stage()
    let first = stage.torn(behind: 7, 10) + [UInt8](repeating: 0, count: 20)
    let (report, _) = try stage.report([first, stage.torn(behind: 7, 30), stage.torn(behind: 7, 30), stage.whole(8)])
    #expect(report.isSound, "\(report.doubts)")
    #expect(report.info?.version == 8)
  }

  @Test func aWriterThatNeverRestsIsNoDoubt() throws {
    let stage = try Stage()
    let (report, openings) = try stage.report((1...9).map { stage.torn(behind: $0) })
    #expect(report.isSound, "\(report.doubts)")
    // A whole record in place of the torn one shows that the writer lives.
    #expect(report.info?.cutOff == nil && report.info?.state == .notClosed && openings <= 4)
  }

  @Test func aWriterThatNeverRestsIsNoDoubtWithoutTheKey() throws {
    let key = try FileKey.standIn()
    let stage = try SimulatedDisk.$usualKey.withValue(key) { try Stage() }
    let journals = (1...9).map { stage.torn(behind: $0) }
    let (report, openings) = try SimulatedDisk.$usualKey.withValue(nil) { try stage.report(journals) }
    // The one doubt is that the contents were not checked.
    #expect(report.problems.isEmpty && report.doubts.count == 1, "\(report.doubts)")
    #expect(report.info?.cutOff == nil && report.info?.state == .notClosed && openings <= 2)
    let (still, _) = try SimulatedDisk.$usualKey.withValue(nil) { try stage.report([stage.torn(behind: 7)]) }
    #expect(still.doubts.count == 2 && still.info?.version == 7 && still.info?.cutOff?.bytes == 30)
  }

  @Test func bytesThatStayAreADoubt() throws {
    let stage = try Stage()
    let (report, _) = try stage.report([stage.torn(behind: 7)])
    #expect(report.problems == [] && report.doubts.count == 1 && !report.isSound)
    #expect(report.info?.version == 7 && report.info?.state == .cutOff && report.info?.cutOff?.bytes == 30)
  }
}
