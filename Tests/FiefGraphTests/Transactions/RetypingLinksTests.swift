import FiefGraph
import FiefValues
import Testing

/// Changing columns of links and any-values: backlinks and owners are correct afterwards, and no owned row is lost.
struct RetypingLinksTests {
  let kennel: Kennel
  let ann: ObjectKey
  let rex: ObjectLink
  let ada: ObjectLink

  init() throws {
    kennel = try Kennel(rule: .deny)
    (ann, rex, ada) = (try kennel.person(), try kennel.newDog(), try kennel.newDog("Ada"))
  }

  private func cell(_ column: ColumnKey) -> Cell { kennel.cell(ann, column) }

  private func links(_ links: ObjectLink...) -> [Value] { links.map(Value.link) }

  /// Changes a column of the persons, and expects the new contents of the cell and the number of links to each dog.
  @discardableResult
  private func expect(
    _ column: ColumnKey, _ type: ColumnType, replacing replacement: Value? = nil, _ contents: [Value],
    rex rexLinks: Int = 0, ada adaLinks: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (graph: Graph, column: ColumnKey) {
    var key = column
    let after = try kennel.graph.after(sourceLocation: sourceLocation) {
      key = try $0.changeColumn(column, of: kennel.persons, to: type, replacing: replacement)
    }
    #expect(after.contents(cell(key)) == contents, sourceLocation: sourceLocation)
    for (dog, count) in [(rex, rexLinks), (ada, adaLinks)] {
      #expect(after.linkCount(to: dog, from: kennel.persons, key) == count, sourceLocation: sourceLocation)
      if key != column {
        #expect(after.linkCount(to: dog, from: kennel.persons, column) == 0, sourceLocation: sourceLocation)
      }
    }
    return (after, key)
  }

  private func expectRefusal(
    _ column: ColumnKey, _ type: ColumnType, replacing replacement: Value? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let name = kennel.graph[kennel.persons]?.schema.column(column)?.name
    kennel.transaction.expectRefusal(
      .invalidSchema, table: "Person", column: name, key: ann, saying: "cannot become", sourceLocation: sourceLocation
    ) { try kennel.transaction.changeColumn(column, of: kennel.persons, to: type, replacing: replacement) }
  }

  // MARK: Shared links

  @Test func linksAreCarriedAmongShapesWithTheirBacklinksAndTheirRule() throws {
    let t = kennel.transaction
    try t.set(.link(rex), cell(kennel.dog))
    try t.insert(contentsOf: links(ada, rex), at: 0, inList: cell(kennel.dogList))
    try t.insert(.link(ada), inSet: cell(kennel.pack))
    let list = try expect(kennel.dog, .link(to: kennel.dogs, shape: .list), links(rex), rex: 1)
    #expect(list.graph[kennel.persons]?.schema.column(list.column)?.deleteRule == .deny)
    try expect(kennel.dog, .link(to: kennel.dogs, shape: .set), links(rex), rex: 1)
    try expect(kennel.dogList, .link(to: kennel.dogs, shape: .set), links(rex, ada), rex: 1, ada: 1)
    try expect(kennel.pack, .link(to: kennel.dogs, shape: .list), links(ada), ada: 1)
    try expect(kennel.pack, .link(to: kennel.dogs), links(ada), ada: 1)
    expectRefusal(kennel.dogList, .link(to: kennel.dogs))
    try t.append(.link(rex), toList: cell(kennel.dogList))
    expectRefusal(kennel.dogList, .link(to: kennel.dogs, shape: .set))
  }

  @Test func aLinkThatIsNotThereIsCarriedWhereThereIsAPlaceForIt() throws {
    let t = kennel.transaction
    try expect(kennel.dog, .link(to: kennel.dogs, shape: .list), [])
    try expect(kennel.dog, .link(to: kennel.dogs, shape: .dictionary), [])
    try expect(kennel.dogList, .link(to: kennel.dogs), [.null])
    try expect(kennel.dog, .link(to: kennel.persons), [.null])
    try t.set(.null, forKey: "a", inDictionary: cell(kennel.byName))
    try t.set(.link(ada), forKey: "b", inDictionary: cell(kennel.byName))
    try expect(kennel.byName, ColumnType(.any, shape: .dictionary), [.null, .link(ada)], ada: 1)
    expectRefusal(kennel.byName, .link(to: kennel.dogs, shape: .list))
  }

  @Test func linksOfEveryShapeBecomeAnyValuesWithoutARule() throws {
    let t = kennel.transaction
    try t.set(.link(rex), cell(kennel.dog))
    try t.insert(contentsOf: links(ada, rex, ada), at: 0, inList: cell(kennel.dogList))
    try t.formUnion(links(ada, rex), inSet: cell(kennel.pack))
    try t.set(.link(ada), forKey: "a", inDictionary: cell(kennel.byName))
    let any = try expect(kennel.dog, ColumnType(.any), links(rex), rex: 1)
    #expect(any.graph[kennel.persons]?.schema.column(any.column)?.deleteRule == .nullify)
    try expect(kennel.dogList, ColumnType(.any, shape: .list), links(ada, rex, ada), rex: 1, ada: 2)
    try expect(kennel.pack, ColumnType(.any, shape: .set), links(rex, ada), rex: 1, ada: 1)
    try expect(kennel.byName, ColumnType(.any, shape: .dictionary), links(ada), ada: 1)
    try expect(kennel.dog, ColumnType(.any, shape: .list), links(rex), rex: 1)
  }

  @Test func anyValuesThatLinkIntoOneTableBecomeLinks() throws {
    let t = kennel.transaction
    try t.set(.link(rex), cell(kennel.any))
    try t.insert(contentsOf: links(ada, ada), at: 0, inList: cell(kennel.anyList))
    try t.formUnion(links(ada, rex), inSet: cell(kennel.anySet))
    try t.set(.link(rex), forKey: "a", inDictionary: cell(kennel.anyMap))
    try t.set(.null, forKey: "b", inDictionary: cell(kennel.anyMap))
    try expect(kennel.any, .link(to: kennel.dogs), links(rex), rex: 1)
    try expect(kennel.any, .link(to: kennel.dogs, shape: .set), links(rex), rex: 1)
    try expect(kennel.anyList, .link(to: kennel.dogs, shape: .list), links(ada, ada), ada: 2)
    try expect(kennel.anySet, .link(to: kennel.dogs, shape: .set), links(rex, ada), rex: 1, ada: 1)
    try expect(kennel.anyMap, .link(to: kennel.dogs, shape: .dictionary), [.link(rex), .null], rex: 1)
    expectRefusal(kennel.any, .link(to: kennel.persons))
    try expect(kennel.any, .link(to: kennel.persons), replacing: .null, [.null])
    try t.append(.int(1), toList: cell(kennel.anyList))
    expectRefusal(kennel.anyList, .link(to: kennel.dogs, shape: .list))
    expectRefusal(kennel.anyList, .link(to: kennel.dogs, shape: .list), replacing: .null)
  }

  @Test func linksIntoAnotherTableAreRefusedOrReplaced() throws {
    let t = kennel.transaction
    try t.set(.link(rex), cell(kennel.dog))
    try t.append(.link(ada), toList: cell(kennel.dogList))
    expectRefusal(kennel.dog, .link(to: kennel.persons))
    expectRefusal(kennel.dog, .link(to: kennel.persons), replacing: .link(ObjectLink(kennel.persons, ann)))
    try expect(kennel.dog, .link(to: kennel.persons), replacing: .null, [.null])
    expectRefusal(kennel.dogList, .link(to: kennel.persons, shape: .list), replacing: .null)
    for type in [ColumnType(.int, isOptional: true), ColumnType(.string, isOptional: true)] {
      expectRefusal(kennel.dog, type)
      try expect(kennel.dog, type, replacing: .null, [.null])
    }
    try expect(kennel.dogList, ColumnType(.string, shape: .list), replacing: .string("?"), [.string("?")])
  }

  // MARK: Embedded rows and nested collections

  @Test func embeddedRowsStayWithTheirOwner() throws {
    let t = kennel.transaction
    let one = try t.createOwned(in: kennel.addresses, by: cell(kennel.home), .value)
    try t.createOwned(in: kennel.addresses, by: Cell(kennel.addresses, one, kennel.inner), .value)
    let only = try t.createOwned(in: kennel.addresses, by: cell(kennel.homes), .inserted(at: 0))
    let home = kennel.address(one)
    let list = try expect(kennel.home, .link(to: kennel.addresses, shape: .list), [.link(home)])
    #expect(list.graph.owner(of: home) == cell(list.column) && list.graph[kennel.addresses]?.count == 3)
    let single = try expect(kennel.homes, .link(to: kennel.addresses), [.link(kennel.address(only))])
    #expect(single.graph.owner(of: kennel.address(only)) == cell(single.column))
    // Deleting the owner still deletes them.
    let transaction = Transaction(list.graph)
    try transaction.delete(ObjectLink(kennel.persons, ann))
    #expect(transaction.graph[kennel.addresses]?.count == 0 && transaction.graph.checkInvariants() == [])
  }

  @Test func noChangeLosesAnEmbeddedRow() throws {
    let t = kennel.transaction
    try t.createOwned(in: kennel.addresses, by: cell(kennel.home), .value)
    for position in 0..<2 { try t.createOwned(in: kennel.addresses, by: cell(kennel.homes), .inserted(at: position)) }
    try t.createOwned(in: kennel.addresses, by: cell(kennel.homeMap), .entry("a"))
    let shapes: [(ColumnKey, ColumnShape)] = [
      (kennel.home, .single), (kennel.homes, .list), (kennel.homeMap, .dictionary),
    ]
    for (column, shape) in shapes {
      for type in [
        ColumnType(.any, shape: shape), .link(to: kennel.dogs, shape: shape),
        ColumnType(.string, shape: shape, isOptional: true),
      ] {
        for replacement in [nil, Value.null, .string("")] { expectRefusal(column, type, replacing: replacement) }
      }
    }
    expectRefusal(kennel.homes, .link(to: kennel.addresses), replacing: .null)
    expectRefusal(kennel.homeMap, .link(to: kennel.addresses, shape: .list), replacing: .null)
    expectRefusal(kennel.home, .link(to: kennel.addresses, shape: .dictionary), replacing: .null)
    t.expectRefusal(.invalidSchema, table: "Person", saying: "a set cannot hold embedded objects") {
      try t.changeColumn(kennel.homes, of: kennel.persons, to: .link(to: kennel.addresses, shape: .set))
    }
  }

  @Test func sharedLinksDoNotBecomeOwningOnes() throws {
    let t = kennel.transaction
    t.expectRefusal(.invalidSchema, table: "Person", saying: "take no delete rule") {
      try t.changeColumn(kennel.dog, of: kennel.persons, to: .link(to: kennel.addresses))
    }
    try t.setDeleteRule(.nullify, ofColumn: kennel.dog, of: kennel.persons)
    try expect(kennel.dog, .link(to: kennel.addresses), [.null])
    try t.set(.link(rex), cell(kennel.dog))
    expectRefusal(kennel.dog, .link(to: kennel.addresses))
    try expect(kennel.dog, .link(to: kennel.addresses), replacing: .null, [.null])
  }

  @Test func nestedCollectionsAreCarriedAmongAnyValuesAndNowhereElse() throws {
    let t = kennel.transaction
    let nested = try kennel.nestedList(cell(kennel.any))
    try t.insert(contentsOf: [.int(1), .link(rex)], at: 0, inList: nested)
    let list = try expect(kennel.any, ColumnType(.any, shape: .list), [.link(nested.object)])
    #expect(list.graph.owner(of: nested.object) == cell(list.column))
    #expect(list.graph.contents(nested) == [.int(1), .link(rex)])
    #expect(list.graph.linkCount(to: rex, from: .nestedLists, .nestedElements) == 1)
    let back = try list.graph.after {
      _ = try $0.changeColumn(list.column, of: kennel.persons, to: ColumnType(.any))
    }
    let single = try #require(back[kennel.persons]?.schema.column(named: "any")?.key)
    #expect(back.owner(of: nested.object) == cell(single) && back.contents(nested).count == 2)
    for type in [
      ColumnType(.any, shape: .set), ColumnType(.any, shape: .dictionary), ColumnType(.string, isOptional: true),
      .link(to: kennel.dogs), .link(to: kennel.addresses),
    ] {
      for replacement in [nil, Value.null] { expectRefusal(kennel.any, type, replacing: replacement) }
    }
    let inner = try t.createOwned(in: .nestedDictionaries, by: cell(kennel.anyMap), .entry("a"))
    try t.set(.link(ada), forKey: "x", inDictionary: Cell(.nestedDictionaries, inner, .nestedElements))
    expectRefusal(kennel.anyMap, ColumnType(.string, shape: .dictionary), replacing: .string(""))
    expectRefusal(kennel.anyMap, ColumnType(.any, shape: .list))
  }
}
