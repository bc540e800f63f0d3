import FiefGraph
import FiefTestSupport
import FiefValues
import Testing

/// Changing the type of columns that link, own, name rows or order them. That backlinks and owners stay exact is among
/// the invariants, which `Graph.after` checks on every path.
struct RetypingLinksTests {
  let start: Graph
  let dogs: TableKey
  let people: TableKey
  let parts: TableKey
  let number: ColumnKey

  init() throws {
    let transaction = Transaction(.empty)
    dogs = try transaction.addTable("Dog")
    people = try transaction.addTable("Person")
    parts = try transaction.addTable("Part", kind: .embedded)
    number = try transaction.addColumn(to: dogs, "number", ColumnType(.int, isOptional: true))
    for row in 0..<Int64(5) {
      try transaction.create(in: dogs) { [number] in try $0.set(row, number) }
      try transaction.create(in: people)
    }
    start = transaction.graph
  }

  func dog(_ key: Int64) -> Value { .link(ObjectLink(dogs, ObjectKey(key))) }

  /// The graph with a column `column` of people in which the first one holds the links.
  func linking(_ shape: ColumnShape, _ links: [Value], kind: ValueKind = .link) throws -> (Graph, ColumnKey) {
    var column = number
    let graph = try start.after { transaction in
      column = try transaction.addColumn(
        to: people, "column", ColumnType(kind, shape: shape, target: kind == .link ? dogs : nil))
      let cell = Cell(people, ObjectKey(0), column)
      for (place, link) in links.enumerated() {
        switch shape {
        case .single: try transaction.set(link, cell)
        case .list: try transaction.append(link, toList: cell)
        case .set: try transaction.insert(link, inSet: cell)
        case .dictionary: try transaction.set(link, forKey: "k\(place)", inDictionary: cell)
        }
      }
    }
    return (graph, column)
  }

  @Test func linksGoFromShapeToShapeWithTheirBacklinks() throws {
    let moves: [(ColumnShape, [Value], ColumnShape, [Value])] = [
      (.single, [dog(1)], .list, [dog(1)]), (.single, [dog(1)], .set, [dog(1)]),
      (.list, [dog(2)], .single, [dog(2)]), (.list, [dog(3), dog(1)], .set, [dog(1), dog(3)]),
      (.set, [dog(3), dog(1)], .list, [dog(1), dog(3)]), (.set, [dog(3)], .single, [dog(3)]),
      (.list, [], .single, [.null]), (.single, [.null], .list, []),
    ]
    for (from, links, to, result) in moves {
      let (graph, column) = try linking(from, links)
      var key = column
      let after = try graph.after { key = try $0.changeColumn(column, of: people, to: .link(to: dogs, shape: to)) }
      #expect(key != column)
      #expect(after.contents(Cell(people, ObjectKey(0), key)) == result, "\(from) to \(to)")
      for link in result.compactMap(\.linked) {
        #expect(after[dogs]?.backlinks(to: link.key, from: people, key)?.count == 1)
        #expect(after[dogs]?.backlinks(to: link.key, from: people, column) == nil)
      }
    }
  }

  @Test func aListThatRepeatsALinkDoesNotBecomeASet() throws {
    let (graph, column) = try linking(.list, [dog(1), dog(1)])
    let transaction = Transaction(graph)
    transaction.expectRefusal(.invalidSchema, table: "Person", column: "column", key: ObjectKey(0)) {
      try transaction.changeColumn(column, of: people, to: .link(to: dogs, shape: .set))
    }
  }

  @Test func linksBecomeAnyValuesAndBack() throws {
    for (shape, links) in [
      (ColumnShape.single, [dog(1)]), (.list, [dog(1), dog(2), dog(1)]), (.dictionary, [dog(4), .null]),
    ] {
      let (graph, column) = try linking(shape, links)
      var key = column
      let loose = try graph.after { key = try $0.changeColumn(column, of: people, to: ColumnType(.any, shape: shape)) }
      #expect(loose.contents(Cell(people, ObjectKey(0), key)) == links)
      var back = column
      let tight = try loose.after {
        back = try $0.changeColumn(key, of: people, to: .link(to: dogs, shape: shape))
      }
      #expect(tight.contents(Cell(people, ObjectKey(0), back)) == links)
    }
  }

  @Test func linksDoNotChangeTheirTarget() throws {
    let (graph, column) = try linking(.single, [dog(1)])
    let transaction = Transaction(graph)
    for type in [ColumnType.link(to: people), .link(to: parts), ColumnType(.int)] {
      transaction.expectRefusal(.invalidSchema, table: "Person", column: "column", key: ObjectKey(0)) {
        try transaction.changeColumn(column, of: people, to: type)
      }
    }
    let after = try graph.after {
      _ = try $0.changeColumn(column, of: people, to: .link(to: people), replacing: .null)
    }
    #expect(after.allTables.allSatisfy { $0.backlinks(to: ObjectKey(1), from: people, column) == nil })
  }

  @Test func anAnyValueThatLinksElsewhereDoesNotBecomeALink() throws {
    let (graph, column) = try linking(.list, [dog(1), .link(ObjectLink(people, ObjectKey(2)))], kind: .any)
    let transaction = Transaction(graph)
    transaction.expectRefusal(.invalidSchema, table: "Person", column: "column", key: ObjectKey(0)) {
      try transaction.changeColumn(column, of: people, to: .link(to: dogs, shape: .list))
    }
  }

  @Test func aDeleteRuleStaysWithLinksAndGoesWithThem() throws {
    let (graph, column) = try linking(.single, [dog(1)])
    let transaction = Transaction(graph)
    try transaction.setDeleteRule(.cascade, ofColumn: column, of: people)
    let list = try transaction.changeColumn(column, of: people, to: .link(to: dogs, shape: .list))
    #expect(transaction.graph[people]?.schema.column(list)?.deleteRule == .cascade)
    let any = try transaction.changeColumn(list, of: people, to: ColumnType(.any, shape: .list))
    #expect(transaction.graph[people]?.schema.column(any)?.deleteRule == .nullify)
  }

  // MARK: Owned rows

  /// The graph with a column of people in which the first one owns `count` parts.
  func owning(_ shape: ColumnShape, _ count: Int) throws -> (Graph, ColumnKey) {
    var column = number
    let graph = try start.after { transaction in
      column = try transaction.addColumn(to: people, "parts", .link(to: parts, shape: shape))
      let cell = Cell(people, ObjectKey(0), column)
      for place in 0..<count {
        let spot: OwnedPlace =
          switch shape {
          case .single: .value
          case .dictionary: .entry("k\(place)")
          default: .inserted(at: place)
          }
        try transaction.createOwned(in: parts, by: cell, spot)
      }
    }
    return (graph, column)
  }

  @Test func embeddedObjectsStayWithTheirOwner() throws {
    for (from, count, to) in [(ColumnShape.single, 1, ColumnShape.list), (.list, 1, .single)] {
      let (graph, column) = try owning(from, count)
      var key = column
      let after = try graph.after { key = try $0.changeColumn(column, of: people, to: .link(to: parts, shape: to)) }
      #expect(after.contents(Cell(people, ObjectKey(0), key)) == [.link(ObjectLink(parts, ObjectKey(0)))])
      #expect(after[parts]?.count == 1)
      #expect(after.owner(of: ObjectLink(parts, ObjectKey(0))) == Cell(people, ObjectKey(0), key))
    }
  }

  @Test func embeddedObjectsAreNotLostOnTheWay() throws {
    let changes: [(ColumnShape, Int, ColumnType, Value?)] = [
      (.list, 2, .link(to: parts), nil), (.list, 2, .link(to: parts), .null),
      (.list, 1, .link(to: parts, shape: .dictionary), .null), (.dictionary, 1, .link(to: parts, shape: .list), nil),
      (.single, 1, .link(to: dogs), .null), (.single, 1, ColumnType(.any), nil), (.single, 1, ColumnType(.any), .null),
      (.list, 2, ColumnType(.any, shape: .list), .int(1)), (.single, 1, ColumnType(.int), .int(1)),
    ]
    for (shape, count, type, replacement) in changes {
      let (graph, column) = try owning(shape, count)
      let transaction = Transaction(graph)
      #expect(throws: GraphError.self, "\(shape) to \(type.declaration)") {
        try transaction.changeColumn(column, of: people, to: type, replacing: replacement)
      }
      #expect(transaction.graph == graph && transaction.graph.checkInvariants() == [])
    }
  }

  @Test func collectionsInsideAnyValuesStayWithTheirOwner() throws {
    var column = number
    let graph = try start.after { transaction in
      column = try transaction.addColumn(to: people, "anything", ColumnType(.any))
      let list = try transaction.createOwned(in: .nestedLists, by: Cell(people, ObjectKey(0), column), .value)
      let elements = Cell(.nestedLists, list, .nestedElements)
      try transaction.append(dog(1), toList: elements)
      try transaction.createOwned(in: .nestedDictionaries, by: elements, .inserted(at: 1))
    }
    var key = column
    let listed = try graph.after { key = try $0.changeColumn(column, of: people, to: ColumnType(.any, shape: .list)) }
    #expect(listed.owner(of: ObjectLink(.nestedLists, ObjectKey(0))) == Cell(people, ObjectKey(0), key))
    #expect(listed[.nestedDictionaries]?.count == 1)
    let transaction = Transaction(listed)
    for type in [ColumnType(.string), ColumnType(.any, shape: .set), ColumnType(.any, shape: .dictionary)] {
      #expect(throws: GraphError.self, "\(type.declaration)") {
        try transaction.changeColumn(key, of: people, to: type, replacing: .string("lost"))
      }
      #expect(transaction.graph == listed && transaction.graph.checkInvariants() == [])
    }
  }

  // MARK: Primary keys and indexes

  @Test func thePrimaryKeyStaysWithAColumnThatCanStillNameRows() throws {
    let keyed = try start.after { try $0.setPrimaryKey(number, of: dogs) }
    var key = number
    let after = try keyed.after { key = try $0.changeColumn(number, of: dogs, to: ColumnType(.string)) }
    #expect(after[dogs]?.schema.primaryKey == key && key != number)
    #expect(after[dogs]?.find(primaryKey: .string("3")) == ObjectKey(3))
    #expect(after[dogs]?.find(primaryKey: .int(3)) == nil)
    let transaction = Transaction(keyed)
    transaction.expectRefusal(.invalidSchema, table: "Dog", saying: "'Dog.number'", "cannot be a primary key") {
      try transaction.changeColumn(number, of: dogs, to: ColumnType(.double))
    }
  }

  @Test func indexesStayWithAColumnThatCanStillBeOrdered() throws {
    let definitions = [IndexDefinition([number]), IndexDefinition([number, ColumnKey(rawValue: 1)], isUnique: true)]
    let indexed = try start.after { transaction in
      try transaction.addColumn(to: dogs, "name", ColumnType(.string))
      for definition in definitions { try transaction.addIndex(definition, to: dogs) }
      try transaction.set(-100 as Int64, Cell(dogs, ObjectKey(4), number))
    }
    var key = number
    let after = try indexed.after { key = try $0.changeColumn(number, of: dogs, to: ColumnType(.string)) }
    #expect(after[dogs]?.schema.indexes.map(\.columns) == [[key], [key, ColumnKey(rawValue: 1)]])
    #expect(after[dogs]?.schema.indexes.map(\.isUnique) == [false, true])
    #expect(after[dogs]?.indexes[0].entries.map(\.first) == ["-100", "0", "1", "2", "3"].map { .string($0) })
    let transaction = Transaction(indexed)
    transaction.expectRefusal(.invalidSchema, table: "Dog", saying: "cannot be indexed") {
      try transaction.changeColumn(number, of: dogs, to: ColumnType(.int, shape: .list))
    }
  }

  @Test func valuesThatBecomeEqualOnTheWayAreARepetition() throws {
    let (values, same) = (["01", "1", "2", "3", "4"], ColumnType(.int))
    for isKey in [true, false] {
      let transaction = Transaction(start)
      let code = try transaction.addColumn(to: dogs, "code", ColumnType(.string))
      for (row, value) in values.enumerated() { try transaction.set(value, Cell(dogs, ObjectKey(Int64(row)), code)) }
      if isKey {
        try transaction.setPrimaryKey(code, of: dogs)
      } else {
        try transaction.addIndex(IndexDefinition([code], isUnique: true), to: dogs)
      }
      let before = transaction.graph
      #expect {
        try transaction.changeColumn(code, of: dogs, to: same)
      } throws: { error in
        (error as? GraphError)?.code == (isKey ? .duplicatePrimaryKey : .uniqueConstraint)
      }
      #expect(transaction.graph == before && transaction.graph.checkInvariants() == [])
    }
  }

  @Test func aReplacementThatRepeatsAValueIsRefused() throws {
    // Whether the column keeps its form (null to required) or not (to another kind).
    for type in [ColumnType(.int), ColumnType(.string)] {
      for isKey in [true, false] {
        let transaction = Transaction(start)
        try transaction.set(nil as Int64?, Cell(dogs, ObjectKey(4), number))
        if isKey {
          try transaction.setPrimaryKey(number, of: dogs)
        } else {
          try transaction.addIndex(IndexDefinition([number], isUnique: true), to: dogs)
        }
        let before = transaction.graph
        #expect(throws: GraphError.self, "\(type.declaration)") {
          try transaction.changeColumn(
            number, of: dogs, to: type, replacing: type.kind == .int ? .int(3) : .string("3"))
        }
        #expect(transaction.graph == before && transaction.graph.checkInvariants() == [])
        let key = try transaction.changeColumn(
          number, of: dogs, to: type, replacing: type.kind == .int ? .int(77) : .string("77"))
        #expect(transaction.graph.checkInvariants() == [])
        #expect(transaction.value(Cell(dogs, ObjectKey(4), key)) == (type.kind == .int ? .int(77) : .string("77")))
      }
    }
  }
}
