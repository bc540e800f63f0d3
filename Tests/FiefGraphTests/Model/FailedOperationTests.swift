import FiefGraph
import FiefTestSupport
import Testing

/// A refused operation changes nothing, and its error identifies the reason.
struct FailedOperationTests {
  /// A graph in which every error can occur.
  struct Stage {
    let kennel: Kennel
    let ann: ObjectKey
    let rex: ObjectLink
    let max: ObjectLink
    let home: ObjectKey
    let number: ColumnKey
    let word: ColumnKey
    let keyed: TableKey
    let logs: TableKey

    var transaction: Transaction { kennel.transaction }

    init() throws {
      let kennel = try Kennel(rule: .deny, petRule: .deny)
      self.kennel = kennel
      let t = kennel.transaction
      ann = try kennel.person()
      rex = try kennel.newDog()
      max = try kennel.newDog("Max")
      keyed = try t.addTable("Keyed")
      let word: ColumnKey
      number = try t.addColumn(to: keyed, "number", ColumnType(.int, isOptional: true, width: .bits16))
      word = try t.addColumn(to: keyed, "word", ColumnType(.string, isOptional: true))
      try t.setPrimaryKey(number, of: keyed)
      try t.addIndex(IndexDefinition([word], isUnique: true), to: keyed)
      for key in [Int64(1), 2] {
        try t.create(in: keyed, primaryKey: .int(key)) { try $0.set("word \(key)", word) }
      }
      self.word = word
      logs = try t.addTable("Log", kind: .asymmetric)
      try t.create(in: logs)
      home = try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.home), .value)
      try t.createOwned(in: kennel.addresses, by: kennel.cell(ann, kennel.homes), .inserted(at: 0)) {
        try $0.set("Main Street", kennel.street)
      }
      for link in [rex, max, rex] { try t.append(.link(link), toList: kennel.cell(ann, kennel.dogList)) }
      try t.insert(.link(rex), inSet: kennel.cell(ann, kennel.pack))
      try t.set(.link(rex), forKey: "a", inDictionary: kennel.cell(ann, kennel.byName))
      try t.set(.link(rex), Cell(kennel.addresses, home, kennel.pet))
      try t.addIndex(IndexDefinition([kennel.dogName]), to: kennel.dogs)
    }
  }

  @Test func refusedRowsAreNotThere() throws {
    let stage = try Stage()
    let (t, kennel) = (stage.transaction, stage.kennel)
    struct Stop: Error {}
    expectRefusal(.missingObject, t) { try t.create(in: TableKey(rawValue: 99)) }
    expectRefusal(.ownership, t) { try t.create(in: kennel.addresses) }
    expectRefusal(.invalidValue, t) { try t.create(in: stage.keyed) }
    expectRefusal(.invalidValue, t) { try t.create(in: kennel.dogs, primaryKey: .int(1)) }
    expectRefusal(.invalidValue, t) { try t.create(in: stage.keyed, primaryKey: .string("1")) }
    expectRefusal(.invalidValue, t) { try t.create(in: stage.keyed, primaryKey: .int(40_000)) }
    expectRefusal(.duplicatePrimaryKey, t) { try t.create(in: stage.keyed, primaryKey: .int(1)) }
    expectRefusal(.uniqueConstraint, t) {
      try t.create(in: stage.keyed, primaryKey: .int(3)) { try $0.set("word 1", stage.word) }
    }
    expectRefusal(.invalidValue, t) {
      try t.create(in: kennel.dogs) {
        try $0.set("a", kennel.dogName)
        try $0.set(Int64(128), kennel.age)
      }
    }
    expectRefusal(.invalidValue, t) { try t.create(in: kennel.persons) { try $0.set(.null, kennel.name) } }
    expectRefusal(.invalidValue, t) { try t.create(in: kennel.persons) { try $0.set(.link(stage.rex), kennel.dog) } }
    expectRefusal(.missingObject, t) { try t.create(in: kennel.persons) { try $0.set(1, ColumnKey(rawValue: 70)) } }
    let before = t.graph
    #expect(throws: Stop.self) { try t.create(in: kennel.dogs) { _ in throw Stop() } }
    #expect(throws: Stop.self) {
      try t.createOwned(in: kennel.addresses, by: kennel.cell(stage.ann, kennel.homeMap), .entry("a")) { _ in
        throw Stop()
      }
    }
    #expect(t.graph == before)
    // The refused row used no key.
    #expect(try t.create(in: kennel.dogs) == ObjectKey(2))
  }

  @Test func refusedValuesAreNotThere() throws {
    let stage = try Stage()
    let (t, kennel) = (stage.transaction, stage.kennel)
    let (list, set) = (kennel.cell(stage.ann, kennel.dogList), kennel.cell(stage.ann, kennel.pack))
    let (map, dead) = (kennel.cell(stage.ann, kennel.byName), Cell(kennel.persons, ObjectKey(50), kennel.dogList))
    let (good, gone) = (Value.link(stage.rex), Value.link(ObjectLink(kennel.dogs, ObjectKey(50))))
    let row = Cell(stage.keyed, ObjectKey(0), stage.number)
    let log = Value.link(ObjectLink(stage.logs, ObjectKey(0)))
    expectRefusal(.invalidValue, t) { try t.set(.int(1), kennel.cell(stage.ann, kennel.name)) }
    expectRefusal(.invalidValue, t) { try t.set(Int64(1), kennel.cell(stage.ann, kennel.name)) }
    expectRefusal(.invalidValue, t) { try t.set(String?.none, kennel.cell(stage.ann, kennel.name)) }
    expectRefusal(.invalidValue, t) { try t.set(Int64(-129), Cell(kennel.dogs, stage.rex.key, kennel.age)) }
    expectRefusal(.invalidValue, t) { try t.set(good, list) }
    expectRefusal(.invalidValue, t) { try t.set(log, kennel.cell(stage.ann, kennel.any)) }
    expectRefusal(.missingObject, t) { try t.set(gone, kennel.cell(stage.ann, kennel.dog)) }
    expectRefusal(.missingObject, t) { try t.set("a", Cell(kennel.persons, ObjectKey(50), kennel.name)) }
    expectRefusal(.duplicatePrimaryKey, t) { try t.set(Int64(2), row) }
    expectRefusal(.uniqueConstraint, t) { try t.set("word 2", Cell(stage.keyed, ObjectKey(0), stage.word)) }
    // The first values are valid: all values are checked before the first is inserted.
    expectRefusal(.missingObject, t) { try t.insert(contentsOf: [good, good, gone], at: 1, inList: list) }
    expectRefusal(.invalidValue, t) { try t.replaceSubrange(0..<2, with: [good, .null], inList: list) }
    expectRefusal(.missingObject, t) { try t.replace(at: 0, with: gone, inList: list) }
    expectRefusal(.invalidValue, t) { try t.append(.int(1), toList: list) }
    expectRefusal(.missingObject, t) { try t.append(good, toList: dead) }
    expectRefusal(.missingObject, t) { try t.remove(at: 0, fromList: dead) }
    expectRefusal(.missingObject, t) { try t.removeAll(from: dead) }
    expectRefusal(.missingObject, t) { try t.move(from: 0, to: 0, inList: dead) }
    expectRefusal(.invalidValue, t) { try t.swapAt(0, 0, inList: set) }
    expectRefusal(.invalidValue, t) { try t.remove(at: 0, fromList: kennel.cell(stage.ann, kennel.name)) }
    expectRefusal(.invalidValue, t) { try t.removeAll(from: kennel.cell(stage.ann, kennel.name)) }
    expectRefusal(.missingObject, t) { try t.formUnion([.link(stage.max), gone], inSet: set) }
    expectRefusal(.invalidValue, t) { try t.insert(.null, inSet: set) }
    expectRefusal(.invalidValue, t) { try t.remove(good, fromSet: list) }
    expectRefusal(.missingObject, t) { try t.subtract([], fromSet: Cell(kennel.persons, ObjectKey(50), kennel.pack)) }
    expectRefusal(.invalidValue, t) { try t.formIntersection([], inSet: map) }
    expectRefusal(.missingObject, t) { try t.set(gone, forKey: "a", inDictionary: map) }
    expectRefusal(.invalidValue, t) { try t.set(.int(1), forKey: "b", inDictionary: map) }
    expectRefusal(.invalidValue, t) { try t.remove(key: "a", fromDictionary: list) }
  }

  @Test func refusedDeletesTakeNothing() throws {
    let stage = try Stage()
    let (t, kennel) = (stage.transaction, stage.kennel)
    let ann = ObjectLink(kennel.persons, stage.ann)
    expectRefusal(.deleteDenied, t) { try t.delete(ann) }
    expectRefusal(.deleteDenied, t) { try t.delete([stage.max, ann]) }
    expectRefusal(.deleteDenied, t) { try t.clear(kennel.persons) }
    expectRefusal(.deleteDenied, t) { try t.clear([stage.keyed, kennel.addresses]) }
    expectRefusal(.missingObject, t) { try t.clear([stage.keyed, TableKey(rawValue: 99)]) }
    expectRefusal(.missingObject, t) { try t.delete(ObjectLink(kennel.dogs, ObjectKey(-1))) }
    expectRefusal(.deleteDenied, t) { try t.set(.null, kennel.cell(stage.ann, kennel.home)) }
    expectRefusal(.deleteDenied, t) {
      try t.createOwned(in: kennel.addresses, by: kennel.cell(stage.ann, kennel.home), .value)
    }
    expectRefusal(.deleteDenied, t) { try t.removeColumn(kennel.home, of: kennel.persons) }
  }

  @Test func refusedSchemaChangesAreNotMade() throws {
    let stage = try Stage()
    let (t, kennel) = (stage.transaction, stage.kennel)
    let (persons, dogs, keyed) = (kennel.persons, kennel.dogs, stage.keyed)
    let nowhere = TableKey(rawValue: 99)
    expectRefusal(.invalidSchema, t) { _ = try t.addTable("Dog") }
    expectRefusal(.invalidSchema, t) { _ = try t.addTable("") }
    expectRefusal(.invalidSchema, t) { try t.renameTable(persons, to: "Dog") }
    expectRefusal(.invalidSchema, t) { try t.renameTable(.nestedLists, to: "Lists") }
    expectRefusal(.invalidSchema, t) { try t.removeTable(dogs) }
    expectRefusal(.missingObject, t) { try t.removeTable(nowhere) }
    expectRefusal(.invalidSchema, t) { try t.addColumn(to: dogs, "age", ColumnType(.int)) }
    expectRefusal(.invalidSchema, t) { try t.addColumn(to: dogs, "new", .link(to: nowhere)) }
    expectRefusal(.invalidSchema, t) { try t.addColumn(to: dogs, "new", .link(to: stage.logs)) }
    expectRefusal(.invalidSchema, t) { try t.addColumn(to: dogs, "new", .link(to: kennel.addresses, shape: .set)) }
    expectRefusal(.invalidValue, t) { try t.addColumn(to: dogs, "new", ColumnType(.int), value: .string("a")) }
    expectRefusal(.missingObject, t) { try t.removeColumn(ColumnKey(rawValue: 99), of: dogs) }
    expectRefusal(.invalidSchema, t) { try t.renameColumn(kennel.age, of: dogs, to: "name") }
    expectRefusal(.invalidSchema, t) { try t.setDeleteRule(.cascade, ofColumn: kennel.age, of: dogs) }
    expectRefusal(.invalidSchema, t) { try t.setPrimaryKey(kennel.dog, of: persons) }
    expectRefusal(.duplicatePrimaryKey, t) { try t.setPrimaryKey(kennel.age, of: dogs) }
    expectRefusal(.invalidSchema, t) { try t.addIndex(IndexDefinition([stage.word]), to: keyed) }
    expectRefusal(.invalidSchema, t) { try t.addIndex(IndexDefinition([kennel.dog]), to: persons) }
    expectRefusal(.uniqueConstraint, t) { try t.addIndex(IndexDefinition([kennel.age], isUnique: true), to: dogs) }
    expectRefusal(.invalidSchema, t) { try t.removeIndex(over: [stage.number], of: keyed) }
  }

  /// Several kinds share a stored form. Because of that, removing `true` from a set of integers once removed 1.
  @Test func aSetKnowsItsElementsByKind() throws {
    let transaction = Transaction(.empty)
    let rows = try transaction.addTable("Row")
    let others = try transaction.addTable("Other")
    let ints = try transaction.addColumn(to: rows, "ints", ColumnType(.int, shape: .set))
    let links = try transaction.addColumn(to: rows, "links", .link(to: rows, shape: .set))
    let row = try transaction.create(in: rows)
    try transaction.create(in: others)
    let (intCell, linkCell) = (Cell(rows, row, ints), Cell(rows, row, links))
    try transaction.formUnion([.int(0), .int(1)], inSet: intCell)
    try transaction.insert(.link(ObjectLink(rows, row)), inSet: linkCell)
    #expect(try !transaction.remove(.bool(true), fromSet: intCell))
    #expect(!transaction.contains(.double(1), inSet: intCell))
    #expect(try !transaction.remove(.link(ObjectLink(others, row)), fromSet: linkCell))
    #expect(try !transaction.remove(.int(0), fromSet: linkCell))
    try transaction.formIntersection([.bool(true), .int(0)], inSet: intCell)
    #expect(transaction.graph.values(intCell) == [.int(0)])
  }
}
