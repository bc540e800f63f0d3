import FiefGraph
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
      // All of them are released with the realm.
      guard LiveNodes.count - start <= 0 else { exit(3) }
    }
  }
}
