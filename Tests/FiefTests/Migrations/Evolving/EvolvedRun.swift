import Fief
import FiefTestSupport
import Foundation

/// An application that changes its classes, with a file, beside what the file must hold.
///
///     the file ──rehearse──▶ a report ──compare──▶ what must happen
///         ├──open as the seed of a realm in memory──▶ contents ─┐
///         └──open──▶ contents ───────────────────────────────────┴─equal──▶ contents that no migration has made
struct EvolvedRun {
  let url: URL
  /// The cipher of the files; nil for plain ones.
  let cipher: (any FileCipher)?
  private(set) var store = EvolvedStore()
  private(set) var version: UInt64 = 0
  /// How many migrations the product has carried out, and refused as it must.
  private(set) var migrated = 0
  private(set) var refused = 0
  /// The first version of the file and what it must hold, for a migration over all versions at once.
  private var first: (store: EvolvedStore, url: URL)?
  private var path = EvolvedPath()

  /// Makes a new file.
  init<Source: Choices>(
    _ url: URL, _ choices: inout Source, hasRareKinds: Bool = false, cipher: (any FileCipher)? = nil
  ) throws {
    self.url = url
    self.cipher = cipher
    store = try store.migrated(by: .first(&choices, hasRareKinds: hasRareKinds)).store
    try open { _ in }
    for _ in 0..<2 { try write(&choices) }
    let copy = url.deletingLastPathComponent().appendingPathComponent("first.realm")
    for suffix in ["", ".journal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
    }
    first = (store, copy)
  }

  private func configuration(_ schema: EvolvedSchema, _ version: UInt64, _ block: MigrationBlock?)
    -> Realm.Configuration
  {
    var configuration = Realm.Configuration(fileURL: url, schemaVersion: version, migrationBlock: block)
    configuration.dynamicSchema = schema.dynamic
    configuration.durability = .relaxed
    configuration.cipher = cipher
    return configuration
  }

  private func open(_ body: (Realm) throws -> Void) throws {
    let realm = try Realm(configuration: configuration(store.schema, version, nil))
    try body(realm)
  }

  /// Writes random objects.
  mutating func write<Source: Choices>(_ choices: inout Source) throws {
    var next = store
    try open { realm in
      try next.write(&choices, to: realm)
      try compare(realm, next, "after a write")
    }
    store = next
    first = nil
  }

  // MARK: Migrating

  /// Migrates the file to the next version of the application.
  mutating func migrate<Source: Choices>(_ choices: inout Source, hasRareKinds: Bool = false) throws {
    var drawn = store
    let step = EvolvedStep.draw(&choices, from: &drawn, hasRareKinds: hasRareKinds)
    var interim = drawn
    let expected: Result<EvolvedOutcome, EvolvedRefusal>
    do {
      expected = .success(try drawn.migrated(by: step) { interim = $0 })
    } catch EvolvedRefusal.tooMany {
      return
    } catch let refusal as EvolvedRefusal {
      expected = .failure(refusal)
    }
    do {
      try migrate(step, drawn, interim, expected)
    } catch {
      throw EvolvedFault("\(error)\nin a migration from\n\(store)\nby\n\(step)")
    }
    guard case .success(let outcome) = expected else { return }
    path.follow(step, outcome, from: store)
    store = outcome.store
    version += 1
    migrated += 1
  }

  private mutating func migrate(
    _ step: EvolvedStep, _ drawn: EvolvedStore, _ interim: EvolvedStore,
    _ expected: Result<EvolvedOutcome, EvolvedRefusal>
  ) throws {
    let reads = EvolvedReads()
    let configuration = configuration(step.schema, version + 1, step.block(from: drawn, interim, reads))
    let before = try bytes()
    let report = try Realm.rehearseMigration(configuration: configuration)
    guard try bytes() == before else { throw EvolvedFault("The rehearsal changed the file.") }
    guard case .success(let outcome) = expected else {
      refused += 1
      try check(report, expected)
      if (try? Realm(configuration: configuration)) != nil { throw EvolvedFault("The migration was not refused.") }
      guard try bytes() == before else { throw EvolvedFault("The refused migration changed the file.") }
      return try open { try compare($0, store, "after a refusal") }
    }
    try EvolvedReport(before: drawn, step: step, outcome: outcome, reads: reads.counts).check(report)
    var inMemory = Realm.Configuration.inMemory(seedFilePath: url)
    inMemory.dynamicSchema = configuration.dynamicSchema
    inMemory.schemaVersion = configuration.schemaVersion
    inMemory.migrationBlock = configuration.migrationBlock
    inMemory.cipher = cipher
    try compare(try Realm(configuration: inMemory), outcome.store, "in memory")
    guard try bytes() == before else { throw EvolvedFault("The migration in memory changed the file.") }
    do { try compare(try Realm(configuration: configuration), outcome.store, "in the file") }
    let problems = try Realm.verify(fileURL: url, cipher: cipher).problems
    if !problems.isEmpty { throw EvolvedFault("The file has problems: \(problems).") }
    // The same classes need no migration any more.
    var same = configuration
    same.migrationBlock = { _, _ in throw EvolvedFault("The block ran again.") }
    try compare(try Realm(configuration: same), outcome.store, "opened again")
    let difference = try Realm.schemaDifference(fileURL: url, to: step.schema.dynamic, cipher: cipher)
    if !difference.changes.allSatisfy({ !$0.needsMigration }) {
      throw EvolvedFault("The migrated file still differs from its classes.")
    }
  }

  /// Compares the report of a migration that is refused with the reason.
  private func check(_ report: MigrationReport, _ expected: Result<EvolvedOutcome, EvolvedRefusal>) throws {
    if report.failure == nil { throw EvolvedFault("The report does not fail: \(report)") }
    guard case .failure(.repetition(let repetitions)) = expected else { return }
    let found = report.duplicates.map {
      EvolvedRepetition(className: $0.className, names: $0.propertyNames, count: $0.count)
    }
    if found.sorted(by: { "\($0)" < "\($1)" }) != repetitions {
      throw EvolvedFault("The report has \(report.duplicates), and not \(repetitions).")
    }
  }

  private func bytes() throws -> [Data?] {
    ["", ".journal"].map { FileManager.default.contents(atPath: url.path + $0) }
  }

  private func compare(_ realm: Realm, _ store: EvolvedStore, _ when: String) throws {
    let expected = try store.realm()
    if let difference = Realm.difference(expected, realm) {
      throw EvolvedFault("The contents differ \(when): - expected, + found\n\(difference)")
    }
  }

  // MARK: All versions at once

  /// Migrates the first version of the file to the last one, if nothing was written in between.
  ///
  /// - Returns: whether it was done: one migration cannot follow every path.
  func migrateAtOnce() throws -> Bool {
    guard let first, migrated > 1, let block = path.block(from: first.store, to: store) else { return false }
    var configuration = configuration(store.schema, version, block)
    configuration.fileURL = first.url
    let report = try Realm.rehearseMigration(configuration: configuration)
    if let failure = report.failure { throw EvolvedFault("The migration of all versions at once fails: \(failure)") }
    try compare(try Realm(configuration: configuration), store, "after all versions at once")
    return true
  }
}
