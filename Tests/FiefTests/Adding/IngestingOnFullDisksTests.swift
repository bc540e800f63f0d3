#if os(Linux) || os(macOS)
  import FiefTestSupport
  import Foundation
  import RealmSwift
  import Synchronization
  import Testing

  private class Event: AsymmetricObject {
    @Persisted(primaryKey: true) var id: Int
  }

  private class Photo: Object {
    @Persisted var bytes = Data()
  }

  /// The documents that a realm's handlers received, and the checks of them.
  private final class Handed: Sendable {
    private let all = Mutex<[[Int]]>([])
    private let came = DispatchSemaphore(value: 0)

    func note(_ documents: [IngestDocument]) {
      all.withLock { $0.append(documents.map { $0["id"] as? Int ?? -1 }) }
      came.signal()
    }

    /// The received documents, as soon as there are any.
    func take() -> [[Int]] {
      came.wait()
      return all.withLock { all in
        defer { all = [] }
        return all
      }
    }

    var isEmpty: Bool { all.withLock { $0.isEmpty } }
  }

  /// Keeps the files of this process from growing beyond a size; nil lets them grow again. To be called in processes of
  /// their own.
  private func limitFiles(to size: Int?) throws {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    #else
      let resource = RLIMIT_FSIZE
    #endif
    guard getrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
    limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
    guard setrlimit(resource, &limit) == 0 else { throw POSIXError(.EPERM) }
  }

  private func configuration(_ handed: Handed) -> Realm.Configuration {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("fief-\(UUID().uuidString).realm")
    var configuration = Realm.Configuration(fileURL: url, objectTypes: [Event.self, Photo.self])
    configuration.ingestHandler = { handed.note($0) }
    return configuration
  }

  private func expectFull(_ error: (any Error)?) throws {
    try #require((error as? Realm.Error)?.code == .outOfDiskSpace, "\(error as Any)")
  }

  @Suite struct IngestingOnFullDisksTests {
    @Test func aCommitThatTheDiskRefusesHandsNothingOverAndTheNextOnlyItsOwn() async {
      await #expect(processExitsWith: .success) {
        let handed = Handed()
        let configuration = configuration(handed)
        defer { _ = try? Realm.deleteFiles(for: configuration) }
        let realm = try Realm(configuration: configuration)
        let version = realm.version + 2
        try realm.write { realm.create(Event.self, value: ["id": 1]) }
        try #require(handed.take() == [[1]])
        // The document is removed by a commit of its own.
        let isRemoved = waits(until: {
          realm.refresh()
          return realm.version == version
        })
        try #require(isRemoved)
        try limitFiles(to: 1 << 16)
        for id in 2..<5 {
          do {
            try realm.write {
              realm.create(Event.self, value: ["id": id])
              realm.create(Photo.self, value: ["bytes": Data(count: 1 << 17)])
            }
            try expectFull(nil)
          } catch {
            try expectFull(error)
          }
        }
        try #require(realm.version == version && realm.isEmpty && !realm.isInWriteTransaction)
        // A write that fits succeeds, and only its documents are delivered.
        try realm.write {
          realm.create(Event.self, value: ["id": 5])
          realm.create(Photo.self)
        }
        try #require(handed.take() == [[5]])
        try limitFiles(to: nil)
        try realm.write {
          realm.create(Event.self, value: ["id": 6])
          realm.create(Photo.self, value: ["bytes": Data(count: 1 << 17)])
        }
        try #require(handed.take() == [[6]] && handed.isEmpty && realm.objects(Photo.self).count == 2)
      }
    }

    @Test func anAsynchronousCommitThatTheDiskRefusesHandsNothingOver() async {
      await #expect(processExitsWith: .success) {
        let handed = Handed()
        let configuration = configuration(handed)
        defer { _ = try? Realm.deleteFiles(for: configuration) }
        let queue = DispatchQueue(label: "writing")
        let realm = try queue.sync { UncheckedRealm(try Realm(configuration: configuration, queue: queue)) }
        try limitFiles(to: 1 << 16)
        let failure = await withCheckedContinuation { (ended: CheckedContinuation<(any Error)?, Never>) in
          queue.async {
            realm.value.writeAsync {
              realm.value.create(Event.self, value: ["id": 1])
              realm.value.create(Photo.self, value: ["bytes": Data(count: 1 << 17)])
            } onComplete: {
              ended.resume(returning: $0)
            }
          }
        }
        try expectFull(failure)
        let next = await withCheckedContinuation { (ended: CheckedContinuation<(any Error)?, Never>) in
          queue.async {
            realm.value.writeAsync {
              realm.value.create(Event.self, value: ["id": 2])
              realm.value.create(Photo.self)
            } onComplete: {
              ended.resume(returning: $0)
            }
          }
        }
        try #require(next == nil)
        try #require(handed.take() == [[2]] && handed.isEmpty)
      }
    }
  }

  private struct UncheckedRealm: @unchecked Sendable {
    let value: Realm

    init(_ value: Realm) { self.value = value }
  }
#endif
