import FiefGraph
import FiefTestSupport
import Testing

/// The effects of a delete on all references to the row, one kind of reference at a time.
struct DeletionTests {
  @Test func linksToADeletedRowBecomeNull() throws {
    let kennel = try Kennel()
    let (ann, rex) = (try kennel.person(), try kennel.newDog())
    try kennel.transaction.set(.link(rex), kennel.cell(ann, kennel.dog))
    try kennel.transaction.delete(rex)
    #expect(!kennel.graph.contains(rex))
    #expect(kennel.graph.value(kennel.cell(ann, kennel.dog)) == .null)
    #expect(kennel.graph.checkInvariants() == [])
  }

  @Test func entriesOfListsAndSetsVanishAndLaterOnesMoveUp() throws {
    let kennel = try Kennel()
    let ann = try kennel.person()
    let (rex, max) = (try kennel.newDog(), try kennel.newDog("Max"))
    for link in [rex, max, rex, rex, max] {
      try kennel.transaction.append(.link(link), toList: kennel.cell(ann, kennel.dogList))
      try kennel.transaction.insert(.link(link), inSet: kennel.cell(ann, kennel.pack))
    }
    try kennel.transaction.delete(rex)
    #expect(kennel.graph.values(kennel.cell(ann, kennel.dogList)) == [.link(max), .link(max)])
    #expect(kennel.graph.values(kennel.cell(ann, kennel.pack)) == [.link(max)])
    #expect(kennel.graph.linkCount(to: max, from: kennel.persons, kennel.dogList) == 2)
    #expect(kennel.graph.checkInvariants() == [])
  }

  @Test func keysOfDictionariesStayWithNull() throws {
    let kennel = try Kennel()
    let (ann, rex) = (try kennel.person(), try kennel.newDog())
    for key in ["a", "b"] {
      try kennel.transaction.set(.link(rex), forKey: key, inDictionary: kennel.cell(ann, kennel.byName))
    }
    try kennel.transaction.delete(rex)
    let cell = kennel.cell(ann, kennel.byName)
    #expect(kennel.transaction.value(forKey: "a", inDictionary: cell) == .null)
    #expect(kennel.transaction.value(forKey: "b", inDictionary: cell) == .null)
    #expect(kennel.transaction.count(of: cell) == 2)
  }

  @Test func anyValuesLoseADeletedRowByTheRulesOfTheirShape() throws {
    let kennel = try Kennel()
    let (ann, rex) = (try kennel.person(), try kennel.newDog())
    let t = kennel.transaction
    let link = Value.link(rex)
    try t.set(link, kennel.cell(ann, kennel.any))
    try t.insert(contentsOf: [.int(1), link, .null, link], at: 0, inList: kennel.cell(ann, kennel.anyList))
    try t.formUnion([.int(1), link], inSet: kennel.cell(ann, kennel.anySet))
    try t.set(link, forKey: "a", inDictionary: kennel.cell(ann, kennel.anyMap))
    try t.delete(rex)
    #expect(kennel.graph.value(kennel.cell(ann, kennel.any)) == .null)
    #expect(kennel.graph.values(kennel.cell(ann, kennel.anyList)) == [.int(1), .null])
    #expect(kennel.graph.values(kennel.cell(ann, kennel.anySet)) == [.int(1)])
    #expect(kennel.graph.values(kennel.cell(ann, kennel.anyMap)) == [.null])
    #expect(kennel.graph.checkInvariants() == [])
  }

  @Test func nestedListsLoseADeletedRowAndNestedDictionariesKeepItsKey() throws {
    let kennel = try Kennel()
    let (ann, rex) = (try kennel.person(), try kennel.newDog())
    let t = kennel.transaction
    let list = try kennel.nestedList(kennel.cell(ann, kennel.any))
    let map = Cell(
      .nestedDictionaries, try t.createOwned(in: .nestedDictionaries, by: list, .inserted(at: 0)), .nestedElements)
    try t.append(.link(rex), toList: list)
    try t.set(.link(rex), forKey: "a", inDictionary: map)
    try t.delete(rex)
    #expect(kennel.graph.values(list) == [.link(map.object)])
    #expect(kennel.graph.values(map) == [.null])
    #expect(kennel.graph.checkInvariants() == [])
  }

  @Test func embeddedRowsGoWithTheirOwnerTransitively() throws {
    let kennel = try Kennel()
    let ann = try kennel.person()
    let t = kennel.transaction
    let first = try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.home), .value)
    let second = try t.createOwned(in: kennel.addresses, by: Cell(kennel.addresses, first, kennel.inner), .value)
    try t.createOwned(in: kennel.addresses, by: Cell(kennel.addresses, second, kennel.innerList), .inserted(at: 0))
    try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.homes), .inserted(at: 0))
    try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.homeMap), .entry("a"))
    _ = try kennel.nestedList(kennel.cell(ann, kennel.any))
    #expect(kennel.count(kennel.addresses) == 5)
    try t.delete(ObjectLink(kennel.persons, ann))
    #expect(kennel.count(kennel.addresses) == 0)
    #expect(kennel.count(.nestedLists) == 0)
    #expect(kennel.graph.checkInvariants() == [])
  }

  @Test func topLevelRowsThatItLinkedToStayAndTheirBacklinksLoseIt() throws {
    let kennel = try Kennel()
    let (ann, bob, rex) = (try kennel.person(), try kennel.person(), try kennel.newDog())
    for person in [ann, bob] {
      try kennel.transaction.set(.link(rex), kennel.cell(person, kennel.dog))
      try kennel.transaction.append(.link(rex), toList: kennel.cell(person, kennel.dogList))
      try kennel.transaction.append(.link(rex), toList: kennel.cell(person, kennel.dogList))
    }
    try kennel.transaction.delete(ObjectLink(kennel.persons, ann))
    #expect(kennel.graph.contains(rex))
    #expect(kennel.graph.linkCount(to: rex, from: kennel.persons, kennel.dog) == 1)
    #expect(kennel.graph.linkCount(to: rex, from: kennel.persons, kennel.dogList) == 2)
    #expect(kennel.graph[kennel.dogs]?.backlinks(to: rex.key, from: kennel.persons, kennel.dog)?[0] == bob)
  }

  @Test func deletingAnEmbeddedRowTakesItFromItsOwner() throws {
    let kennel = try Kennel()
    let ann = try kennel.person()
    let t = kennel.transaction
    let single = try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.home), .value)
    let first = try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.homes), .inserted(at: 0))
    let second = try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.homes), .inserted(at: 1))
    let entry = try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.homeMap), .entry("a"))
    for key in [single, first, entry] { try t.delete(kennel.address(key)) }
    #expect(kennel.graph.value(kennel.cell(ann, kennel.home)) == .null)
    #expect(kennel.graph.values(kennel.cell(ann, kennel.homes)) == [.link(kennel.address(second))])
    #expect(kennel.graph.values(kennel.cell(ann, kennel.homeMap)) == [.null])
    #expect(kennel.graph.checkInvariants() == [])
  }

  @Test func overwritingOrRemovingAnEmbeddedRowDeletesIt() throws {
    let kennel = try Kennel()
    let ann = try kennel.person()
    let t = kennel.transaction
    func own(_ column: ColumnKey, _ spot: OwnedPosition) throws -> ObjectLink {
      kennel.address(try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, column), spot))
    }
    func expectGone(_ row: ObjectLink, _ how: () throws -> Void) throws {
      #expect(kennel.graph.contains(row))
      try how()
      #expect(!kennel.graph.contains(row))
      #expect(kennel.graph.checkInvariants() == [])
    }
    let (home, homes, map) = (
      kennel.cell(ann, kennel.home), kennel.cell(ann, kennel.homes), kennel.cell(ann, kennel.homeMap)
    )
    try expectGone(try own(kennel.home, .value)) { _ = try own(kennel.home, .value) }
    try expectGone(try own(kennel.home, .value)) { try t.set(.null, home) }
    try expectGone(try own(kennel.homes, .inserted(at: 0))) { _ = try own(kennel.homes, .element(at: 0)) }
    try expectGone(try own(kennel.homes, .inserted(at: 0))) { try t.remove(at: 0, fromList: homes) }
    try expectGone(try own(kennel.homes, .inserted(at: 0))) { try t.removeSubrange(0..<1, fromList: homes) }
    try expectGone(try own(kennel.homes, .inserted(at: 0))) { try t.removeAll(from: homes) }
    try expectGone(try own(kennel.homeMap, .entry("a"))) { _ = try own(kennel.homeMap, .entry("a")) }
    try expectGone(try own(kennel.homeMap, .entry("a"))) { try t.set(.null, forKey: "a", inDictionary: map) }
    try expectGone(try own(kennel.homeMap, .entry("a"))) { try t.remove(key: "a", fromDictionary: map) }
    try expectGone(try own(kennel.homeMap, .entry("a"))) { try t.removeAll(from: map) }
    #expect(kennel.count(kennel.addresses) == 0)
  }

  @Test func takingATopLevelRowOutOfACollectionNeverDeletesIt() throws {
    try withEvery("rule", in: DeleteRule.allCases) { rule in
      let kennel = try Kennel(rule: rule)
      let (ann, rex) = (try kennel.person(), try kennel.newDog())
      let t = kennel.transaction
      let (list, set, map) = (
        kennel.cell(ann, kennel.dogList), kennel.cell(ann, kennel.pack), kennel.cell(ann, kennel.byName)
      )
      for _ in 0..<2 {
        try t.append(.link(rex), toList: list)
        try t.insert(.link(rex), inSet: set)
        try t.set(.link(rex), forKey: "a", inDictionary: map)
        try t.set(.link(rex), kennel.cell(ann, kennel.dog))
      }
      try t.remove(at: 0, fromList: list)
      #expect(try t.remove(.link(rex), fromSet: set))
      #expect(try t.remove(key: "a", fromDictionary: map))
      try t.removeAll(from: list)
      try t.set(.null, kennel.cell(ann, kennel.dog))
      #expect(kennel.graph.contains(rex))
      #expect(kennel.graph[kennel.dogs]?.incoming.allSatisfy { $0.bag(of: rex.key) == nil } == true)
      #expect(kennel.graph.checkInvariants() == [])
    }
  }

  @Test func aRowIsDeletedOnceAndItsKeyNeverComesBack() throws {
    let kennel = try Kennel()
    let rex = try kennel.newDog()
    try kennel.transaction.delete(rex)
    expectRefusal(.missingObject, kennel.transaction) { try kennel.transaction.delete(rex) }
    try kennel.transaction.delete([rex, rex])
    let max = try kennel.newDog("Max")
    #expect(max.key > rex.key)
    #expect(!kennel.graph.contains(rex))
  }

  @Test func manyRowsAreDeletedAsOneOperation() throws {
    let kennel = try Kennel()
    let ann = try kennel.person()
    let dogs = try (0..<600).map { try kennel.newDog("\($0)") }
    try kennel.transaction.insert(
      contentsOf: dogs.map(Value.link), at: 0, inList: kennel.cell(ann, kennel.dogList))
    let odd = dogs.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    try kennel.transaction.delete(odd + odd.prefix(3))
    let even = dogs.enumerated().filter { $0.offset % 2 == 0 }.map { Value.link($0.element) }
    #expect(kennel.graph.values(kennel.cell(ann, kennel.dogList)) == even)
    #expect(kennel.count(kennel.dogs) == 300)
    #expect(kennel.graph.checkInvariants() == [])
    try kennel.transaction.clear(kennel.dogs)
    #expect(kennel.transaction.count(of: kennel.cell(ann, kennel.dogList)) == 0)
    #expect(kennel.graph.checkInvariants() == [])
  }

  @Test(arguments: [false, true])
  func rowsAreDeletedOneByOneFromEitherEndOfTheCollectionsThatLinkToThem(fromTheLast: Bool) throws {
    let kennel = try Kennel()
    let (ann, t) = (try kennel.person(), kennel.transaction)
    let dogs = try (0..<300).map { try kennel.newDog("\($0)") }
    let (list, pack) = (kennel.cell(ann, kennel.dogList), kennel.cell(ann, kennel.pack))
    let (byName, anyList) = (kennel.cell(ann, kennel.byName), kennel.cell(ann, kennel.anyList))
    // Each third one is twice in the lists.
    let links = dogs.map(Value.link) + stride(from: 0, to: 300, by: 3).map { Value.link(dogs[$0]) }
    try t.insert(contentsOf: links, at: 0, inList: list)
    try t.formUnion(links, inSet: pack)
    try t.insert(contentsOf: [.int(1)] + links + [.null], at: 0, inList: anyList)
    for number in 0..<300 { try t.set(links[number], forKey: "\(1000 + number)", inDictionary: byName) }
    var gone: Set<ObjectLink> = []
    for dog in fromTheLast ? dogs.reversed() : dogs where dog.key.rawValue % 4 != 0 || gone.count > 150 {
      try t.delete(dog)
      gone.insert(dog)
      if gone.count % 50 != 0 { continue }
      func rest(_ values: [Value]) -> [Value] { values.filter { !($0.linked.map(gone.contains) ?? false) } }
      #expect(kennel.graph.values(list) == rest(links))
      #expect(kennel.graph.values(pack) == rest(Array(links[..<300])))
      #expect(kennel.graph.values(anyList) == [.int(1)] + rest(links) + [.null])
      #expect(
        kennel.graph.values(byName) == dogs.map { gone.contains($0) ? .null : .link($0) })
      #expect(kennel.graph.checkInvariants() == [])
    }
    #expect(gone.count > 200)
  }
}
