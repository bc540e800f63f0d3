import FiefGraph
import FiefRuntime
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private enum Before {
  class Hound: PastClass {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var toys: List<String>
  }
}

private enum After {
  class Hound: PastClass {
    @Persisted var callName = ""
    @Persisted var age = 0
    @Persisted var toys: List<String>
    @Persisted var isOld = false
  }
}

/// How many nodes a migration has at once. Each child process counts its own alone.
@Suite(.enabled(if: LiveNodes.areCounted)) struct MigrationMemoryTests {
  @Test func theNodesStayWithinTwiceThoseOfTheLargerSchema() async {
    await #expect(processExitsWith: .success) {
      let file = try Changing()
      try file.make([Before.Hound.self]) { realm in
        for number in 0..<5_000 {
          realm.create(Before.Hound.self, value: ["name": "n\(number)", "age": number % 20, "toys": ["a", "b"]])
        }
      }
      let start = LiveNodes.count
      let peak = Noted<Int>()
      do {
        var configuration = file.configuration([After.Hound.self], 1) { migration, _ in
          migration.renameProperty(onType: "Hound", from: "name", to: "callName")
          migration.enumerateObjects(ofType: "Hound") { old, new in
            new?["isOld"] = old?["age"] as? Int ?? 0 > 10
            new?["toys"] = ["c"]
          }
          peak.note(LiveNodes.count - start)
        }
        configuration.migrationProgress = { _ in peak.note(LiveNodes.count - start) }
        let realm = try Realm(configuration: configuration)
        let after = LiveNodes.count - start
        guard realm.objects(After.Hound.self).count == 5_000, after > 5_000 else { exit(1) }
        guard let most = peak.values.max(), most > after, most <= 2 * after + 100 else { exit(2) }
      }
      // All of them are released with the realm. A thread in the background may hold its files for a moment.
      guard waits(until: { LiveNodes.count <= start }) else { exit(3) }
    }
  }
}

#if os(Linux)
  /// How many bytes a migration takes, as the system counts them. Each child process counts its own alone.
  @Suite(.enabled(if: PeakMemory.isMeasurable)) struct MigrationBytesTests {
    @Test(arguments: [false, true])
    func theBytesStayWithinTwiceThoseOfTheLargerSchema(_ computes: Bool) async throws {
      let file = try Changing()
      try file.make([Before.Hound.self]) { realm in
        for number in 0..<Effort.of(debug: 100_000, release: 1_000_000) {
          realm.create(Before.Hound.self, value: ["name": "the hound \(number)", "age": number % 20])
        }
      }
      try file.open([Before.Hound.self]).compact()
      let path = file.url.path
      await #expect(processExitsWith: .success) { [path = path as String, computes = computes as Bool] in
        let configuration = Self.configuration(path, computes)
        try Self.note(try PeakMemory.growth { try Realm.performMigration(for: configuration) }, path + ".migrating")
      }
      await #expect(processExitsWith: .success) { [path = path as String] in
        let before = PeakMemory.now
        let realm = try Realm(configuration: Self.configuration(path, false))
        guard realm.objects(After.Hound.self).count > 20_000 else { exit(1) }
        try Self.note(PeakMemory.now - before, path + ".open")
      }
      let (migrating, open) = (try Self.noted(path + ".migrating"), try Self.noted(path + ".open"))
      #expect(open > 0 && migrating <= 2 * open + 4 << 20, "\(migrating) bytes, beside \(open)")
      Figures.report("migrating: \(migrating >> 10) KiB, open: \(open >> 10) KiB")
    }

    private static func configuration(_ path: String, _ computes: Bool) -> Realm.Configuration {
      let block: MigrationBlock = { migration, _ in
        migration.renameProperty(onType: "Hound", from: "name", to: "callName")
        if !computes { return }
        migration.enumerateObjects(ofType: "Hound") { old, new in new?["isOld"] = old?["age"] as? Int ?? 0 > 10 }
      }
      return Realm.Configuration(
        fileURL: URL(fileURLWithPath: path), schemaVersion: 1, migrationBlock: block, objectTypes: [After.Hound.self])
    }

    private static func note(_ number: Int, _ path: String) throws {
      try "\(number)".write(toFile: path, atomically: true, encoding: .utf8)
    }

    private static func noted(_ path: String) throws -> Int {
      try #require(Int(try String(contentsOfFile: path, encoding: .utf8)))
    }
  }
#endif
