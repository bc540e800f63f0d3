import FiefDurability
import FiefTestSupport
import Foundation
import Testing

/// The simulated disk gives no more guarantees than a real one.
@Suite(.leavesNoFileOpen) struct SimulatedDiskTests {
  private let path = SimulatedDisk.folder + "/a"

  private func point(_ disk: SimulatedDisk) -> CrashPoint {
    var point = CrashPoint()
    for event in disk.events { point.advance(event) }
    return point
  }

  private func write(_ bytes: [UInt8], _ file: any OpenFile, at offset: Int = 0) throws {
    _ = try bytes.withUnsafeBytes { try file.write($0, at: offset) }
  }

  @Test func closingSynchronizesNothing() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let file = try process.open(path, for: .creating(like: []))
    try write([1, 2, 3], file)
    file.close()
    let point = point(disk)
    #expect(point.countOfPending == 2)
    let none = Fates(changes: [.dropped], names: [false])
    #expect(point.image(none).files.isEmpty)
    // A name without its bytes, and the whole.
    #expect(point.image(Fates(changes: [.dropped], names: [true])).files == [path: []])
    #expect(point.imageAfterKill().files == [path: [1, 2, 3]])
  }

  @Test func aFileThatIsSafeNeedsANameThatIs() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let file = try process.open(path, for: .creating(like: []))
    try write([1], file)
    try file.synchronize()
    #expect(point(disk).image(Fates(changes: [], names: [false])).files.isEmpty)
    try process.rename(path, to: path + "2")
    try process.synchronizeFolder(SimulatedDisk.folder)
    #expect(point(disk).image(Fates(changes: [], names: [])).files == [path + "2": [1]])
  }

  @Test func fatesDoWhatTheySay() {
    let new: [UInt8] = Array(repeating: 7, count: 1200)
    func result(_ fate: Fate) -> [UInt8] {
      var bytes: [UInt8] = [1, 1]
      fate.apply(new, at: 2, to: &bytes, formerBytes: [Array(repeating: 3, count: 600)])
      return bytes
    }
    #expect(result(.kept) == [1, 1] + new)
    #expect(result(.dropped) == [1, 1])
    #expect(result(.cut(5)) == [1, 1] + new.prefix(5))
    #expect(result(.zeros) == [1, 1] + [UInt8](repeating: 0, count: 1200))
    #expect(result(.older(0)) == [1, 1] + [UInt8](repeating: 3, count: 598) + [UInt8](repeating: 0, count: 602))
    #expect(result(.noise(1)).count == 1202)
    // The second sector alone: the first is a hole.
    let second = result(.sectors(0b010))
    #expect(second[2..<512].allSatisfy { $0 == 0 })
    #expect(second[512..<1024].allSatisfy { $0 == 7 })
    #expect(second.count == 1024)
    #expect(result(.sectors(0b010 | 1 << 63)).count == 1202)
  }

  @Test func aFailedSynchronizationThatDropsIsNeverMadeGoodAgain() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let file = try process.open(path, for: .creating(like: []))
    try process.synchronizeFolder(SimulatedDisk.folder)
    try write([1], file)
    disk.faults = [DiskFault(call: disk.calls, kind: .dropOnSync(EIO))]
    #expect(throws: FileFailure.self) { try file.synchronize() }
    disk.faults = []
    try file.synchronize()
    #expect(disk.files == [path: [1]])
    #expect(point(disk).image(Fates(changes: [], names: [])).files == [path: []])
  }

  @Test func aDeadProcessDoesNothingAndHoldsNothing() throws {
    let disk = SimulatedDisk()
    let process = SimulatedProcess(disk)
    let file = try process.open(path, for: .creatingLock(like: []))
    #expect(try file.lock())
    let other = try SimulatedProcess(disk).open(path, for: .updating)
    #expect(try !other.lock())
    process.kill()
    #expect(throws: FileFailure.self) { try write([1], file) }
    #expect(throws: FileFailure.self) { _ = try process.open(path, for: .reading) }
    #expect(try other.lock())
  }
}
