import FiefGraph
import FiefSessions
import FiefTestSupport
import Testing

/// Persons with dogs, which have toys.
private struct Kennel {
  private(set) var graph = Graph.empty
  private(set) var persons = TableKey(rawValue: 0)
  private(set) var dogs = TableKey(rawValue: 0)
  private(set) var toys = TableKey(rawValue: 0)
  private(set) var name = ColumnKey(rawValue: 0)
  private(set) var dog = ColumnKey(rawValue: 0)
  private(set) var pack = ColumnKey(rawValue: 0)
  private(set) var anything = ColumnKey(rawValue: 0)
  private(set) var age = ColumnKey(rawValue: 0)
  private(set) var friend = ColumnKey(rawValue: 0)
  private(set) var toy = ColumnKey(rawValue: 0)
  private(set) var weight = ColumnKey(rawValue: 0)

  init() throws {
    let write = Transaction(graph)
    (persons, dogs, toys) = (try write.addTable("Person"), try write.addTable("Dog"), try write.addTable("Toy"))
    name = try write.addColumn(to: persons, "name", ColumnType(.string))
    dog = try write.addColumn(to: persons, "dog", .link(to: dogs))
    pack = try write.addColumn(to: persons, "pack", .link(to: dogs, shape: .list))
    age = try write.addColumn(to: dogs, "age", ColumnType(.int))
    friend = try write.addColumn(to: dogs, "friend", .link(to: dogs))
    toy = try write.addColumn(to: dogs, "toy", .link(to: toys))
    weight = try write.addColumn(to: toys, "weight", ColumnType(.int))
    graph = write.successor
  }

  /// Changes the graph, and returns the difference.
  mutating func change(_ body: (Kennel, Transaction) throws -> Void) throws -> VersionDifference {
    let write = Transaction(graph)
    try body(self, write)
    defer { graph = write.successor }
    return VersionDifference(graph, write.successor)
  }

  func link(_ table: TableKey, _ key: ObjectKey) -> Value { .link(ObjectLink(table, key)) }
}

@Suite struct VersionDifferenceTests {
  private var kennel: Kennel
  private var ann = ObjectKey(0)
  private var dogs: [ObjectKey] = []
  private var ball = ObjectKey(0)

  init() throws {
    kennel = try Kennel()
    var (ann, dogs, ball) = (ObjectKey(0), [ObjectKey](), ObjectKey(0))
    _ = try kennel.change { kennel, write in
      ann = try write.create(in: kennel.persons)
      for _ in 0..<7 { dogs.append(try write.create(in: kennel.dogs)) }
      ball = try write.create(in: kennel.toys)
      // A chain of friends, whose first one is Ann's dog.
      for (one, next) in zip(dogs, dogs.dropFirst()) {
        try write.set(kennel.link(kennel.dogs, next), Cell(kennel.dogs, one, kennel.friend))
      }
      try write.set(kennel.link(kennel.dogs, dogs[0]), Cell(kennel.persons, ann, kennel.dog))
      try write.set(kennel.link(kennel.toys, ball), Cell(kennel.dogs, dogs[0], kennel.toy))
    }
    (self.ann, self.dogs, self.ball) = (ann, dogs, ball)
  }

  private func age(_ number: Int) -> Cell { Cell(kennel.dogs, dogs[number], kennel.age) }

  @Test mutating func equalVersionsDoNotDiffer() throws {
    let difference = try kennel.change { _, _ in }
    #expect(difference.isEmpty && difference.changes(of: kennel.dogs) == nil)
    #expect(difference.rowsReachingChanges(in: kennel.persons).isEmpty)
  }

  @Test mutating func theChangeOfACellIsFoundAndNoOther() throws {
    let cell = age(2)
    let difference = try kennel.change { try $1.set(5, cell) }
    guard case .value(.int(5))? = difference.change(of: cell) else {
      Issue.record("The cell has changed.")
      return
    }
    #expect(difference.isChanged(cell) && !difference.isChanged(age(1)))
    #expect(difference.rows(of: kennel.dogs, changedIn: kennel.age) == [dogs[2]])
    #expect(difference.rows(of: kennel.dogs, changedIn: kennel.toy).isEmpty)
  }

  @Test mutating func rowsThatComeOrGoHaveNoChangedCells() throws {
    let last = dogs[6]
    var made = ObjectKey(0)
    let difference = try kennel.change { kennel, write in
      made = try write.create(in: kennel.dogs)
      try write.set(3, Cell(kennel.dogs, made, kennel.age))
      try write.delete(ObjectLink(kennel.dogs, last))
    }
    #expect(difference.change(of: Cell(kennel.dogs, made, kennel.age)) == nil && difference.change(of: age(6)) == nil)
    // The link to the deleted dog is a change of the one that had it.
    #expect(difference.rows(of: kennel.dogs, changedIn: kennel.friend) == [dogs[5]])
  }

  @Test mutating func changesAreReachedOverFourLinksAndNotOverFive() throws {
    let cell = age(5)
    let difference = try kennel.change { try $1.set(5, cell) }
    #expect(difference.rowsReachingChanges(in: kennel.dogs) == Set(dogs[1...5]))
    #expect(difference.rowsReachingChanges(in: kennel.persons).isEmpty)
    #expect(difference.rowsReachingChanges(in: kennel.toys).isEmpty)
  }

  @Test mutating func changesAreReachedThroughLists() throws {
    let (ann, dog) = (ann, dogs[6])
    _ = try kennel.change { kennel, write in
      try write.append(kennel.link(kennel.dogs, dog), toList: Cell(kennel.persons, ann, kennel.pack))
    }
    let cell = age(6)
    let difference = try kennel.change { try $1.set(5, cell) }
    #expect(difference.rowsReachingChanges(in: kennel.persons) == [ann])
  }

  /// The last row of a chain of tables, each of which links to the next one alone, has a list in an any-value. A change
  /// of this list is one of each row that reaches the last one over four links, or owns it.
  @Test(arguments: [(5, TableKind.ordinary), (7, .embedded)])
  func aListInAnAnyValueIsPartOfTheRowThatIsReached(count: Int, kind: TableKind) throws {
    let write = Transaction(.empty)
    let tables = try (0..<count).map { try write.addTable("Table\($0)", kind: $0 == 0 ? .ordinary : kind) }
    let links = try (1..<count).map { try write.addColumn(to: tables[$0 - 1], "next", .link(to: tables[$0])) }
    let anything = try write.addColumn(to: tables[count - 1], "anything", ColumnType(.any))
    var rows = [try write.create(in: tables[0])]
    for number in 1..<count {
      let (cell, target) = (Cell(tables[number - 1], rows[number - 1], links[number - 1]), tables[number])
      if kind == .embedded {
        rows.append(try write.createOwned(in: target, by: cell, .value))
      } else {
        rows.append(try write.create(in: target))
        try write.set(.link(ObjectLink(target, rows[number])), cell)
      }
    }
    let owner = Cell(tables[count - 1], rows[count - 1], anything)
    let list = Cell(.nestedLists, try write.createOwned(in: .nestedLists, by: owner, .value), .nestedElements)
    let old = write.successor
    let change = Transaction(old)
    try change.append(.int(1), toList: list)
    let difference = VersionDifference(old, change.successor)
    for (table, row) in zip(tables, rows) { #expect(difference.rowsShowingChanges(in: table) == [row]) }
    for (table, row) in zip(tables, rows).suffix(5) { #expect(difference.rowsReachingChanges(in: table) == [row]) }
    for table in tables.dropLast(5) { #expect(difference.rowsReachingChanges(in: table).isEmpty) }
  }

  @Test mutating func aCycleEndsTheSearch() throws {
    let (first, last) = (dogs[0], dogs[6])
    _ = try kennel.change { kennel, write in
      try write.set(kennel.link(kennel.dogs, first), Cell(kennel.dogs, last, kennel.friend))
    }
    let cell = age(0)
    let difference = try kennel.change { try $1.set(5, cell) }
    #expect(difference.rowsReachingChanges(in: kennel.dogs) == Set([dogs[0], dogs[6], dogs[5], dogs[4], dogs[3]]))
  }

  private var weightOfToy: ObservedPath {
    ObservedPath([
      .property(kennel.persons, kennel.dog), .property(kennel.dogs, kennel.toy), .property(kennel.toys, kennel.weight),
    ])
  }

  @Test mutating func aChangeAtTheEndOfAPathIsFound() throws {
    let cell = Cell(kennel.toys, ball, kennel.weight)
    let difference = try kennel.change { try $1.set(5, cell) }
    #expect(difference.rows(changedOn: weightOfToy) == [ann])
  }

  @Test mutating func aChangeOnTheWayOfAPathIsFound() throws {
    let cell = Cell(kennel.dogs, dogs[0], kennel.toy)
    let difference = try kennel.change { try $1.set(.null, cell) }
    #expect(difference.rows(changedOn: weightOfToy) == [ann])
    let short = ObservedPath([.property(kennel.persons, kennel.name)])
    #expect(difference.rows(changedOn: short).isEmpty)
  }

  @Test mutating func aDeletionOnTheWayOfAPathIsFound() throws {
    let row = ObjectLink(kennel.toys, ball)
    let difference = try kennel.change { try $1.delete(row) }
    #expect(difference.rows(changedOn: weightOfToy) == [ann])
  }

  @Test mutating func aChangeBesideAPathIsNone() throws {
    let cells = [age(0), Cell(kennel.dogs, dogs[3], kennel.toy)]
    let toy = kennel.link(kennel.toys, ball)
    let difference = try kennel.change { _, write in
      try write.set(5, cells[0])
      try write.set(toy, cells[1])
    }
    #expect(difference.rows(changedOn: weightOfToy).isEmpty)
  }

  private var owners: ObservedPath {
    ObservedPath([.backlinks(kennel.dogs, origin: kennel.persons, kennel.pack)])
  }

  @Test mutating func gainedAndLostBacklinksAreChanges() throws {
    let cell = Cell(kennel.persons, ann, kennel.pack)
    let (one, two) = (kennel.link(kennel.dogs, dogs[1]), kennel.link(kennel.dogs, dogs[2]))
    let gained = try kennel.change { try $1.append(one, toList: cell) }
    #expect(gained.rows(changedOn: owners) == [dogs[1]])
    let twice = try kennel.change { try $1.append(one, toList: cell) }
    #expect(twice.rows(changedOn: owners) == [dogs[1]])
    let other = try kennel.change { try $1.append(two, toList: cell) }
    #expect(other.rows(changedOn: owners) == [dogs[2]])
    let row = ObjectLink(kennel.persons, ann)
    let lost = try kennel.change { try $1.delete(row) }
    #expect(lost.rows(changedOn: owners) == [dogs[1], dogs[2]])
  }

  @Test mutating func aPathGoesOnBehindBacklinks() throws {
    let names = ObservedPath([
      .backlinks(kennel.dogs, origin: kennel.persons, kennel.dog), .property(kennel.persons, kennel.name),
    ])
    let cell = Cell(kennel.persons, ann, kennel.name)
    let difference = try kennel.change { try $1.set(.string("Ann"), cell) }
    #expect(difference.rows(changedOn: names) == [dogs[0]])
  }
}
