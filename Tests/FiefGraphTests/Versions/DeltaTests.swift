import FiefGraph
import FiefTestSupport
import Testing

/// The contents of a delta: all changes and nothing else.
struct DeltaTests {
  let stage: DeltaStage

  init() throws { stage = try DeltaStage() }

  /// Makes the change, and compares the delta line by line.
  private func expect(
    _ lines: [String], sourceLocation: SourceLocation = #_sourceLocation, _ change: (Transaction) throws -> Void
  ) throws {
    let after = try stage.changed(change)
    let delta = Delta(from: stage.graph, to: after)
    #expect(delta.lines(after) == lines, sourceLocation: sourceLocation)
    #expect(delta.isEmpty == lines.isEmpty, sourceLocation: sourceLocation)
    #expect(try stage.graph.applying(delta) == after, sourceLocation: sourceLocation)
  }

  @Test func nothingChangedIsNothing() throws {
    try expect([]) { _ in }
    try expect([]) { try $0.set(Int64(1000), stage.cell(stage.small)) }
    #expect(Delta(from: .empty, to: .empty).isEmpty)
  }

  @Test func aValue() throws {
    try expect(["Row: next 2", "Row.small #0: 7"]) { try $0.set(Int64(7), stage.cell(stage.small)) }
    try expect(["Row: next 2", "Row.text #1: 'x'"]) { try $0.set("x", Cell(stage.rows, stage.second, stage.text)) }
    try expect(["Keyed: next 2", "Keyed.mail #0: null"]) {
      try $0.set(.null, Cell(stage.keyed, stage.first, stage.mail))
    }
  }

  @Test func aValueSetManyTimesIsOneEntry() throws {
    try expect(["Row: next 2", "Row.small #0: 99"]) {
      for value in 0..<100 { try $0.set(Int64(value), stage.cell(stage.small)) }
    }
  }

  @Test func backAtTheOldValueIsNoEntry() throws {
    try expect([]) {
      try $0.set(Int64(7), stage.cell(stage.small))
      try $0.set("x", stage.cell(stage.text))
      try $0.append(.int(5), toList: stage.cell(stage.list))
      try $0.insert(.int(9), inSet: stage.cell(stage.set))
      try $0.remove(key: "a", fromDictionary: stage.cell(stage.map))
      try $0.set(Int64(1000), stage.cell(stage.small))
      try $0.set(.null, stage.cell(stage.text))
      try $0.remove(at: 5, fromList: stage.cell(stage.list))
      try $0.remove(.int(9), fromSet: stage.cell(stage.set))
      try $0.set(.int(1), forKey: "a", inDictionary: stage.cell(stage.map))
    }
  }

  @Test func zerosOfOtherSignDiffer() throws {
    try expect(["Row: next 2", "Row.ratio #0: -0.0"]) { try $0.set(-0.0, stage.cell(stage.ratio)) }
    let cell = stage.kennel.cell(stage.first, stage.kennel.anySet)
    try stage.kennel.transaction.insert(.double(0), inSet: cell)
    try expect(["Person: next 2", "Person.anySet #0: -[0.0] +[-0.0]"]) {
      try $0.remove(.double(0), fromSet: cell)
      try $0.insert(.double(-0.0), inSet: cell)
    }
  }

  @Test func partsOfAList() throws {
    let cell = stage.cell(stage.list)
    try expect(["Row: next 2", "Row.list #0: 1..<2 [9]"]) { try $0.replace(at: 1, with: .int(9), inList: cell) }
    try expect(["Row: next 2", "Row.list #0: 5..<5 [5, 6]"]) {
      try $0.insert(contentsOf: [.int(5), .int(6)], at: 5, inList: cell)
    }
    try expect(["Row: next 2", "Row.list #0: 0..<0 [8], 4..<5 []"]) {
      try $0.insert(.int(8), at: 0, inList: cell)
      try $0.remove(at: 5, fromList: cell)
    }
    try expect(["Row: next 2", "Row.list #0: 0..<5 []"]) { try $0.removeAll(from: cell) }
  }

  @Test func elementsOfASet() throws {
    try expect(["Row: next 2", "Row.set #0: -[1] +[0, 9]"]) {
      try $0.remove(.int(1), fromSet: stage.cell(stage.set))
      try $0.formUnion([.int(9), .int(0), .int(2)], inSet: stage.cell(stage.set))
    }
  }

  @Test func entriesOfADictionary() throws {
    try expect(["Row: next 2", "Row.map #0: -[\"b\"] +[\"a: 5\", \"c: 3\"]"]) {
      try $0.set(.int(5), forKey: "a", inDictionary: stage.cell(stage.map))
      try $0.remove(key: "b", fromDictionary: stage.cell(stage.map))
      try $0.set(.int(3), forKey: "c", inDictionary: stage.cell(stage.map))
    }
  }

  @Test func rowsThatComeAndGo() throws {
    try expect(["Row: next 3", "Row: + #2 small 5, ratio 0.0, text null, list [], set [], map []"]) {
      try $0.create(in: stage.rows) { try $0.set(Int64(5), stage.small) }
    }
    try expect(["Row: next 2", "Row: - #1"]) { try $0.delete(ObjectLink(stage.rows, stage.second)) }
    try expect(["Row: next 2", "Row: - #0", "Row: - #1"]) { try $0.clear(stage.rows) }
    try expect(["Row: next 3", "Row: - #0", "Row: + #2 small 0, ratio 0.0, text null, list [4], set [], map []"]) {
      try $0.delete(ObjectLink(stage.rows, stage.first))
      try $0.append(.int(4), toList: Cell(stage.rows, try $0.create(in: stage.rows), stage.list))
    }
  }

  @Test func rowsInOtherChunks() throws {
    for _ in 0..<298 { try stage.kennel.transaction.create(in: stage.rows) }
    try expect(["Row: next 300", "Row: - #255", "Row: - #256", "Row.small #257: 1"]) {
      try $0.delete([ObjectLink(stage.rows, ObjectKey(255)), ObjectLink(stage.rows, ObjectKey(256))])
      try $0.set(Int64(1), Cell(stage.rows, ObjectKey(257), stage.small))
    }
  }

  @Test func aDeletedTargetIsTakenOutOfWhatLinksToIt() throws {
    try expect([
      "Person: next 2", "Person.dog #0: null", "Person.dogs #0: 0..<1 []", "Dog: next 2", "Dog: - #0",
    ]) { try $0.delete(ObjectLink(stage.kennel.dogs, stage.first)) }
    try expect(["Person: next 2", "Person.home #0: null", "Address: next 3", "Address: - #0", "Address: - #1"]) {
      try $0.set(.null, stage.kennel.cell(stage.first, stage.kennel.home))
    }
  }

  @Test func theNextKeyAlone() throws {
    try expect(["Row: next 3"]) { try $0.delete(ObjectLink(stage.rows, try $0.create(in: stage.rows))) }
  }

  @Test func theSchemaAlone() throws {
    try expect(["schema"]) { try $0.renameTable(stage.rows, to: "Line") }
    try expect(["schema"]) { try $0.renameColumn(stage.small, of: stage.rows, to: "little") }
    try expect(["schema"]) { try $0.addIndex(IndexDefinition([stage.small]), to: stage.rows) }
    try expect(["schema"]) { try $0.setPrimaryKey(nil, of: stage.keyed) }
    try expect(["schema"]) { try $0.setDeleteRule(.cascade, ofColumn: stage.kennel.dog, of: stage.kennel.persons) }
    try expect(["schema"]) { try $0.setOptional(true, column: stage.small, of: stage.rows) }
  }

  @Test func columnsThatComeAndGo() throws {
    try expect(["schema"]) { try $0.addColumn(to: stage.rows, "new", ColumnType(.int, isOptional: true)) }
    try expect(["schema", "Row: next 2", "Row.new #0: 3", "Row.new #1: 3"]) {
      try $0.addColumn(to: stage.rows, "new", ColumnType(.int), value: .int(3))
    }
    try expect(["schema"]) { try $0.removeColumn(stage.list, of: stage.rows) }
    try expect(["schema", "Address: next 3", "Address: - #0", "Address: - #1"]) {
      try $0.removeColumn(stage.kennel.home, of: stage.kennel.persons)
    }
  }

  @Test func tablesThatComeAndGo() throws {
    try expect(["schema", "New: next 0"]) { _ = try $0.addTable("New") }
    try expect(["schema", "New: next 1", "New: + #0 "]) { try $0.create(in: try $0.addTable("New")) }
    try expect(["schema"]) { try $0.removeTable(stage.rows) }
  }

  @Test func fromAndToTheEmptyGraph() throws {
    let graph = try stage.changed {
      try $0.clear([stage.kennel.persons, stage.kennel.dogs, stage.keyed])
      try $0.delete(ObjectLink(stage.rows, stage.second))
    }
    #expect(
      Delta(from: .empty, to: graph).lines(graph) == [
        "schema", "any.list: next 1", "Person: next 2", "Dog: next 2", "Address: next 3", "Row: next 2",
        "Row: + #0 small 1000, ratio 0.0, text null, list [0, 1, 2, 3, 4], set [1, 2, 3], map [1, 2]", "Keyed: next 2",
      ])
    #expect(try Graph.empty.applying(Delta(from: .empty, to: stage.graph)) == stage.graph)
    let back = Delta(from: stage.graph, to: .empty)
    #expect(back.lines(.empty) == ["schema", "any.list: next 0", "any.list: - #0"])
    #expect(try stage.graph.applying(back) == .empty)
  }

  @Test func theClustersOfANewGraphAreItsOwn() throws {
    let delta = Delta(from: .empty, to: stage.graph)
    let inserted = delta.tables.first { $0.table == stage.rows }?.inserted.first?.rows
    #expect(inserted != nil && inserted === stage.graph[stage.rows]?.rows[0])
  }
}
