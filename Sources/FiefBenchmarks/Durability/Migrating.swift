import Fief
import Foundation

// Files whose schema changes. Each measurement migrates a fresh copy of one file, from opening it to letting it go.

/// The dogs of an earlier version of the application.
private final class EarlierDog: Object {
  @Persisted var name: String
  @Persisted var age: Int
  override class func _realmObjectName() -> String? { "Hound" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// The dogs of the present version.
private final class LaterDog: Object {
  @Persisted var callName: String
  @Persisted var age: Int
  @Persisted var isOld: Bool
  override class func _realmObjectName() -> String? { "Hound" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

extension Workload {
  /// The workloads of migrations.
  static let migrating = [
    Workload(
      "migrate_rename",
      "A file of N dogs is migrated: one property is added, and another one renamed. One op is a dog.", modes: [.disk]
    ) { run in
      try measure(run) { migration, _ in
        migration.renameProperty(onType: "Hound", from: "name", to: "callName")
      } check: { dog, number in
        try expect(dog.callName, Dogs.names(number + 1)[number], as: "the name of dog \(number)")
        try expect(dog.isOld, false, as: "the new property of dog \(number)")
      }
    },
    Workload(
      "migrate_compute",
      "A file of N dogs is migrated, and a block computes a new property of each from an old one. One op is a dog.",
      modes: [.disk]
    ) { run in
      try measure(run) { migration, _ in
        migration.enumerateObjects(ofType: "Hound") { old, new in
          new?["isOld"] = old?["age"] as? Int ?? 0 > 10
        }
      } check: { dog, number in
        try expect(dog.isOld, Dogs.age(number) > 10, as: "the new property of dog \(number)")
      }
    },
  ]

  private static func measure(
    _ run: Run, _ block: @escaping MigrationBlock, check: (LaterDog, Int) throws -> Void
  ) throws {
    try withStore { path in
      let url = URL(fileURLWithPath: path)
      let target = URL(fileURLWithPath: path + ".migrated")
      do {
        let realm = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [EarlierDog.self]))
        let names = Dogs.names(run.n)
        try realm.write {
          for (number, name) in names.enumerated() {
            realm.create(EarlierDog.self, value: ["name": name, "age": Dogs.age(number)])
          }
        }
        try realm.compact()
      }
      let configuration = Realm.Configuration(
        fileURL: target, schemaVersion: 1, migrationBlock: block, objectTypes: [LaterDog.self])
      try run.time(fresh: {
        _ = try Realm.deleteFiles(for: configuration)
        for suffix in ["", ".journal"] {
          try FileManager.default.copyItem(
            at: URL(fileURLWithPath: url.path + suffix), to: URL(fileURLWithPath: target.path + suffix))
        }
      }) { _ in
        try Realm.performMigration(for: configuration)
        return run.n
      } check: { _ in
        let dogs = try Realm(configuration: configuration).objects(LaterDog.self)
        try expect(dogs.count, run.n, as: "dogs")
        try check(dogs[run.n - 1], run.n - 1)
      }
    }
  }
}
