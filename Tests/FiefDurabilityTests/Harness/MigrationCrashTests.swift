import FiefDurability
import FiefGraph
import FiefSessions
import FiefTestSupport
import Foundation
import Testing

/// A machine that stops in the middle of a migration: the file is that of before, or that of afterwards.
@Suite(.leavesNoFileOpen, .alsoEncrypted) struct MigrationCrashTests {
  private final class Client: StoreClient {
    func explain(_ error: any Error) -> any Error { error }
  }

  private static let path = "\(SimulatedDisk.folder)/migrated.realm"

  private static func column(
    _ name: String, _ type: ColumnType, _ target: String? = nil
  ) -> ColumnDeclaration {
    ColumnDeclaration(name, type, target: target)
  }

  private static func table(
    _ name: String, _ kind: TableKind, _ columns: [ColumnDeclaration], key: String? = nil
  ) -> TableDeclaration {
    TableDeclaration(name: name, kind: kind, columns: columns, primaryKey: key)
  }

  private static let first = [
    table("Person", .ordinary, [column("name", ColumnType(.string)), column("home", ColumnType(.link), "Home")]),
    table("Home", .ordinary, [column("street", ColumnType(.string)), column("size", ColumnType(.int))]),
  ]

  private static let second = [
    table(
      "Person", .ordinary,
      [
        column("name", ColumnType(.string)), column("home", ColumnType(.link), "Home"),
        column("age", ColumnType(.int, isOptional: true)),
      ], key: "name"),
    table("Home", .embedded, [column("street", ColumnType(.string)), column("size", ColumnType(.string))]),
  ]

  private static func open(_ system: any FileSystem, _ declarations: [TableDeclaration], _ version: UInt64) throws
    -> Store
  {
    var options = StoreOptions()
    options.fileSystem = system
    options.schemaVersion = version
    return try Store(.file(path), options) { stored in
      if !stored.isNew && stored.schemaVersion == version { return PreparedStore(Client(), changed: nil) }
      let transaction = Transaction(stored.graph)
      try SchemaLayout.prepare(declarations, transaction, defersKeys: true)
      if stored.isNew { try fill(transaction) } else { try compute(transaction) }
      _ = try SchemaLayout.complete(declarations, transaction)
      return PreparedStore(Client(), changed: transaction.successor)
    }
  }

  /// Persons who share homes.
  private static func fill(_ transaction: Transaction) throws {
    let (persons, homes) = (
      transaction.graph.table(named: "Person")!.schema, transaction.graph.table(named: "Home")!.schema
    )
    for number in 0..<40 {
      let home = try transaction.create(in: homes.key) { try $0.set("s\(number)", homes.column(named: "street")!.key) }
      for name in ["a", "b"] {
        let person = try transaction.create(in: persons.key) {
          try $0.set("\(name)\(number)", persons.column(named: "name")!.key)
        }
        try transaction.set(
          .link(ObjectLink(homes.key, home)), Cell(persons.key, person, persons.column(named: "home")!.key))
      }
    }
  }

  /// What a block would do.
  private static func compute(_ transaction: Transaction) throws {
    let persons = transaction.graph.table(named: "Person")!
    for key in 0..<persons.nextKey {
      try transaction.set(
        .int(key), Cell(persons.schema.key, ObjectKey(key), persons.schema.column(named: "age")!.key))
    }
  }

  @Test func aCrashAtAnyCallLeavesTheOldStateOrTheNewOne() throws {
    var tried = 0
    var found: Set<UInt64> = []
    try Seeds.run(count: Effort.of(debug: 2, release: 20)) { seed, random in
      let disk = SimulatedDisk(chance: seed.value)
      var process = SimulatedProcess(disk)
      let old = try Self.open(process, Self.first, 1).published.current
      process.kill()
      let before = disk.lock.withLock { disk.events.count }
      process = SimulatedProcess(disk, number: 2)
      let new = try Self.open(process, Self.second, 2).published.current
      process.kill()
      #expect(new.checkInvariants() == [] && new.table(named: "Home")?.count == 80 && old != new)
      var point = CrashPoint()
      for (number, event) in disk.lock.withLock({ disk.events }).enumerated() {
        point.advance(event)
        if number < before { continue }
        var drawing = random.split()
        try point.forEachFates(extra: 3, using: &drawing) { fates in
          tried += 1
          let image = SimulatedProcess(point.image(fates, chance: random.next()), number: 3)
          defer { image.kill() }
          let (file, stored) = try StoreFile.open(Self.path, on: image)
          found.insert(stored.userVersion)
          #expect(stored.graph == (stored.userVersion == 1 ? old : new), "\(seed), event \(number), \(fates)")
          withExtendedLifetime(file) {}
        }
      }
    }
    #expect(found == [1, 2] && tried > 50)
    Figures.report("G1, migrations: \(tried) crash images, seeds from \(Effort.firstSeed)")
  }

  @Test func aDiskThatFailsAtAnyCallLeavesTheOldStateOrTheNewOne() throws {
    var isDone = false
    var call = 0
    while !isDone {
      let disk = SimulatedDisk()
      var process = SimulatedProcess(disk)
      let old = try Self.open(process, Self.first, 1).published.current
      process.kill()
      process = SimulatedProcess(disk, number: 2)
      let count = disk.lock.withLock {
        disk.faults = [DiskFault(call: disk.calls + call, kind: .refuse(EIO))]
        return disk.calls
      }
      let new = try? Self.open(process, Self.second, 2).published.current
      isDone = disk.lock.withLock { disk.calls } <= count + call
      process.kill()
      disk.lock.withLock { disk.faults = [] }
      let image = SimulatedProcess(disk, number: 3)
      let (file, stored) = try StoreFile.open(Self.path, on: image)
      if stored.userVersion == 1 {
        #expect(stored.graph == old && new == nil, "call \(call)")
      } else {
        #expect(stored.graph.table(named: "Home")?.count == 80, "call \(call)")
        if let new { #expect(stored.graph == new) }
      }
      withExtendedLifetime(file) {}
      image.kill()
      call += 1
    }
    #expect(call > 5)
  }
}
