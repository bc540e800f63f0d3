import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Damaged deltas: each is refused with a reason, and nothing changes.
struct HostileDeltaTests {
  let stage: DeltaStage
  let graph: Graph

  init() throws {
    stage = try DeltaStage()
    graph = stage.graph
  }

  /// Expects each of the deltas to be refused by a transaction with earlier changes.
  private func expectRefusals(
    _ deltas: KeyValuePairs<String, Delta>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withEvery("damage", in: deltas.map(\.key)) { name in
      let delta = try #require(deltas.first { $0.key == name }?.value)
      let transaction = Transaction(graph)
      try transaction.set("before", Cell(stage.rows, stage.second, stage.text))
      expectRefusal(.invalidDelta, transaction, sourceLocation: sourceLocation) { try transaction.apply(delta) }
      #expect(transaction.value(Cell(stage.rows, stage.second, stage.text)) == .string("before"))
      #expect(throws: GraphError.self) { try graph.applying(delta) }
    }
  }

  private func table(_ key: TableKey, _ change: (inout TableDelta) -> Void) -> Delta {
    var table = TableDelta(table: key, nextKey: graph[key]?.nextKey ?? 0)
    change(&table)
    return Delta(tables: [table])
  }

  private func update(_ table: TableKey, _ column: ColumnKey, _ key: Int64, _ changes: CellChange...) -> Delta {
    self.table(table) {
      $0.updated = [ColumnDelta(column: column, cells: changes.map { (ObjectKey(key), $0) })]
    }
  }

  private func update(_ column: ColumnKey, _ changes: CellChange...) -> Delta {
    table(stage.rows) { $0.updated = [ColumnDelta(column: column, cells: changes.map { (stage.first, $0) })] }
  }

  private func delete(_ table: TableKey, _ bits: Int..., chunk: Int64 = 0) -> Delta {
    self.table(table) {
      $0.deleted = [DeletedRows(chunk: chunk, rows: bits.reduce(Bitmap256()) { $0 | Bitmap256(bit: $1) })]
    }
  }

  private func splice(_ range: Range<Int>, _ values: Int64...) -> ListSplice {
    ListSplice(range: range, values: values.map(Value.int))
  }

  @Test func whatIsNotThere() throws {
    let (rows, small) = (stage.rows, stage.small)
    try expectRefusals([
      "a table": update(TableKey(rawValue: 77), small, 0, .value(.int(1))),
      "the last table": update(TableKey(rawValue: .max), small, 0, .value(.int(1))),
      "a table with nothing to say": table(TableKey(rawValue: 77)) { _ in },
      "a column": update(rows, ColumnKey(rawValue: 77), 0, .value(.int(1))),
      "the last column": update(rows, ColumnKey(rawValue: .max), 0, .value(.int(1))),
      "a row": update(rows, small, 2, .value(.int(1))),
      "a row of another chunk": update(rows, small, 256, .value(.int(1))),
      "the row before the first": update(rows, small, -1, .value(.int(1))),
      "the lowest row": update(rows, small, .min, .value(.int(1))),
      "the highest row": update(rows, small, .max, .value(.int(1))),
      "a row to delete": delete(rows, 2),
      "one of the rows to delete": delete(rows, 0, 1, 255),
      "no row to delete": delete(rows),
      "a chunk to delete": delete(rows, 0, chunk: 1),
      "a chunk before the first": delete(rows, 0, chunk: -1),
      "the lowest chunk": delete(rows, 0, chunk: .min),
      "the highest chunk": delete(rows, 0, chunk: .max),
      "a row deleted twice": table(rows) {
        $0.deleted = Array(repeating: DeletedRows(chunk: 0, rows: Bitmap256(bit: 1)), count: 2)
      },
      "a row deleted and changed": table(rows) {
        $0.deleted = [DeletedRows(chunk: 0, rows: Bitmap256(bit: 1))]
        $0.updated = [ColumnDelta(column: small, cells: [(stage.second, .value(.int(1)))])]
      },
    ])
  }

  @Test func valuesThatDoNotFit() throws {
    try expectRefusals([
      "a string for an integer": update(stage.small, .value(.string("1"))),
      "an integer for a double": update(stage.ratio, .value(.int(1))),
      "a boolean for an integer": update(stage.small, .value(.bool(true))),
      "null where it is required": update(stage.small, .value(.null)),
      "an integer out of width": update(stage.small, .value(.int(32768))),
      "a link for an integer": update(stage.small, .value(.link(ObjectLink(stage.rows, stage.first)))),
      "a null primary key": update(stage.keyed, stage.id, 0, .value(.null)),
      "a value for a list": update(stage.list, .value(.int(1))),
      "a list for a value": update(stage.small, .list([splice(0..<0, 1)])),
      "a set for a list": update(stage.list, .set(removed: [], inserted: [.int(1)])),
      "a dictionary for a set": update(stage.set, .dictionary(removed: [], set: [])),
      "a list for a dictionary": update(stage.map, .list([])),
      "a string in a list": update(stage.list, .list([ListSplice(range: 0..<0, values: [.string("")])])),
      "null in a list": update(stage.list, .list([ListSplice(range: 0..<0, values: [.int(1), .null])])),
      "null in a set": update(stage.set, .set(removed: [], inserted: [.null])),
      "a string in a set": update(stage.set, .set(removed: [], inserted: [.string("")])),
      "null in a dictionary": update(stage.map, .dictionary(removed: [], set: [.init(key: "a", value: .null)])),
      "one good and one bad": update(stage.small, .value(.int(5)), .value(.string(""))),
    ])
  }

  @Test func contentsThatAreOthers() throws {
    let anySet = stage.kennel.anySet
    try expectRefusals([
      "beyond the end": update(stage.list, .list([splice(4..<6)])),
      "from beyond the end": update(stage.list, .list([splice(6..<6, 1)])),
      "before the beginning": update(stage.list, .list([splice(-1..<1, 1)])),
      "far out": update(stage.list, .list([splice(Int.min..<Int.max, 1)])),
      "the last position": update(stage.list, .list([splice(Int.max..<Int.max, 1)])),
      "overlapping": update(stage.list, .list([splice(0..<3, 1), splice(2..<4, 1)])),
      "descending": update(stage.list, .list([splice(3..<4, 1), splice(0..<1, 1)])),
      "of an empty list": update(stage.rows, stage.list, 1, .list([splice(0..<1)])),
      "an element that is absent": update(stage.set, .set(removed: [.int(7)], inserted: [])),
      "an element of another type": update(stage.set, .set(removed: [.string("1")], inserted: [])),
      "an element removed twice": update(stage.set, .set(removed: [.int(1), .int(1)], inserted: [])),
      "an element of an empty set": update(stage.rows, stage.set, 1, .set(removed: [.int(1)], inserted: [])),
      "a null that is absent": update(stage.kennel.persons, anySet, 0, .set(removed: [.null], inserted: [])),
      "an element that is there": update(stage.set, .set(removed: [], inserted: [.int(1)])),
      "an element inserted twice": update(stage.set, .set(removed: [], inserted: [.int(9), .int(9)])),
      "a key that is absent": update(stage.map, .dictionary(removed: ["c"], set: [])),
      "a key removed twice": update(stage.map, .dictionary(removed: ["a", "a"], set: [])),
      "a key of an empty dictionary": update(stage.rows, stage.map, 1, .dictionary(removed: ["a"], set: [])),
    ])
  }

  @Test func valuesThatAreTaken() throws {
    try expectRefusals([
      "a primary key": update(stage.keyed, stage.id, 0, .value(.string("b"))),
      "a unique value": update(stage.keyed, stage.mail, 0, .value(.int(2))),
    ])
  }

  @Test func linksThatLeadNowhere() throws {
    let (persons, dogs) = (stage.kennel.persons, stage.kennel.dogs)
    func link(_ key: Int64) -> CellChange { .value(.link(ObjectLink(dogs, ObjectKey(key)))) }
    func anything(_ table: UInt32, _ key: Int64) -> Delta {
      update(
        persons, stage.kennel.any, 1, .value(.link(ObjectLink(TableKey(rawValue: table), ObjectKey(key)))))
    }
    try expectRefusals([
      "to no row": update(persons, stage.kennel.dog, 1, link(7)),
      "to a row of another chunk": update(persons, stage.kennel.dog, 1, link(700)),
      "to the highest row": update(persons, stage.kennel.dog, 1, link(.max)),
      "to a row before the first": update(persons, stage.kennel.dog, 1, link(-1)),
      "to the lowest row": update(persons, stage.kennel.dog, 1, link(.min)),
      "astray, and the true one taken back": update(persons, stage.kennel.dog, 0, link(-1), .value(.null)),
      "to another table": update(
        persons, stage.kennel.dog, 1, .value(.link(ObjectLink(stage.rows, stage.first)))),
      "anywhere": anything(77, 0),
      "to the last table": anything(.max, 0),
      "to no nested list": anything(0, 5),
      "in a list": update(
        persons, stage.kennel.dogList, 1,
        .list([ListSplice(range: 0..<0, values: [.link(ObjectLink(dogs, ObjectKey(-256)))])])),
      "in a set": update(
        persons, stage.kennel.pack, 1, .set(removed: [], inserted: [.link(ObjectLink(dogs, ObjectKey(9)))])),
      "in a dictionary": update(
        persons, stage.kennel.byName, 1,
        .dictionary(removed: [], set: [.init(key: "k", value: .link(ObjectLink(dogs, ObjectKey(9))))])),
      "to a row that goes": delete(dogs, 0),
      "to a row that goes, from an any-value": delete(stage.keyed, 0),
    ])
  }

  @Test func ownersThatAreNoneOrTwo() throws {
    let (persons, addresses) = (stage.kennel.persons, stage.kennel.addresses)
    func owning(_ key: Int64) -> CellChange { .value(.link(ObjectLink(addresses, ObjectKey(key)))) }
    var circle = update(persons, stage.kennel.home, 0, .value(.null))
    circle.tables += update(addresses, stage.kennel.inner, 1, owning(0)).tables
    var itself = update(persons, stage.kennel.homes, 1, .list([ListSplice(range: 0..<1, values: [])]))
    itself.tables += update(addresses, stage.kennel.inner, 2, owning(2)).tables
    try expectRefusals([
      "a second owner": update(persons, stage.kennel.home, 1, owning(0)),
      "a second owner among its own kind": update(addresses, stage.kennel.inner, 2, owning(1)),
      "the same owner twice": update(
        persons, stage.kennel.homes, 1,
        .list([ListSplice(range: 1..<1, values: [.link(ObjectLink(addresses, ObjectKey(2)))])])),
      "a second owner by an any-value": update(persons, stage.kennel.any, 1, owning(0)),
      "a second owner of a list": update(
        persons, stage.kennel.any, 1, .value(.link(ObjectLink(.nestedLists, stage.first)))),
      "a circle": circle,
      "a row that owns itself": itself,
      "no owner": update(persons, stage.kennel.home, 0, .value(.null)),
      "no owner, as it went": delete(persons, 1),
      "a list without owner": update(persons, stage.kennel.any, 0, .value(.null)),
      "an owned row that goes from its owner": delete(addresses, 2),
    ])
  }
}
