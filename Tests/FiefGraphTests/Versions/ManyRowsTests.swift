import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Deltas with many new rows, whose backlinks, primary keys and index entries are made together.
struct ManyRowsTests {
  /// Rows with a key of some type, an index and links of each shape to each other.
  private struct Crowd {
    let table: TableKey
    let link: ColumnKey
    let list: ColumnKey
    let set: ColumnKey
    let map: ColumnKey
    let any: ColumnKey
    let word: ColumnKey
    let key: @Sendable (Int) -> Value

    init(_ transaction: Transaction, _ keys: ColumnType?, _ key: @escaping @Sendable (Int) -> Value) throws {
      let table = try transaction.addTable("Row")
      func column(_ name: String, _ shape: ColumnShape) throws -> ColumnKey {
        try transaction.addColumn(to: table, name, .link(to: table, shape: shape))
      }
      (link, list) = (try column("link", .single), try column("list", .list))
      (set, map) = (try column("set", .set), try column("map", .dictionary))
      any = try transaction.addColumn(to: table, "any", ColumnType(.any))
      word = try transaction.addColumn(to: table, "word", ColumnType(.string))
      try transaction.addIndex(IndexDefinition([word]), to: table)
      if let keys { try transaction.setPrimaryKey(try transaction.addColumn(to: table, "key", keys), of: table) }
      (self.table, self.key) = (table, key)
    }

    /// Adds rows, and links some of them to any row.
    func add(_ count: Int, to transaction: Transaction, _ random: inout SeededRandom) throws {
      let hasKeys = transaction.graph[table]?.schema.primaryKey != nil
      let first = Int(transaction.graph[table]?.nextKey ?? 0)
      for number in first..<first + count {
        let word = "word \(random.below(count / 3))"
        try transaction.create(in: table, primaryKey: hasKeys ? key(number) : nil) { try $0.set(word, self.word) }
      }
      // All links of a column to few rows, or to the rows in their order, are other blocks than scattered ones.
      let few = random.below(3) == 0 ? 5 : first + count
      for number in first..<first + count where random.below(4) > 0 {
        func cell(_ column: ColumnKey) -> Cell { Cell(table, ObjectKey(Int64(number)), column) }
        let row = ObjectLink(table, ObjectKey(Int64(random.below(few))))
        guard transaction.contains(row) else { continue }
        let target = Value.link(row)
        try transaction.set(target, cell(link))
        switch random.below(5) {
        case 0: for _ in 0..<2 { try transaction.append(target, toList: cell(list)) }
        case 1: try transaction.insert(target, inSet: cell(set))
        case 2: try transaction.set(target, forKey: "a", inDictionary: cell(map))
        case 3: try transaction.set(target, cell(any))
        default: break
        }
      }
    }

    func check(_ graph: Graph, equals original: Graph) throws {
      #expect(graph == original)
      #expect(graph.checkInvariants() == [])
      let (rows, others) = (try #require(graph[table]), try #require(original[table]))
      for number in 0..<others.nextKey where others.contains(ObjectKey(number)) {
        let found = rows.find(primaryKey: key(Int(number)))
        #expect(found == (others.schema.primaryKey == nil ? nil : ObjectKey(number)))
        for column in [link, list, set, map, any] {
          let counts = [rows, others].map { $0.backlinks(to: ObjectKey(number), from: table, column)?.count }
          #expect(counts[0] == counts[1])
        }
      }
    }
  }

  private static let types: [(String, ColumnType?, @Sendable (Int) -> Value)] = [
    ("no keys", nil, { .int(Int64($0)) }),
    ("integers", ColumnType(.int), { .int(Int64($0 &* 0x9E37_79B9 & 0xFFFF_FFFF)) }),
    ("consecutive integers", ColumnType(.int), { .int(Int64($0)) }),
    ("strings", ColumnType(.string), { .string("a key that is longer than fifteen bytes \($0)") }),
    ("optional strings", ColumnType(.string, isOptional: true), { $0 == 77 ? .null : .string("\($0)") }),
  ]

  @Test(arguments: types.indices, Seeds.first(2)) func manyRowsEqualThoseMadeOneByOne(type: Int, seed: Seed) throws {
    var random = seed.random
    let transaction = Transaction(.empty)
    let crowd = try Crowd(transaction, Self.types[type].1, Self.types[type].2)
    try crowd.add(1500, to: transaction, &random)
    let first = transaction.graph
    let opened = try Graph.empty.applying(Delta(from: .empty, to: first))
    try crowd.check(opened, equals: first)
    // Then changed, with rows that come to those which are there.
    try transaction.delete((0..<300).map { _ in ObjectLink(crowd.table, ObjectKey(Int64(random.below(1500)))) })
    try crowd.add(1200, to: transaction, &random)
    try crowd.check(try opened.applying(Delta(from: first, to: transaction.graph)), equals: transaction.graph)
    try crowd.check(try Graph.empty.applying(Delta(from: .empty, to: transaction.graph)), equals: transaction.graph)
  }

  /// So many keys are indexed on several threads, and then more beside them.
  @Test func veryManyKeys() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    try transaction.setPrimaryKey(try transaction.addColumn(to: table, "key", ColumnType(.int)), of: table)
    var versions = [Graph.empty]
    for range in [0..<10, 10..<20_000, 20_000..<40_000] {
      for number in range { try transaction.create(in: table, primaryKey: .int(Int64(number * 3))) }
      versions.append(transaction.graph)
    }
    var graph = Graph.empty
    for (old, new) in zip(versions, versions.dropFirst()) {
      graph = try graph.applying(Delta(from: old, to: new))
      #expect(graph.checkInvariants() == [])
    }
    #expect((0..<40_000).allSatisfy { graph[table]?.find(primaryKey: .int(Int64($0 * 3))) == ObjectKey(Int64($0)) })
    #expect(graph[table]?.find(primaryKey: .int(1)) == nil)
    // A key that is there twice: once among the new rows, and once beside old ones.
    var delta = Delta(from: .empty, to: graph)
    delta.tables[0].inserted[150].rows = delta.tables[0].inserted[20].rows
    #expect(Self.message(delta, .empty)?.contains("'key' \(20 * 256 * 3)") == true)
    var more = Delta(from: versions[2], to: versions[3])
    more.tables[0].inserted[70].rows = delta.tables[0].inserted[20].rows
    #expect(Self.message(more, versions[2])?.contains("'key' \(20 * 256 * 3)") == true)
  }

  private static let indexed: [(String, ColumnType, @Sendable (inout SeededRandom) -> Value)] = [
    ("few words", ColumnType(.string), { .string("word \($0.below(40))") }),
    ("short strings", ColumnType(.string, isOptional: true), { $0.below(9) == 0 ? .null : .string(letters(3, &$0)) }),
    ("strings with zeros", ColumnType(.string), { .string("ab" + letters(14, &$0)) }),
    ("strings of many lengths", ColumnType(.string), { .string("a common beginning of " + letters(30, &$0)) }),
    ("one string", ColumnType(.string, isOptional: true), { $0.below(2) == 0 ? .null : .string("one for every row") }),
    ("integers", ColumnType(.int, isOptional: true), { $0.below(9) == 0 ? .null : .int(Int64($0.below(5000)) - 2500) }),
    ("large integers", ColumnType(.int), { [.int(.min), .int(.max), .int(Int64($0.below(Int.max)))][$0.below(3)] }),
    ("booleans", ColumnType(.bool, isOptional: true), { [.null, .bool(false), .bool(true)][$0.below(3)] }),
    ("dates", ColumnType(.date), { .date(Timestamp(seconds: Int64($0.below(50)), nanoseconds: 0)) }),
  ]

  /// At most `count` characters, few of which are frequent.
  private static func letters(_ count: Int, _ random: inout SeededRandom) -> String {
    String((0..<random.below(count + 1)).map { _ in ["a", "a", "a", "b", "\0", "ü", "\u{1F415}"][random.below(7)] })
  }

  /// The rows of an index are sorted by numbers, many of them on several threads. Its invariants compare them with rows
  /// that are sorted by their values.
  @Test(arguments: indexed.indices, [300, 20_000]) func indexesOfManyRows(type: Int, count: Int) throws {
    var random = Seed(UInt64(type)).random
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let column = try transaction.addColumn(to: table, "value", Self.indexed[type].1)
    let rows = try (0..<count).map { _ in
      let value = Self.indexed[type].2(&random)
      return ObjectLink(table, try transaction.create(in: table) { try $0.set(value, column) })
    }
    try transaction.delete(rows.filter { $0.key.rawValue % 7 == 3 })
    let definition = IndexDefinition([column])
    try transaction.addIndex(definition, to: table)
    let graph = try Graph.empty.applying(Delta(from: .empty, to: transaction.graph))
    #expect(graph.checkInvariants() == [])
    let found = try #require(graph[table])
    #expect(found.indexes[0].count == found.count)
    #expect(ColumnSort.sorts(found.schema, by: definition) == (Self.indexed[type].0 != "dates"))
    // It can be changed like one that was made row by row.
    let more = Transaction(graph)
    try more.delete(rows.filter { $0.key.rawValue % 7 == 1 })
    for _ in 0..<50 {
      let value = Self.indexed[type].2(&random)
      try more.create(in: table) { try $0.set(value, column) }
    }
    #expect(more.graph.checkInvariants() == [])
  }

  /// So many blocks of backlinks are made on several threads.
  @Test func veryManyLinks() throws {
    let transaction = Transaction(.empty)
    let table = try transaction.addTable("Row")
    let link = try transaction.addColumn(to: table, "link", .link(to: table))
    let count: Int64 = 40_000
    for _ in 0..<count { try transaction.create(in: table) }
    for number in 0..<count where number % 5 > 0 {
      let target = ObjectLink(table, ObjectKey(number * number % count))
      try transaction.set(.link(target), Cell(table, ObjectKey(number), link))
    }
    let original = transaction.graph
    let graph = try Graph.empty.applying(Delta(from: .empty, to: original))
    #expect(graph == original)
    #expect(graph.checkInvariants() == [])
    for number in 0..<count {
      let counts = [graph, original].map { $0[table]?.backlinks(to: ObjectKey(number), from: table, link)?.count }
      #expect(counts[0] == counts[1])
    }
  }

  /// The first link without a target is reported: that of the first cluster, column and row.
  @Test(arguments: Seeds.first(3)) func ofManyLinksTheFirstWithoutATargetIsReported(seed: Seed) throws {
    var random = seed.random
    let transaction = Transaction(.empty)
    let crowd = try Crowd(transaction, ColumnType(.int)) { .int(Int64($0)) }
    try crowd.add(1500, to: transaction, &random)
    let graph = transaction.graph
    let gone = 2 + random.below(3)
    var delta = Delta(from: .empty, to: graph)
    delta.tables[0].inserted.remove(at: gone)
    let rows = try #require(graph[crowd.table])
    var expected: String?
    let columns = [
      ("link", crowd.link), ("list", crowd.list), ("set", crowd.set), ("map", crowd.map), ("any", crowd.any),
    ]
    for chunk in 0..<(rows.nextKey + 255) >> 8 where chunk != gone {
      for ((name, column), number) in columns.flatMap({ column in
        (chunk << 8..<min((chunk + 1) << 8, rows.nextKey)).map { (column, $0) }
      }) where expected == nil {
        let values = graph.values(Cell(crowd.table, ObjectKey(number), column))
        guard values.contains(where: { $0.linked.map { $0.key.rawValue >> 8 == gone } ?? false }) else { continue }
        expected = "'Row.\(name)' of the object with the primary key \(number) links to an object that is not there"
      }
    }
    // Links to few rows may all have their targets.
    let message = Self.message(delta, .empty)
    #expect(expected.map { message?.contains($0) ?? false } ?? (message == nil), "\(message ?? "none")")
  }

  /// Rows beyond the keys that are gathered.
  @Test func linksOfVeryHighKeys() throws {
    let transaction = Transaction(.empty)
    var random = Seed(1).random
    let crowd = try Crowd(transaction, nil) { .int(Int64($0)) }
    try crowd.add(600, to: transaction, &random)
    var high = Delta(from: .empty, to: transaction.graph)
    high.tables[0].nextKey = 1 << 40
    let opened = try Graph.empty.applying(high)
    let more = Transaction(opened)
    let last = try more.create(in: crowd.table)
    try more.set(.link(ObjectLink(crowd.table, last)), Cell(crowd.table, last, crowd.link))
    try more.append(.link(ObjectLink(crowd.table, ObjectKey(3))), toList: Cell(crowd.table, last, crowd.list))
    try more.set(.link(ObjectLink(crowd.table, last)), Cell(crowd.table, ObjectKey(3), crowd.link))
    let both = try Graph.empty.applying(Delta(from: .empty, to: more.graph))
    #expect(both == more.graph)
    #expect(both.checkInvariants() == [])
    #expect(try opened.applying(Delta(from: opened, to: more.graph)).checkInvariants() == [])
  }

  private static func message(_ delta: Delta, _ graph: Graph) -> String? {
    do {
      _ = try graph.applying(delta)
      return nil
    } catch {
      return "\(error)"
    }
  }
}
