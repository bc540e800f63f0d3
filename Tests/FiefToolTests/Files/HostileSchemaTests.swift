#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Fief
  import FiefDurability
  import FiefFuzzing
  import FiefGraph
  import FiefTestSupport
  import Foundation
  import Testing

  /// Files whose checksums are correct and whose schema says nonsense. Each is refused with a sentence, and stays as it
  /// was, whichever way it is read.
  @Suite struct HostileSchemaTests {
    /// What is wrong, and a word of the sentence.
    static let cases: [(name: String, word: String)] = [
      ("a control character in the name of a class", "control character \\u{7}"),
      ("an escape sequence in the name of a property", "control character \\u{1B}"),
      ("a line break in the name of a property", "control character \\u{A}"),
      ("a turn of direction in the name of a class", "control character \\u{202E}"),
      ("a class without a name", "no name"), ("a property without a name", "no name"),
      ("a class with a long name", "at most 255"), ("a property with a long name", "at most 255"),
      ("two classes of one name", "Two tables"), ("two properties of one name", "declared twice"),
      ("two properties of one key", "shares its key"), ("two classes of one key", "not in the schema"),
      ("10,000 properties", "at most 4096"), ("a link to a class that is not there", "not in the schema"),
      ("a link to the inside of any-values", "inside of any-values"),
      ("an embedded class with a primary key", "cannot have a primary key"),
      ("a primary key that is not there", "none of its columns"),
      ("a primary key of a wrong type", "cannot be a primary key"), ("a primary key that is a list", "a primary key"),
      ("an index over a property that is not there", "does not have"), ("an index twice", "same index twice"),
      ("an index without a property", "no column"), ("a set of embedded objects", "set cannot hold"),
      ("a key that is yet to be given out", "yet to be given out"), ("too many tables", "too many tables"),
      ("objects that own each other", "own"), ("embedded objects without an owner", "own"),
    ]

    @Test(arguments: cases.map(\.name), [false, true])
    func aFileWithANonsensicalSchemaIsRefusedAndStaysAsItWas(name: String, isInJournal: Bool) throws {
      let word = try #require(Self.cases.first { $0.name == name }?.word)
      try TemporaryFolder.with { folder in
        let file = try HostileFile(folder, name, isInJournal: isInJournal)
        let before = try file.bytes()
        var configuration = Realm.Configuration(fileURL: file.url, schemaVersion: 9)
        configuration.dynamicSchema = DynamicSchema([.init("Other", [.init("x", .int)])])
        var reset = configuration
        reset.deleteRealmIfMigrationNeeded = true
        let classes = Realm.Configuration(fileURL: file.url, objectTypes: [FileSchemaTests.Part.self])
        let ways: [(String, () throws -> Void)] = [
          ("opening", { _ = try Realm(configuration: classes) }),
          ("migrating", { _ = try Realm(configuration: configuration) }),
          ("emptying", { _ = try Realm(configuration: reset) }),
          ("dynamic opening", { _ = try Realm(fileURL: file.url, dynamic: true) }),
          ("read-only opening", { _ = try Realm(fileURL: file.url, dynamic: true, readOnly: true) }),
          ("rehearsing", { _ = try Realm.rehearseMigration(configuration: configuration) }),
          ("comparing", { _ = try Realm.schemaDifference(fileURL: file.url, to: DynamicSchema()) }),
          (
            "seeding",
            {
              _ = try Realm(configuration: .inMemory(objectTypes: [FileSchemaTests.Part.self], seedFilePath: file.url))
            }
          ),
        ]
        for (way, open) in ways {
          let error = #expect(throws: Realm.Error.self, "\(way)", performing: open)
          let text = error?.localizedDescription ?? ""
          #expect(text.contains(word) && text.isSafeToPrint, "\(way): \(text)")
          #expect(try file.bytes() == before, "\(way)")
        }
        for command in ["info", "schema", "verify"] {
          let outcome = try Program.run(command, file.url.path)
          #expect(outcome.status == 1, "\(command): \(outcome)")
          let text = outcome.output + outcome.complaints
          #expect(text.contains(word) && text.isSafeToPrint, "\(command): \(text)")
          #expect(try file.bytes() == before, "\(command)")
        }
      }
    }

    @Test func aFileWithASoundSchemaIsAccepted() throws {
      for isInJournal in [false, true] {
        try TemporaryFolder.with { folder in
          let file = try HostileFile(folder, "nothing", isInJournal: isInJournal)
          let realm = try Realm(fileURL: file.url, dynamic: true)
          #expect(realm.dynamicObjects("House").count == 2 && realm.schema["Room"]?.isEmbedded == true)
        }
      }
    }
  }

  /// A file with correct checksums, of which only the schema is wrong.
  private struct HostileFile {
    let url: URL

    init(_ folder: URL, _ name: String, isInJournal: Bool) throws {
      url = folder.appendingPathComponent("hostile.realm")
      let transaction = Transaction(.empty)
      let house = try transaction.addTable("House")
      let room = try transaction.addTable("Room")
      try transaction.addColumn(to: house, "id", ColumnType(.int))
      try transaction.addColumn(to: house, "name", ColumnType(.string))
      let rooms = try transaction.addColumn(to: house, "rooms", ColumnType(.link, shape: .list, target: room))
      let inner = try transaction.addColumn(to: room, "inner", ColumnType(.link, target: room))
      let part = try transaction.create(in: room)
      let first = try transaction.create(in: house)
      _ = try transaction.create(in: house)
      if name == "objects that own each other" {
        let other = try transaction.create(in: room)
        try transaction.set(.link(ObjectLink(room, other)), Cell(room, part, inner))
        try transaction.set(.link(ObjectLink(room, part)), Cell(room, other, inner))
      } else if name != "embedded objects without an owner" {
        try transaction.append(.link(ObjectLink(room, part)), toList: Cell(house, first, rooms))
      }
      let graph = transaction.successor
      let schema = Self.schema(name, graph.schema)
      let header = SnapshotHeader(
        store: UUID(), generation: isInJournal ? 1 : 0, version: graph.version, userVersion: 3)
      let snapshot = Snapshot.bytes(graph, header)
      guard !isInJournal else {
        var writer = JournalWriter(JournalHeader(store: header.store, generation: 1, base: header.version))
        var journal = writer.headerBytes
        journal += try writer.commit(Delta(schema: schema), userVersion: 3, durableTo: header.version)
        try Data(snapshot).write(to: url)
        try Data(journal + (try writer.seal())).write(to: URL(fileURLWithPath: url.path + ".journal"))
        return
      }
      let pieces = try snapshot.withUnsafeBytes { try Sealing.pieces(ofSnapshot: $0) }
      let forged = Self.replacing(DeltaCodec.encode(Delta(schema: schema)).dropFirst(8), in: pieces)
      try Data(forged.withUnsafeBytes { Sealing.snapshot($0, header) }).write(to: url)
    }

    /// The pieces with another schema in both copies. A piece is its kind, its length in seven bytes, and its contents.
    private static func replacing(_ schema: ArraySlice<UInt8>, in pieces: [UInt8]) -> [UInt8] {
      var forged: [UInt8] = []
      var rest = pieces[...]
      while rest.count >= 8 {
        let length = rest.dropFirst().prefix(7).reversed().reduce(0) { $0 << 8 | Int($1) }
        let (kind, contents) = (rest[rest.startIndex], rest.dropFirst(8).prefix(length))
        let used = kind == 1 || kind == 6 ? schema : contents
        forged.append(kind)
        forged += (0..<7).map { UInt8(truncatingIfNeeded: used.count >> (8 * $0)) }
        forged += used
        rest = rest.dropFirst(8 + length)
      }
      return forged
    }

    func bytes() throws -> [String: Data] {
      var bytes: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
      where !name.hasSuffix(".lock") {
        bytes[name] = try Data(contentsOf: url.deletingLastPathComponent().appendingPathComponent(name))
      }
      return bytes
    }

    // MARK: Schemas

    private static func schema(_ name: String, _ sound: FiefGraph.Schema) -> FiefGraph.Schema {
      var nextTable = sound.nextTable
      var tables = sound.tables
      let (house, room) = (tables[2], tables[3])
      func table(
        _ old: TableSchema, key: TableKey? = nil, name: String? = nil, kind: TableKind? = nil,
        columns: [Column]? = nil, primaryKey: UInt32? = nil, indexes: [IndexDefinition] = [], next: UInt32? = nil
      ) -> TableSchema {
        TableSchema(
          key: key ?? old.key, name: name ?? old.name, kind: kind ?? old.kind, columns: columns ?? old.columns,
          primaryKey: primaryKey.map(ColumnKey.init(rawValue:)), indexes: indexes, nextColumn: next ?? old.nextColumn)
      }
      func renamed(_ name: String) -> [Column] {
        house.columns.enumerated().map { number, column in
          Column(key: column.key, name: number == 1 ? name : column.name, type: column.type)
        }
      }
      func with(_ column: Column) -> [Column] { house.columns + [column] }
      func column(_ key: UInt32, _ name: String, _ type: ColumnType) -> Column {
        Column(key: ColumnKey(rawValue: key), name: name, type: type)
      }
      let keys = house.columns.map { $0.key }
      tables[3] = table(room, kind: .embedded)
      switch name {
      case "a control character in the name of a class": tables[2] = table(house, name: "Ho\u{7}use")
      case "an escape sequence in the name of a property":
        tables[2] = table(house, columns: renamed("\u{1B}[31mname"))
      case "a line break in the name of a property": tables[2] = table(house, columns: renamed("a\nb"))
      case "a turn of direction in the name of a class": tables[2] = table(house, name: "Ho\u{202E}use")
      case "a class without a name": tables[2] = table(house, name: "")
      case "a property without a name": tables[2] = table(house, columns: renamed(""))
      case "a class with a long name": tables[2] = table(house, name: String(repeating: "h", count: 256))
      case "a property with a long name": tables[2] = table(house, columns: renamed(String(repeating: "n", count: 256)))
      case "two classes of one name": tables[2] = table(house, name: "Room")
      case "two properties of one name": tables[2] = table(house, columns: renamed("id"))
      case "two properties of one key":
        tables[2] = table(house, columns: with(column(0, "again", ColumnType(.int))))
      case "two classes of one key": tables[3] = table(room, key: house.key)
      case "10,000 properties":
        tables[2] = table(
          house, columns: house.columns + (3..<10_000).map { column($0, "p\($0)", ColumnType(.int)) }, next: 10_000)
      case "a link to a class that is not there":
        tables[2] = table(
          house, columns: with(column(3, "gone", ColumnType(.link, target: TableKey(rawValue: 3000)))), next: 4)
      case "a link to the inside of any-values":
        tables[2] = table(house, columns: with(column(3, "nest", ColumnType(.link, target: .nestedLists))), next: 4)
      case "an embedded class with a primary key":
        tables[3] = table(
          room, kind: .embedded, columns: room.columns + [column(1, "id", ColumnType(.int))], primaryKey: 1, next: 2)
      case "a primary key that is not there": tables[2] = table(house, primaryKey: 77)
      case "a primary key of a wrong type":
        tables[2] = table(house, columns: with(column(3, "ratio", ColumnType(.double))), primaryKey: 3, next: 4)
      case "a primary key that is a list": tables[2] = table(house, primaryKey: 2)
      case "an index over a property that is not there":
        tables[2] = table(house, indexes: [IndexDefinition([ColumnKey(rawValue: 55)])])
      case "an index twice":
        tables[2] = table(house, indexes: [IndexDefinition([keys[0]]), IndexDefinition([keys[0]])])
      case "an index without a property": tables[2] = table(house, indexes: [IndexDefinition([])])
      case "a set of embedded objects":
        tables[2] = table(
          house, columns: with(column(3, "set", ColumnType(.link, shape: .set, target: room.key))), next: 4)
      case "a key that is yet to be given out": nextTable = 3
      case "too many tables": nextTable = .max - 1
      default: break
      }
      return FiefGraph.Schema(tables: tables, nextTable: nextTable)
    }
  }
#endif
