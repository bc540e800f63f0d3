import FiefGraph
import FiefTestSupport
import Testing

/// Delete rules apply on every path that deletes the linking row.
struct DeleteRuleTests {
  /// The ways to give a person a dog.
  static let links: [(String, @Sendable (Kennel, ObjectKey, ObjectLink) throws -> Void)] = [
    ("single", { try $0.transaction.set(.link($2), $0.cell($1, $0.dog)) }),
    ("list", { try $0.transaction.append(.link($2), toList: $0.cell($1, $0.dogList)) }),
    ("set", { try $0.transaction.insert(.link($2), inSet: $0.cell($1, $0.pack)) }),
    ("dictionary", { try $0.transaction.set(.link($2), forKey: "a", inDictionary: $0.cell($1, $0.byName)) }),
  ]

  /// The ways to delete a person.
  static let deletes: [(String, @Sendable (Kennel, ObjectKey) throws -> Void)] = [
    ("delete", { try $0.transaction.delete(ObjectLink($0.persons, $1)) }),
    ("delete many", { try $0.transaction.delete([ObjectLink($0.persons, $1)]) }),
    ("clear", { kennel, _ in try kennel.transaction.clear(kennel.persons) }),
    ("clear several", { kennel, _ in try kennel.transaction.clear([kennel.persons, kennel.addresses]) }),
  ]

  @Test func theRuleDecidesForEveryShapeAndPath() throws {
    try withEvery("link", in: Self.links.indices) { link in
      try withEvery("delete", in: Self.deletes.indices) { delete in
        try withEvery("rule", in: DeleteRule.allCases) { rule in
          let kennel = try Kennel(rule: rule)
          let (ann, rex) = (try kennel.person(), try kennel.newDog())
          try Self.links[link].1(kennel, ann, rex)
          if rule == .deny {
            expectRefusal(.deleteDenied, kennel.transaction) { try Self.deletes[delete].1(kennel, ann) }
          } else {
            try Self.deletes[delete].1(kennel, ann)
            #expect(kennel.count(kennel.persons) == 0)
            #expect(kennel.graph.contains(rex) == (rule == .nullify))
          }
          #expect(kennel.graph.checkInvariants() == [])
        }
      }
    }
  }

  /// The ways to delete an address, with the position of the address in its owner.
  static let disposals:
    [(String, OwnedPosition, @Sendable (Kennel) -> ColumnKey, @Sendable (Kennel, Cell) throws -> Void)] = [
      ("set to null", .value, \.home, { try $0.transaction.set(.null, $1) }),
      ("replaced", .value, \.home, { try $0.transaction.createOwned(in: $0.addresses, by: $1, .value) }),
      ("taken from a list", .inserted(at: 0), \.homes, { try $0.transaction.remove(at: 0, fromList: $1) }),
      (
        "replaced in a list", .inserted(at: 0), \.homes,
        { try $0.transaction.createOwned(in: $0.addresses, by: $1, .element(at: 0)) }
      ),
      ("cut from a list", .inserted(at: 0), \.homes, { try $0.transaction.removeSubrange(0..<1, fromList: $1) }),
      ("list cleared", .inserted(at: 0), \.homes, { try $0.transaction.removeAll(from: $1) }),
      ("taken from a dictionary", .entry("a"), \.homeMap, { try $0.transaction.remove(key: "a", fromDictionary: $1) }),
      ("entry set to null", .entry("a"), \.homeMap, { try $0.transaction.set(.null, forKey: "a", inDictionary: $1) }),
      (
        "replaced in a dictionary", .entry("a"), \.homeMap,
        { try $0.transaction.createOwned(in: $0.addresses, by: $1, .entry("a")) }
      ),
      ("dictionary cleared", .entry("a"), \.homeMap, { try $0.transaction.removeAll(from: $1) }),
      ("owner deleted", .value, \.home, { try $0.transaction.delete($1.object) }),
      ("table cleared", .value, \.home, { kennel, _ in try kennel.transaction.clear(kennel.addresses) }),
      ("column removed", .value, \.home, { try $0.transaction.removeColumn($1.column, of: $1.table) }),
    ]

  @Test func theRuleDecidesWhenAnEmbeddedRowGoesByItsOwner() throws {
    try withEvery("way", in: Self.disposals.indices) { way in
      try withEvery("rule", in: DeleteRule.allCases) { rule in
        try withEvery("depth", in: 0..<3) { depth in
          let kennel = try Kennel(petRule: rule)
          let (_, spot, column, dispose) = Self.disposals[way]
          let (ann, rex) = (try kennel.person(), try kennel.newDog())
          let cell = kennel.cell(ann, column(kennel))
          var address = try kennel.transaction.createOwned(in: kennel.addresses, by: cell, spot)
          for _ in 0..<depth {
            address = try kennel.transaction.createOwned(
              in: kennel.addresses, by: Cell(kennel.addresses, address, kennel.inner), .value)
          }
          try kennel.transaction.set(.link(rex), Cell(kennel.addresses, address, kennel.pet))
          let savepoint = kennel.transaction.savepoint()
          let before = kennel.graph
          if rule == .deny {
            expectRefusal(.deleteDenied, kennel.transaction) { try dispose(kennel, cell) }
          } else {
            try dispose(kennel, cell)
            #expect(!kennel.graph.contains(kennel.address(address)))
            #expect(kennel.graph.contains(rex) == (rule == .nullify))
            #expect(kennel.graph.checkInvariants() == [])
            kennel.transaction.goBack(to: savepoint)
            #expect(kennel.graph == before)
            #expect(kennel.graph.contains(rex))
          }
        }
      }
    }
  }

  @Test func aTargetThatGoesAnywayDeniesNothing() throws {
    let kennel = try Kennel(rule: .deny)
    let (ann, rex) = (try kennel.person(), try kennel.newDog())
    try kennel.transaction.set(.link(rex), kennel.cell(ann, kennel.dog))
    expectRefusal(.deleteDenied, kennel.transaction) { try kennel.transaction.clear(kennel.persons) }
    try kennel.transaction.delete(rex)
    #expect(kennel.graph.value(kennel.cell(ann, kennel.dog)) == .null)
    let max = try kennel.newDog("Max")
    try kennel.transaction.set(.link(max), kennel.cell(ann, kennel.dog))
    try kennel.transaction.delete([ObjectLink(kennel.persons, ann), max])
    #expect(kennel.count(kennel.persons) == 0 && kennel.count(kennel.dogs) == 0)
  }

  @Test func cascadesGoInCircles() throws {
    let transaction = Transaction(.empty)
    let rows = try transaction.addTable("Row")
    let next = try transaction.addColumn(to: rows, "next", .link(to: rows), deleteRule: .cascade)
    let others = try transaction.addColumn(to: rows, "others", .link(to: rows, shape: .list), deleteRule: .cascade)
    let keys = try (0..<10).map { _ in try transaction.create(in: rows) }
    for (index, key) in keys.enumerated() {
      try transaction.set(.link(ObjectLink(rows, keys[(index + 1) % 8])), Cell(rows, key, next))
      try transaction.append(.link(ObjectLink(rows, key)), toList: Cell(rows, key, others))
    }
    try transaction.delete(ObjectLink(rows, keys[3]))
    // The eight rows of the cycle are deleted. The two rows outside that link into it lose only their links.
    #expect(transaction.graph[rows]?.count == 2)
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func anOwnerDoesNotReplaceWhatWouldTakeItAlong() throws {
    let transaction = Transaction(.empty)
    let owners = try transaction.addTable("Owner")
    let parts = try transaction.addTable("Part", kind: .embedded)
    let part = try transaction.addColumn(to: owners, "part", .link(to: parts))
    let back = try transaction.addColumn(to: parts, "back", .link(to: owners), deleteRule: .cascade)
    let owner = try transaction.create(in: owners)
    let cell = Cell(owners, owner, part)
    let first = try transaction.createOwned(in: parts, by: cell, .value)
    try transaction.set(.link(ObjectLink(owners, owner)), Cell(parts, first, back))
    expectRefusal(.deleteDenied, transaction) { try transaction.createOwned(in: parts, by: cell, .value) }
    // Setting the link to null deletes the owner, too, as the rule requires.
    try transaction.set(.null, cell)
    #expect(transaction.graph[owners]?.count == 0 && transaction.graph[parts]?.count == 0)
    #expect(transaction.graph.checkInvariants() == [])
  }

  @Test func anOwnerGoesWithWhatIsTakenOutOfItsCollections() throws {
    let ways: [(ColumnShape, OwnedPosition, (Transaction, Cell) throws -> Void)] = [
      (.list, .inserted(at: 0), { try $0.remove(at: 0, fromList: $1) }),
      (.list, .inserted(at: 0), { try $0.removeAll(from: $1) }),
      (.dictionary, .entry("a"), { try $0.set(.null, forKey: "a", inDictionary: $1) }),
      (.dictionary, .entry("a"), { try $0.remove(key: "a", fromDictionary: $1) }),
    ]
    for (shape, place, remove) in ways {
      let transaction = Transaction(.empty)
      let owners = try transaction.addTable("Owner")
      let parts = try transaction.addTable("Part", kind: .embedded)
      let column = try transaction.addColumn(to: owners, "parts", .link(to: parts, shape: shape))
      let back = try transaction.addColumn(to: parts, "back", .link(to: owners), deleteRule: .cascade)
      let owner = try transaction.create(in: owners)
      let cell = Cell(owners, owner, column)
      let part = try transaction.createOwned(in: parts, by: cell, place)
      try transaction.set(.link(ObjectLink(owners, owner)), Cell(parts, part, back))
      try remove(transaction, cell)
      #expect(transaction.graph[owners]?.count == 0 && transaction.graph[parts]?.count == 0)
      #expect(transaction.graph.checkInvariants() == [])
    }
  }
}
