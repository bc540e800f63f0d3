import FiefGraph
import FiefTestSupport
import Testing

/// Deltas with new rows that do not fit, and with invalid next keys.
struct HostileRowsTests {
  let stage: DeltaStage
  let graph: Graph

  init() throws {
    stage = try DeltaStage()
    graph = stage.graph
  }

  private func expectRefusals(
    _ deltas: KeyValuePairs<String, Delta>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try withEvery("damage", in: deltas.map(\.key)) { name in
      let delta = try #require(deltas.first { $0.key == name }?.value)
      let transaction = Transaction(graph)
      expectRefusal(.invalidDelta, transaction, sourceLocation: sourceLocation) { try transaction.apply(delta) }
      #expect(transaction.graph == graph, sourceLocation: sourceLocation)
    }
  }

  private func insert(_ table: TableKey, _ rows: Cluster, chunk: Int64 = 0, nextKey: Int64 = 1000) -> Delta {
    var delta = TableDelta(table: table, nextKey: nextKey)
    delta.inserted = [InsertedRows(chunk: chunk, rows: rows)]
    return Delta(tables: [delta])
  }

  /// The only cluster of a table after a change: rows of another graph.
  private func cluster(_ table: TableKey, _ change: (Transaction) throws -> Void) throws -> Cluster {
    try #require(try stage.changed(change)[table]?.rows[0])
  }

  /// So many clusters are checked on several threads.
  @Test func ofManyClustersTheFirstFaultIsReported() throws {
    let dogs = stage.kennel.dogs
    let sound = try cluster(dogs) { _ in }
    let faults = [try cluster(stage.rows) { _ in }, Cluster(leaves: [])]
    func delta(_ faulty: [Int: Cluster]) -> Delta {
      var table = TableDelta(table: dogs, nextKey: 1 << 20)
      table.inserted = (1...400).map {
        InsertedRows(chunk: Int64($0), rows: faulty[$0] ?? sound)
      }
      return Delta(tables: [table])
    }
    func message(_ faulty: [Int: Cluster]) -> String? {
      do {
        _ = try graph.applying(delta(faulty))
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(message([:]) == nil)
    let (a, b) = (try #require(message([150: faults[0]])), try #require(message([150: faults[1]])))
    #expect(a != b)
    #expect(message([150: faults[0], 300: faults[1]]) == a)
    #expect(message([1: faults[1], 2: faults[0], 400: faults[0]]) == b)
    #expect(message([399: faults[1], 400: faults[0]]) == b)
  }

  @Test func rowsOfAnotherForm() throws {
    let rows = stage.rows
    try expectRefusals([
      "another table's": insert(rows, try cluster(stage.kennel.dogs) { _ in }, chunk: 1),
      "a column less": insert(rows, try cluster(rows) { try $0.removeColumn(stage.map, of: rows) }, chunk: 1),
      "a column more": insert(rows, try cluster(rows) { try $0.addColumn(to: rows, "n", ColumnType(.int)) }, chunk: 1),
      "another type": insert(
        rows, try cluster(rows) { try $0.retype(stage.ratio, of: rows, to: ColumnType(.float)) }, chunk: 1),
      "other elements": insert(
        rows,
        try cluster(rows) {
          let list = try $0.retype(stage.list, of: rows, to: ColumnType(.any, shape: .list))
          try $0.append(.int(1), toList: stage.cell(list))
        }, chunk: 1),
      "a set for a list": insert(
        rows,
        try cluster(rows) {
          let set = try $0.retype(stage.list, of: rows, to: ColumnType(.int, shape: .set))
          try $0.insert(.int(1), inSet: stage.cell(set))
        }, chunk: 1),
      "null where it is required": insert(
        rows,
        try cluster(rows) {
          try $0.setOptional(true, column: stage.small, of: rows)
          try $0.set(.null, stage.cell(stage.small))
        }, chunk: 1),
      "null in a list": insert(
        rows,
        try cluster(rows) {
          let list = try $0.setOptional(true, column: stage.list, of: rows)
          try $0.append(.null, toList: stage.cell(list))
        }, chunk: 1),
      "null in a dictionary": insert(
        rows,
        try cluster(rows) {
          let map = try $0.setOptional(true, column: stage.map, of: rows)
          try $0.set(.null, forKey: "a", inDictionary: stage.cell(map))
        }, chunk: 1),
      "out of width": insert(
        rows,
        try cluster(rows) {
          let small = try $0.retype(stage.small, of: rows, to: ColumnType(.int))
          try $0.set(Int64(40_000), stage.cell(small))
        }, chunk: 1),
    ])
  }

  @Test func rowsInTheWrongPlace() throws {
    let (rows, persons) = (stage.rows, stage.kennel.persons)
    let present = try cluster(rows) { _ in }
    let third = try cluster(rows) {
      try $0.clear(rows)
      try $0.create(in: rows)
    }
    var twice = insert(rows, third)
    twice.tables[0].inserted.append(InsertedRows(chunk: 0, rows: third))
    try expectRefusals([
      "there already": insert(rows, present),
      "twice": twice,
      "below zero": insert(rows, present, chunk: -1),
      "lowest": insert(rows, present, chunk: .min),
      "highest": insert(rows, present, chunk: .max),
      "of the highest keys": insert(rows, present, chunk: .max >> 8, nextKey: .max),
      "beyond the next key": insert(rows, third, nextKey: 2),
      "the owned ones taken over": insert(persons, try cluster(persons) { _ in }, chunk: 1),
      "of no table": insert(TableKey(rawValue: 77), present),
    ])
    // They are refused only for their position: elsewhere they are accepted.
    #expect(try graph.applying(insert(rows, third, nextKey: 3)).checkInvariants() == [])
    #expect(try graph.applying(insert(rows, present, chunk: 1)).checkInvariants() == [])
  }

  @Test func rowsThatAreAtOddsWithOthers() throws {
    let (keyed, kennel) = (stage.keyed, stage.kennel)
    func keyedRow(_ id: String, _ mail: Int64) throws -> Cluster {
      try cluster(keyed) {
        try $0.clear(keyed)
        try $0.create(in: keyed, primaryKey: .string(id)) { try $0.set(mail, stage.mail) }
      }
    }
    func personRow(_ fill: (Transaction, ObjectKey) throws -> Void) throws -> Graph {
      try stage.changed {
        try $0.clear(kennel.persons)
        try fill($0, try $0.create(in: kennel.persons))
      }
    }
    let stray = try personRow { t, person in
      try t.set(.link(ObjectLink(kennel.dogs, try t.create(in: kennel.dogs))), kennel.cell(person, kennel.dog))
    }
    let owner = try personRow { t, person in
      try t.createOwned(in: kennel.addresses, by: kennel.cell(person, kennel.home), .value)
    }
    let double = try cluster(keyed) {
      try $0.setPrimaryKey(nil, of: keyed)
      try $0.clear(keyed)
      for _ in 0..<2 { try $0.create(in: keyed) { try $0.set("c", stage.id) } }
    }
    try expectRefusals([
      "a primary key that is taken": insert(keyed, try keyedRow("a", 3)),
      "a primary key twice": insert(keyed, double),
      "a unique value that is taken": insert(keyed, try keyedRow("c", 1)),
      "a link to nothing": insert(kennel.persons, try #require(stray[kennel.persons]?.rows[0])),
      "an owner of nothing": insert(kennel.persons, try #require(owner[kennel.persons]?.rows[0])),
      "an owned row without owner": insert(kennel.addresses, try #require(owner[kennel.addresses]?.rows[0])),
    ])
    #expect(try graph.applying(insert(keyed, try keyedRow("c", 3))).checkInvariants() == [])
    #expect(try graph.applying(Delta(from: graph, to: owner)) == owner)
  }

  @Test func nextKeysThatCannotBe() throws {
    func next(_ key: Int64) -> Delta { Delta(tables: [TableDelta(table: stage.rows, nextKey: key)]) }
    var empty = next(-1)
    empty.tables[0].deleted = [DeletedRows(chunk: 0, rows: Bitmap256(prefix: 2))]
    try expectRefusals([
      "too low": next(1), "zero": next(0), "negative": next(-1), "lowest": next(.min), "negative and empty": empty,
      "so high that rows would run out": next(.max),
    ])
    #expect(try graph.applying(next(1 << 40))[stage.rows]?.nextKey == 1 << 40)
  }

  /// The links of so many rows are gathered on several threads, which share out the keys below the next one.
  @Test func nextKeysThatCannotBeOfManyRowsWithLinks() async {
    await #expect(processExitsWith: .success) {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Row")
      _ = try transaction.addColumn(to: table, "next", .link(to: table))
      for _ in 0..<64 * 256 { try transaction.create(in: table) }
      let sound = Delta(from: .empty, to: transaction.graph)
      if try Graph.empty.applying(sound) != transaction.graph { fatalError("The rows are others.") }
      for key in [Int64.min, -1, .max] {
        var delta = sound
        delta.tables[0].nextKey = key
        if (try? Graph.empty.applying(delta)) != nil { fatalError("The next key \(key) is accepted.") }
      }
    }
  }
}
