import FiefGraph
import FiefRealmFileSamples
import FiefRealmFiles
import FiefValues
import Foundation
import Testing

private typealias Column = RealmFileWriter.Column

/// Forms that no sample has: those of older versions, and rare ones. The files are written by hand.
@Suite struct FormsTests {
  private static let nullable: Int64 = 16, list: Int64 = 32, dictionary: Int64 = 64

  /// A file of one class `A`, with one cluster.
  private func file(
    _ columns: [Column], count: Int, format: UInt8 = 24, name: String = "class_A", primaryKey: Int? = nil,
    kind: Int64? = 0, enumerations: (inout RealmFileWriter) -> [Int64] = { _ in [] },
    _ leaves: (inout RealmFileWriter) -> [Int64]
  ) throws -> RealmFile {
    var writer = RealmFileWriter(format: format)
    let columnLeaves = leaves(&writer)
    let rows = writer.refs([writer.tagged(Int64(count))] + columnLeaves)
    let enumerations = enumerations(&writer)
    let table = writer.table(
      key: 3, columns, rows: rows, primaryKey: primaryKey, kind: kind, enumerations: enumerations)
    let file = try RealmFile(writer.finish(top: writer.group([(name, table)])))
    #expect(file.graph.checkInvariants() == [])
    return file
  }

  private func values(_ file: RealmFile, _ column: UInt32 = 0, table: String = "A") -> [Value] {
    guard let table = file.graph.table(named: table) else { return [] }
    return (0..<table.count).compactMap {
      file.graph.value(Cell(table.schema.key, ObjectKey(Int64($0)), ColumnKey(rawValue: column)))
    }
  }

  private func elements(_ file: RealmFile, row: Int64 = 0) -> [Value] {
    guard let table = file.graph.table(named: "A") else { return [] }
    let type = table.schema.columns[0].type
    guard let found = table.collection(ObjectKey(row), leaf: 0) else { return [] }
    return (0..<found.count).map { found.value(at: $0, as: type) }
  }

  @Test(arguments: [0, 1, 3, 15, 127, -128, 32767, -32768, 1 << 31 - 1, -1 << 31, .max, .min] as [Int64])
  func integersOfEveryWidth(_ edge: Int64) throws {
    let numbers = [0, edge, edge, 1]
    let file = try file([Column("n", 0)], count: 4) { [$0.integers(numbers)] }
    #expect(values(file) == numbers.map(Value.int))
    // The first integer stands for null.
    let optional = try self.file([Column("n", 0, Self.nullable)], count: 4) { [$0.integers([edge] + numbers)] }
    #expect(values(optional) == numbers.map { $0 == edge ? .null : .int($0) })
  }

  @Test func enumeratedStrings() throws {
    let file = try file(
      [Column("s", 2, Self.nullable)], count: 4, enumerations: { [$0.shortStrings(["red", nil, "blue"])] }
    ) { [$0.integers([2, 0, 1, 2])] }
    #expect(values(file) == [.string("blue"), .string("red"), .null, .string("blue")])
  }

  @Test func stringsWithoutWidthAreEmptyOrNull() throws {
    let required = try file([Column("s", 2)], count: 2) { [$0.shortStrings([nil, nil])] }
    #expect(values(required) == [.string(""), .string("")])
    let optional = try file([Column("s", 2, Self.nullable)], count: 2) { [$0.shortStrings([nil, nil])] }
    #expect(values(optional) == [.null, .null])
  }

  @Test func mediumStringsOfFilesWithoutNulls() throws {
    let file = try file([Column("s", 2)], count: 2) { writer in
      let parts = [
        writer.integers([3, 4]), writer.raw(Array("ab\0\0".utf8), count: 4, width: 1, scheme: .bytes),
      ]
      return [writer.refs(parts)]
    }
    #expect(values(file) == [.string("ab"), .string("")])
  }

  @Test func binaryDataOfSeveralNodes() throws {
    let file = try file([Column("d", 4, Self.nullable)], count: 2) { writer in
      let parts = [[1, 2, 3], [4, 5]].map { writer.raw($0, count: $0.count, width: 1, scheme: .bytes) }
      let whole = writer.refs(parts, isFlagged: true)
      return [writer.refs([whole, 0], isFlagged: true)]
    }
    #expect(values(file) == [.data(Data([1, 2, 3, 4, 5])), .null])
  }

  @Test func stringsThatAreNotUTF8AreRepairedAndCounted() throws {
    let file = try file([Column("s", 2)], count: 2) { writer in
      [writer.raw([0x61, 0xFF, 0, 1, 0xC3, 0xBC, 0, 1], count: 2, width: 4, scheme: .multiple)]
    }
    #expect(values(file) == [.string("a\u{FFFD}"), .string("ü")])
    #expect(file.report.repairedTexts == 1)
  }

  @Test func decimalsOfEveryWidth() throws {
    func decimals(_ width: Int, _ payload: [UInt8], isFlagged: Bool = false) throws -> [Value] {
      let count = width == 0 ? 2 : payload.count / width
      return values(
        try file([Column("m", 11, Self.nullable)], count: count) {
          [$0.raw(payload, count: count, width: width, scheme: .multiple, isFlagged: isFlagged)]
        })
    }
    #expect(try decimals(0, []) == [.null, .null])
    #expect(try decimals(0, [], isFlagged: true) == [.decimal("0"), .decimal("0")])
    #expect(
      try decimals(4, [15, 0, 0, 0xB2, 0xAA, 0, 0, 0x7C, 0, 0, 0, 0x78])
        == [.decimal(Decimal128(bitPatternHigh: 0xB03E_0000_0000_0000, low: 15)), .null, .decimal(.infinity)])
    #expect(
      try decimals(8, [15, 0, 0, 0, 0, 0, 0x80, 0x31, 0xAA, 0, 0, 0, 0, 0, 0, 0x7C])
        == [.decimal(Decimal128(bitPatternHigh: 0x303C_0000_0000_0000, low: 15)), .null])
  }

  @Test func momentsBefore1970() throws {
    let file = try file([Column("t", 8, Self.nullable)], count: 3) { writer in
      [writer.refs([writer.integers([-99, -2, 5, -99]), writer.integers([-250_000_000, 7, 0])])]
    }
    #expect(
      values(file) == [
        .date(Timestamp(seconds: -3, nanoseconds: 750_000_000)), .date(Timestamp(seconds: 5, nanoseconds: 7)), .null,
      ])
  }

  @Test func unresolvedLinksAreNullAndCounted() throws {
    var writer = RealmFileWriter()
    // A link to row 0, none, an unresolved one.
    let links = writer.integers([1, 0, -5])
    let lists = writer.integers([writer.integers([2, -9, 0]), 0, writer.integers([-3])], hasRefs: true)
    let backlinks = writer.integers([writer.integers([0, 0]), 0, 0], hasRefs: true)
    let rows = writer.refs([writer.tagged(3), links, lists, backlinks])
    let tombstones = writer.refs([writer.unsigned([UInt64(bitPattern: -8)])])
    let table = writer.table(
      key: 3,
      [
        Column("next", 12, Self.nullable, opposite: 3), Column("all", 12, Self.list, opposite: 3),
        Column("", 14, opposite: 3, oppositeColumn: Column("", 12, Self.nullable).key(0)),
      ], rows: rows, tombstones: tombstones)
    let file = try RealmFile(writer.finish(top: writer.group([("class_A", table)])))
    #expect(file.graph.checkInvariants() == [])
    #expect(values(file) == [.link(ObjectLink(TableKey(rawValue: 2), ObjectKey(0))), .null, .null])
    #expect(file.report.unresolvedLinks == 3)
    #expect(file.report.tombstones == 1)
    #expect(file.report.links == 3)
    // Row 0 is said to be linked to twice by `next`, and no row by `all`.
    #expect(file.report.disagreeingBacklinks == 2)
  }

  /// A file whose one row has backlinks from row 0, in leaves of zeros that take no bytes, below an inner node.
  private func fileWithBacklinks(leaves: Int, of count: Int) -> ContiguousArray<UInt8> {
    var writer = RealmFileWriter()
    let zeros = (0..<leaves).map { _ in writer.raw([], count: count, width: 0, scheme: .bits) }
    let total = writer.tagged(Int64(count * leaves))
    let tree = writer.refs([writer.tagged(Int64(count))] + zeros + [total], isInner: true)
    let next = Column("next", 12, Self.nullable, opposite: 3)
    let backlinks = Column("", 14, opposite: 3, oppositeColumn: next.key(0))
    let rows = writer.refs([writer.tagged(1), writer.integers([1]), writer.integers([tree], hasRefs: true)])
    return writer.finish(top: writer.group([("class_A", writer.table(key: 3, [next, backlinks], rows: rows))]))
  }

  @Test func leavesOfEqualBacklinksAreCountedAsAWhole() throws {
    #expect(try RealmFile.check(fileWithBacklinks(leaves: 1, of: 1)).disagreeingBacklinks == 0)
    #expect(try RealmFile.check(fileWithBacklinks(leaves: 2, of: 1)).disagreeingBacklinks == 1)
    // A debug build would visit them for minutes.
    #expect(try RealmFile.check(fileWithBacklinks(leaves: 50_000, of: 1 << 16)).disagreeingBacklinks == 1)
  }

  @Test func leavesOfTooManyBacklinksAreDamage() {
    let error = #expect(throws: RealmFileError.self) {
      try RealmFile.check(fileWithBacklinks(leaves: 2, of: (1 << 24) - 1))
    }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("a leaf announces 16777215 values") == true, "\(error as Any)")
  }

  /// A file of leaves of any-values, each with a string among 60,000 nulls that take no bytes.
  private func fileWithAnyStrings(leaves: Int) -> ContiguousArray<UInt8> {
    var writer = RealmFileWriter()
    let rows = writer.clusters(of: 256 * leaves) { writer, range in
      // The kind 0x63 is the first string of the node.
      let kinds = writer.integers(range.map { _ in 0x63 })
      let strings = writer.raw([], count: 60_000, width: 0, scheme: .bits, hasRefs: true, isFlagged: true)
      return [writer.refs([kinds, 0, 0, strings])]
    }
    return writer.finish(top: writer.group([("class_A", writer.table(key: 3, [Column("a", 6, 16)], rows: rows))]))
  }

  @Test func stringsOfAnyValuesThatTakeNoBytesAreCounted() throws {
    #expect(try RealmFile.check(fileWithAnyStrings(leaves: 2)).rows == 512)
    let error = #expect(throws: RealmFileError.self) { try RealmFile.check(fileWithAnyStrings(leaves: 200)) }
    #expect(error?.code == .unsupported, "\(error as Any)")
  }

  /// A tree of three leaves. The first child of an inner node has the offset 0, so its keys are whole ones.
  @Test func treesOfManyTombstonesAreCounted() throws {
    var writer = RealmFileWriter()
    let keys = (2...601).reversed().map { UInt64(bitPattern: -2 - $0 * $0) }
    var children: [Int64] = []
    for start in stride(from: 0, to: keys.count, by: 256) {
      let part = keys[start..<min(start + 256, keys.count)]
      children.append(writer.refs([writer.unsigned(part.map { start == 0 ? $0 : $0 - part[start] })]))
    }
    let offsets = writer.unsigned([0, keys[256], keys[512]])
    let tombstones = writer.refs([offsets, writer.tagged(1), writer.tagged(600)] + children, isInner: true)
    let rows = writer.refs([writer.tagged(2), writer.integers([-5, 0])])
    let table = writer.table(
      key: 3, [Column("next", 12, Self.nullable, opposite: 3)], rows: rows, tombstones: tombstones)
    let file = try RealmFile(writer.finish(top: writer.group([("class_A", table)])))
    #expect(values(file) == [.null, .null])
    #expect(file.report.tombstones == 600)
    #expect(file.report.unresolvedLinks == 1)
    #expect(file.report.rows == 2)
  }

  @Test(arguments: [[UInt64.max, 5], [5, .max], [7, 7]]) func keysOfRowsThatAreNegativeOrDoNotAscendAreDamage(
    _ keys: [UInt64]
  ) {
    var writer = RealmFileWriter()
    let rows = writer.refs([writer.unsigned(keys), writer.integers([1, 2])])
    let bytes = writer.finish(top: writer.group([("class_A", writer.table(key: 3, [Column("n", 0)], rows: rows))]))
    let error = #expect(throws: RealmFileError.self) { try RealmFile(bytes) }
    #expect(error?.code == .damaged)
    #expect(error?.place.table == "A")
  }

  /// Each leaf has an offset and keys above it; the sum is a number of 64 bits, too.
  @Test func keysBeyondTheLastAreDamage() {
    for (offset, key) in [(UInt64.max - 1, UInt64(2)), (.max, .max)] {
      var writer = RealmFileWriter()
      let children = [writer.refs([writer.unsigned([7])]), writer.refs([writer.unsigned([key])])]
      let offsets = writer.unsigned([0, offset])
      let tombstones = writer.refs([offsets, writer.tagged(1), writer.tagged(2)] + children, isInner: true)
      let rows = writer.refs([writer.tagged(0), writer.integers([])])
      let table = writer.table(key: 3, [Column("n", 0)], rows: rows, tombstones: tombstones)
      let error = #expect(throws: RealmFileError.self) {
        try RealmFile(writer.finish(top: writer.group([("class_A", table)])))
      }
      #expect(error?.code == .damaged)
    }
  }

  @Test func danglingLinksAreDamageWithAPlace() {
    let error = #expect(throws: RealmFileError.self) {
      try file([Column("next", 12, Self.nullable, opposite: 3)], count: 1) { [$0.integers([9])] }
    }
    #expect(error?.message.contains("'A.next'") == true, "\(error as Any)")
    #expect(error?.message.contains("object 8") == true, "\(error as Any)")
  }

  @Test func listsOfLinksAsVersion10HasThem() throws {
    let file = try file([Column("all", 13, Self.list, opposite: 3)], count: 2, format: 10, kind: nil) { writer in
      [writer.integers([0, writer.integers([1, 0, 1])], hasRefs: true)]
    }
    #expect(elements(file, row: 1).compactMap { $0.linked?.key.rawValue } == [1, 0, 1])
  }

  @Test func dictionariesAsVersion22HasThem() throws {
    let file = try file([Column("map", 2 << 16, Self.dictionary)], count: 1, format: 22) { writer in
      let values = writer.refs([writer.integers([5 << 8 | 1, 7 << 8 | 1]), 0, 0, 0])
      let map = writer.refs([writer.integers([77, 99]), writer.shortStrings(["b", "a"]), values])
      return [writer.integers([map], hasRefs: true)]
    }
    #expect(elements(file) == [.int(7), .int(5)])
  }

  /// Where hashes of keys collide, a third column has a list of them, which is not needed.
  @Test(arguments: [21, 22] as [UInt8]) func dictionariesWithCollisions(_ format: UInt8) throws {
    let file = try file([Column("map", 2 << 16, Self.dictionary)], count: 1, format: format) { writer in
      let values = writer.refs([writer.integers([5 << 8 | 1, 7 << 8 | 1]), 0, 0, 0])
      let collisions = writer.integers([writer.integers([77, 99]), 0], hasRefs: true)
      let map = writer.refs([writer.integers([77, 99]), writer.shortStrings(["b", "a"]), values, collisions])
      return [writer.integers([map], hasRefs: true)]
    }
    #expect(elements(file) == [.int(7), .int(5)])
  }

  /// Other versions sort strings in other ways.
  @Test(arguments: [21, 22, 23, 24] as [UInt8]) func setsInAnyOrder(_ format: UInt8) throws {
    let file = try file([Column("set", 2, 128)], count: 1, format: format) { writer in
      [writer.integers([writer.shortStrings(["b", "B", "a", "ä", "A"])], hasRefs: true)]
    }
    #expect(elements(file) == ["A", "B", "a", "b", "ä"].map(Value.string))
    #expect(file.report.mergedElements == 0)
  }

  @Test func elementsOfASetThatAreEqualHereAreLeftOutAndReported() throws {
    let file = try file([Column("set", 2, 128)], count: 1) { writer in
      // Neither of the first two is UTF-8, and both become the same character.
      let texts = writer.raw([0xFF, 0, 0xFE, 0, 0x61, 0], count: 3, width: 2, scheme: .multiple)
      return [writer.integers([texts], hasRefs: true)]
    }
    #expect(elements(file) == ["a", "\u{FFFD}"].map(Value.string))
    #expect(file.report.mergedElements == 1 && file.report.repairedTexts == 2)
  }

  @Test func dictionariesWithAKeyTwiceAreDamage() {
    let error = #expect(throws: RealmFileError.self) {
      try file([Column("map", 2 << 16, Self.dictionary)], count: 1) { writer in
        let values = writer.refs([writer.integers([1 << 8 | 1, 2 << 8 | 1, 3 << 8 | 1])])
        let keys = writer.shortStrings(["a key of the dictionary 1", "other", "a key of the dictionary 1"])
        return [writer.integers([writer.refs([keys, values])], hasRefs: true)]
      }
    }
    #expect(error?.message.contains("the key 'a key of the dictionary 1' twice") == true, "\(error as Any)")
  }

  @Test func rowsOfAsymmetricTablesAreKeptAndReported() throws {
    let file = try file([Column("id", 0)], count: 2, primaryKey: 0, kind: 2) { [$0.integers([4, 5])] }
    #expect(file.graph.table(named: "A")?.schema.kind == .asymmetric)
    #expect(values(file) == [.int(4), .int(5)])
    #expect(file.report.tables.map(\.isAsymmetric) == [true])
  }

  /// They would be hidden, and those of the outbox taken for documents that wait for their delivery.
  @Test(arguments: ["fief.outbox", "fief.other"]) func classesWithTheNamesOfAStoresOwnTablesAreRefused(name: String) {
    let error = #expect(throws: RealmFileError.self) {
      try file([Column("line", 2)], count: 1, name: "class_\(name)") { [$0.shortStrings(["a"])] }
    }
    #expect(error?.code == .unsupported && error?.message.contains("in '\(name)'") == true, "\(error as Any)")
  }

  @Test func tablesWithoutThePrefix() throws {
    let bare = try file([Column("n", 0)], count: 1, name: "A") { [$0.integers([1])] }
    #expect(bare.graph.table(named: "A")?.count == 1)
    var writer = RealmFileWriter()
    let rows = (0..<3).map { _ in writer.refs([writer.tagged(1), writer.integers([4])]) }
    let metadata = writer.metadata(key: 0, version: 12)
    let tables = rows.enumerated().map { writer.table(key: Int64($0 + 1), [Column("n", 0)], rows: $1) }
    let file = try RealmFile(
      writer.finish(
        top: writer.group([
          ("metadata", metadata), ("class_A", tables[0]), ("sync_meta", tables[1]), ("flx", tables[2]),
        ])))
    #expect(file.schemaVersion == 12)
    #expect(file.graph.schema.tables.dropFirst(2).map(\.name) == ["A"])
    #expect(file.report.otherTables == ["sync_meta", "flx"])
  }

  @Test func primaryKeysOfOlderFiles() throws {
    var writer = RealmFileWriter(format: 11)
    let rows = writer.refs([writer.tagged(2), writer.integers([4, 5])])
    let table = writer.table(key: 1, [Column("n", 0)], rows: rows, kind: nil)
    let names = writer.refs([writer.tagged(1), writer.shortStrings(["A"]), writer.shortStrings(["n"])])
    let keys = writer.table(key: 2, [Column("pk_table", 2), Column("pk_property", 2)], rows: names, kind: nil)
    let file = try RealmFile(writer.finish(top: writer.group([("class_A", table), ("pk", keys)])))
    #expect(file.graph.table(named: "A")?.find(primaryKey: .int(5)) == ObjectKey(1))
    #expect(file.report.otherTables == [])
  }

  @Test func primaryKeysThatAreThereTwiceAreDamage() {
    for (column, leaf) in [
      (Column("k", 0), { (writer: inout RealmFileWriter) in writer.integers([7, 3, 7]) }),
      (Column("k", 2), { (writer: inout RealmFileWriter) in writer.shortStrings(["a", "b", "a"]) }),
      (Column("k", 0, Self.nullable), { (writer: inout RealmFileWriter) in writer.integers([9, 9, 1, 9]) }),
    ] {
      let error = #expect(throws: RealmFileError.self) {
        try file([column], count: 3, primaryKey: 0) { [leaf(&$0)] }
      }
      #expect(error?.message.contains("two objects have the primary key") == true, "\(error as Any)")
    }
  }

  /// Far deeper than any stack.
  @Test func collectionsInAnyValuesOfAnyDepth() throws {
    let depth = 20_000
    let file = try file([Column("any", 6, Self.nullable)], count: 1) { writer in
      var leaf = writer.refs([writer.integers([42 << 8 | 1]), 0, 0, 0, 0, 0])
      for _ in 0..<depth {
        let refs = writer.refs([leaf])
        // A list: type 19, in part 4.
        leaf = writer.refs([writer.integers([4 << 5 | 20]), 0, 0, 0, refs, 0])
      }
      return [leaf]
    }
    #expect(file.graph[.nestedLists]?.count == depth)
  }

  @Test func keysWithGapsKeepTheirOrder() throws {
    var writer = RealmFileWriter()
    let clusters = [[Int64](0..<3), [900, 1 << 40]].map { keys in
      let numbers = writer.integers(keys)
      return writer.refs([writer.integers(keys.map { $0 - keys[0] + (keys[0] == 0 ? 0 : 900) }), numbers])
    }
    let rows = writer.refs(
      [writer.integers([0, 0]), writer.tagged(1), writer.tagged(5)] + clusters, isInner: true)
    let table = writer.table(key: 1, [Column("n", 0)], rows: rows)
    let file = try RealmFile(writer.finish(top: writer.group([("class_A", table)])))
    #expect(file.graph.checkInvariants() == [])
    let found = file.graph.table(named: "A")
    #expect(found?.count == 5)
    var numbers: [Int64] = []
    found?.rows.forEach { _, cluster in
      for slot in 0..<cluster.count { numbers.append(Int64.load(from: cluster[leaf: 0].values, at: slot)) }
      return true
    }
    #expect(numbers == [0, 1, 2, 900, 1 << 40])
  }

  @Test func aTableOfManyRows() throws {
    let count = 70_000
    var writer = RealmFileWriter()
    let rows = writer.clusters(of: count) { writer, range in
      [writer.shortStrings(range.map { "row \($0)" }), writer.integers(range.map { Int64($0) * 7 })]
    }
    let table = writer.table(key: 0, [Column("name", 2), Column("n", 0)], rows: rows, primaryKey: 1)
    let file = try RealmFile(writer.finish(top: writer.group([("class_A", table)])))
    #expect(file.report.rows == count)
    #expect(file.graph.table(named: "A")?.find(primaryKey: .int(69_999 * 7)) == ObjectKey(69_999))
  }
}
