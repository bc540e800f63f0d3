import FiefDurability
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Dog: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
}

/// A machine that stops in the middle of an import in place, or a disk that fails there.
///
/// The name of the file leads to the untouched original, and then the next opening imports it; or it leads to the
/// imported store, and then the original stands beside it.
@Suite struct ImportCrashTests {
  /// The registry of open stores knows them by their paths, so each test has its own.
  private let path = "\(SimulatedDisk.folder)/crash-\(UUID().uuidString).realm"
  private static let sample = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("FiefRealmFilesTests/Files/small.realm")

  private let original: [UInt8]
  private let lock: [UInt8]
  private let files: [String: [UInt8]]

  init() throws {
    original = Array(try Data(contentsOf: Self.sample))
    // Realm's lock file has the name of ours.
    lock = [1, 40, 48, 0, 24, 2, 10, 0] + [UInt8](repeating: 0, count: 1720)
    files = [path: original, path + ".lock": lock]
  }

  /// Opens the file, which imports it if it was not imported yet.
  ///
  /// - Returns: how many dogs there are.
  private func open(_ system: any FileSystem) throws -> Int {
    // The properties that the class lacks are removed by a migration.
    var configuration = Realm.Configuration(
      fileURL: URL(fileURLWithPath: path), schemaVersion: 4, objectTypes: [Dog.self])
    configuration.importsRealmFiles = true
    configuration.fileSystem = system
    return try Realm(configuration: configuration).objects(Dog.self).count
  }

  private enum State: Hashable { case original, imported }

  /// What a disk shows, if it is one of the two states; else a record of what is wrong.
  private func state(of disk: SimulatedDisk, _ place: @autoclosure () -> String) throws -> State? {
    let found = disk.files
    if found[path] == original { return .original }
    guard found[path] != nil else {
      Issue.record("\(place()): the name leads to no file")
      return nil
    }
    let process = SimulatedProcess(disk, number: 7)
    defer { process.kill() }
    let graph = try StoreFile.read(path, on: process).graph
    #expect(graph.table(named: "Dog")?.count == 30 && graph.checkInvariants() == [], "\(place())")
    let isKept = found.contains { $0.key.hasPrefix(path + ".original") && $0.value == original }
    #expect(isKept, "\(place()): the original is gone")
    return .imported
  }

  @Test(arguments: [false, true])
  func aCrashAtAnyCallLeavesTheOriginalOrTheImportedStore(withoutSecondNames isCopying: Bool) throws {
    let disk = SimulatedDisk(files: files)
    let before = disk.events.count
    let process = SimulatedProcess(disk)
    #expect(try open(isCopying ? SystemWithoutSecondNames(system: process) : process) == 30)
    process.kill()
    let events = disk.events
    var (point, tried, states) = (CrashPoint(), 0, [State: Int]())
    var random = Effort.firstSeed.random
    for (number, event) in events.enumerated() {
      point.advance(event)
      if number < before { continue }
      var drawing = random.split()
      try point.forEachFates(limit: Effort.of(debug: 3, release: 6), extra: 3, using: &drawing) { fates in
        tried += 1
        let image = point.image(fates, chance: random.next())
        let place = "event \(number), \(fates)"
        guard let state = try state(of: image, place) else { return }
        states[state, default: 0] += 1
        // The next opening imports, or finds the store.
        guard tried % Effort.of(debug: 20, release: 5, night: 1) == 0 else { return }
        let next = SimulatedProcess(image, number: 2)
        #expect(try open(next) == 30, "\(place)")
        next.kill()
        #expect(try self.state(of: image, "\(place), opened again") == .imported)
      }
    }
    #expect(tried > 50 && states.count == 2, "\(tried): \(states)")
  }

  @Test(
    arguments: [
      .refuse(EIO), .refuse(ENOSPC), .refuse(EINTR), .lie(EIO), .dropOnSync(EIO), .refuseAfter(ENOSPC, bytes: 100),
      .short(7),
    ] as [DiskFault.Kind])
  func aDiskThatFailsAtAnyCallLeavesTheOriginalOrTheImportedStore(_ kind: DiskFault.Kind) throws {
    var (call, errors, isDone) = (0, 0, false)
    while !isDone {
      let disk = SimulatedDisk(files: files)
      disk.faults = [DiskFault(call: call, kind: kind)]
      let process = SimulatedProcess(disk)
      do {
        #expect(try open(process) == 30)
      } catch let error as Realm.Error {
        errors += 1
        let isNamed = error.localizedDescription.contains(SimulatedDisk.folder)
        #expect(error.code != .fail && isNamed, "call \(call): \(error)")
      }
      process.kill()
      isDone = disk.calls <= call
      disk.faults = []
      let place = "call \(call)"
      _ = try state(of: disk, place)
      // The power fails as well.
      var point = CrashPoint()
      for event in disk.events { point.advance(event) }
      _ = try state(of: point.image(point.noFates), "\(place), and then the power failed")
      _ = try state(of: point.imageAfterKill(), place)
      if call.isMultiple(of: Effort.of(debug: 4, release: 1)) {
        let next = SimulatedProcess(disk, number: 2)
        #expect(try open(next) == 30, "\(place), opened again")
        next.kill()
        #expect(try state(of: disk, "\(place), opened again") == .imported)
      }
      call += Effort.of(debug: 2, release: 1)
    }
    let isHarmless = kind == .refuse(EINTR) || kind == .short(7)
    #expect(call > 20 && (errors > 0 || isHarmless), "\(call) calls, \(errors) errors")
  }

  @Test func anImportLeavesOnlyTheStoreAndTheOriginal() throws {
    for isCopying in [false, true] {
      let disk = SimulatedDisk(files: files)
      let process = SimulatedProcess(disk)
      #expect(try open(isCopying ? SystemWithoutSecondNames(system: process) : process) == 30)
      process.kill()
      let names = Set(disk.files.keys.map { String($0.dropFirst(path.count)) })
      #expect(names == ["", ".journal", ".lock", ".original"])
      // Realm's lock file was taken over.
      #expect(disk.files[path + ".lock"]?.starts(with: "fief ".utf8) == true)
    }
  }

  @Test func aCopyThatAnInterruptedImportLeftIsUsed() throws {
    var files = files
    files[path + ".original"] = original
    files[path + ".original.tmp"] = [1, 2, 3]
    let disk = SimulatedDisk(files: files)
    let process = SimulatedProcess(disk)
    #expect(try open(process) == 30)
    process.kill()
    #expect(disk.files[path + ".original-2"] == nil)
    #expect(disk.files[path + ".original.tmp"] == [1, 2, 3], "a file of others")
    #expect(disk.files[path + ".original"] == original)
  }
}

/// A file system that cannot give a file a second name.
private struct SystemWithoutSecondNames: FileSystem {
  let system: any FileSystem

  func link(_ path: String, as newPath: String) throws(FileFailure) { throw FileFailure(.link, at: newPath, EPERM) }
  func open(_ path: String, for purpose: OpenPurpose) throws(FileFailure) -> any OpenFile {
    try system.open(path, for: purpose)
  }
  func rename(_ path: String, to newPath: String) throws(FileFailure) { try system.rename(path, to: newPath) }
  func names(in path: String, beginningWith prefix: String) throws(FileFailure) -> [String] {
    try system.names(in: path, beginningWith: prefix)
  }
  func remove(_ path: String) throws(FileFailure) { try system.remove(path) }
  func synchronizeFolder(_ path: String) throws(FileFailure) { try system.synchronizeFolder(path) }
  func entry(at path: String) throws(FileFailure) -> FileEntry? { try system.entry(at: path) }
  func resolve(_ path: String) throws(FileFailure) -> String { try system.resolve(path) }
  func randomBits() -> UInt64 { system.randomBits() }
  func later(in milliseconds: Int, _ work: @escaping @Sendable () -> Void) { system.later(in: milliseconds, work) }
  var processIdentifier: Int32 { system.processIdentifier }
  var now: UInt64 { system.now }
}
