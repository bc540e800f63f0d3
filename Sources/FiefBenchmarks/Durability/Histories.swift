import Fief
import FiefDurability
import Foundation

// Versions that are kept in the file.

extension Workload {
  static let histories = [
    Workload(
      "history_reopened",
      "A file of N/10 persons keeps 1000 versions before its snapshot. It is opened, and the changes since the first "
        + "of them are asked for. One op is a version.",
      modes: [.disk]
    ) { run in
      try withStore { path in
        var configuration = Realm.benchmarkConfiguration(path, .relaxed)
        configuration.history = .versions(versionCount)
        let choices = Random.numbers(versionCount, below: run.tenth, seed: 7)
        try write(choices, of: run.tenth, to: configuration)
        try expect(try StoreFile.info(path).historyVersions, versionCount, as: "versions in the history")
        try run.time {
          let realm = try Realm(configuration: configuration)
          let changes = realm.changes(since: realm.version - UInt64(versionCount))
          try expect(changes["Person"]?.modifications.count ?? 0, Set(choices).count, as: "changed persons")
          return versionCount
        }
      }
    }
  ]

  private static let versionCount = 1000

  /// Makes a file of persons, changes their ages with one write for each choice, and writes a snapshot.
  private static func write(_ choices: [Int], of count: Int, to configuration: Realm.Configuration) throws {
    let realm = try Realm(configuration: configuration)
    let persons = try realm.addPersons(count)
    for (turn, choice) in choices.enumerated() { try realm.write { persons[choice].age = 1000 + turn } }
    try realm.compact()
  }
}
