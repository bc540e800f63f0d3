import FiefCopying
import FiefGraph
import Testing

@Suite struct InsertionPlannerTests {
  private let store: FakeStore

  init() throws { store = try FakeStore() }

  private func person(_ id: Int64, _ values: [String: SourceValue] = [:]) -> FakeObject {
    FakeObject("Person", values.merging(["id": .stored(.int(id))]) { value, _ in value })
  }

  private func refusal(_ code: CopyError.Code, _ body: () throws -> Void) -> String {
    let before = store.transaction.graph
    let error = #expect(throws: CopyError.self) { try body() }
    #expect(error?.code == code && store.transaction.graph == before)
    return error?.message ?? ""
  }

  // MARK: Dictionaries

  @Test func dictionariesBecomeRowsAndTheirLinks() throws {
    let keys = try store.create(
      "Person",
      [
        "id": 7, "name": "Ann", "pets": [["name": "Rex"], ["name": "Tom"]] as [Any], "home": ["city": "Rome"],
        "best": ["id": 8, "name": "Bob"] as [String: Any],
      ] as [String: Any])
    #expect(keys.count == 5 && store.count("Person") == 2 && store.count("Pet") == 2 && store.count("Home") == 1)
    let pets = store.targets("Person", keys[0], "pets")
    #expect(pets.map { store.value("Pet", $0, "name") } == [.string("Rex"), .string("Tom")])
    #expect(store.targets("Person", keys[0], "best").map { store.value("Person", $0, "name") } == [.string("Bob")])
    #expect(store.transaction.graph.checkInvariants() == [])
  }

  @Test func missingKeysTakeTheDefaultsOfOneInstance() throws {
    store.initialiser = { $0.values["name"] = .stored(.string("nobody")) }
    let keys = try store.create("Person", ["id": 7])
    #expect(store.value("Person", keys[0], "name") == .string("nobody") && store.made == ["Person"])
  }

  @Test func aRefusedValueIsNamedWithItsPath() {
    let pets: [Any] = [["name": "Rex"], ["name": ["a", "b"]]]
    let text = refusal(.invalidValue) { try store.create("Person", ["id": 7, "name": "Ann", "pets": pets]) }
    #expect(text.contains("Array<String> of 2 elements") && text.contains("'Pet.name' (at Person.pets[1].name)"))
    #expect(text.contains("expected String?"))
    let other = refusal(.invalidValue) { try store.create("Person", ["id": "seven"]) }
    #expect(other == "Invalid value 'seven' for property 'Person.id': expected Int.")
    #expect(refusal(.invalidValue) { try store.create("Person", 3) }.contains("cannot be created of 3"))
  }

  @Test func anEmbeddedClassNeedsAnOwner() {
    #expect(refusal(.invalidValue) { try store.create("Home", ["city": "Rome"]) }.contains("by itself"))
  }

  // MARK: Primary keys

  @Test func aKeyThatIsTakenIsRefusedOrUpdated() throws {
    let first = try store.create("Person", ["id": 7, "name": "Ann"])
    let text = refusal(.duplicatePrimaryKey) { try store.create("Person", ["id": 7, "name": "Eve"]) }
    #expect(text.contains("type 'Person' with an existing primary key value '7'"))
    let again = try store.create("Person", ["id": 7, "best": ["id": 8, "name": "Bob"] as [String: Any]], .modified)
    #expect(again[0] == first[0] && store.count("Person") == 2)
    #expect(store.value("Person", first[0], "name") == .string("Ann"))
  }

  @Test func aKeyThatOccursTwiceIsOneRow() throws {
    let best: [String: Any] = ["id": 7, "name": "Ann"]
    let keys = try store.create("Person", ["id": 7, "name": "?", "best": best], .modified)
    #expect(store.count("Person") == 1 && keys[0] == keys[1])
    #expect(store.value("Person", keys[0], "name") == .string("Ann"))
    #expect(store.targets("Person", keys[0], "best") == [keys[0]])
  }

  // MARK: Sharing and cycles

  @Test func aSharedObjectIsOneRow() throws {
    let rex = FakeObject("Pet", ["name": .stored(.string("Rex"))])
    let ann = person(7, ["pets": .collection(FakeCollection(rex, rex))])
    ann.values["best"] = .object(person(8, ["pets": .collection(FakeCollection(rex))]))
    for copies in [true, false] {
      let store = try FakeStore()
      let keys = try copies ? store.create("Person", ann) : store.add(ann)
      let pets = store.targets("Person", keys[0], "pets")
      #expect(store.count("Pet") == 1 && pets.count == 2 && pets[0] == pets[1])
      #expect(rex.mark == nil && (rex.row != nil) == !copies)
    }
  }

  @Test func cyclesAreAddedButNotCreated() throws {
    let (ann, rex) = (person(7), FakeObject("Pet"))
    ann.values["pets"] = .collection(FakeCollection(rex))
    rex.values["keeper"] = .object(ann)
    let text = refusal(.cycle) { try store.create("Person", ann) }
    #expect(text.contains("Person.pets[0].keeper -> Person") && ann.mark == nil && rex.mark == nil)
    var options = CopyOptions()
    options.cycles = .preserve
    try store.plan(PlanRequest(copying: options)) {
      _ = try $0.accept(ann, as: store["Person"], at: .root, current: nil)
    }
    #expect(store.count("Person") == 1 && ann.row == nil)
    try store.transaction.delete(ObjectLink(store["Person"].table, ObjectKey(0)))
    let keys = try store.add(ann)
    let pet = try #require(store.targets("Person", keys[0], "pets").first)
    #expect(store.targets("Pet", pet, "keeper") == [keys[0]] && ann.row?.key == keys[0])
  }

  // MARK: Ownership

  @Test func anEmbeddedObjectHasOneOwnerOrACopyForEach() throws {
    let home = FakeObject("Home", ["city": .stored(.string("Rome"))])
    let ann = person(7, ["home": .object(home), "best": .object(person(8, ["home": .object(home)]))])
    let text = refusal(.invalidValue) { try store.add(ann) }
    #expect(text.contains("at Person.best.home already has an owner, at Person.home") && home.mark == nil)
    try store.create("Person", ann)
    #expect(store.count("Home") == 2 && store.transaction.graph.checkInvariants() == [])
  }

  @Test func anEmbeddedObjectInsideItselfIsACycle() {
    let home = FakeObject("Home")
    home.values["annex"] = .object(home)
    let text = refusal(.cycle) { try store.create("Person", person(7, ["home": .object(home)])) }
    #expect(text.contains("Person.home.annex -> Person.home"))
  }

  // MARK: Any-values

  @Test func anyValuesNestListsAndDictionaries() throws {
    let note: [String: Any] = ["list": [1, "two"] as [Any], "pet": FakeObject("Pet")]
    try store.create("Person", ["id": 7, "note": note])
    #expect(store.count("Pet") == 1 && store.transaction.graph.checkInvariants() == [])
    let home = FakeObject("Home")
    #expect(refusal(.invalidValue) { try store.create("Person", ["id": 8, "note": home]) }.contains("not embedded"))
    #expect(refusal(.invalidValue) { try store.create("Person", ["id": 8, "note": ["a.b": 1]]) }.contains("'a.b'"))
  }

  @Test func aPlanCanBeReadAsADocument() throws {
    let planner = InsertionPlanner(store, store: store, transaction: store.transaction)
    planner.begin(PlanRequest(.copy, .error, root: .ingested))
    let value: [String: Any] = ["id": 7, "name": "Ann", "home": ["city": "Rome"], "note": [1, ["a": 2.0]] as [Any]]
    _ = try planner.enterRoot(value, store["Person"])
    try planner.walk()
    let json = String(decoding: DocumentPrinter.print(try planner.rootDocument(), []), as: UTF8.self)
    #expect(json == #"{"home":{"city":"Rome"},"id":7,"name":"Ann","note":[1,{"a":{"$double":"2.0"}}]}"#)
    #expect(store.count("Person") == 0)
    planner.finish()
  }

  // MARK: Rows of other stores

  @Test func rowsOfAnotherStoreAreCopiedOnceAndReadByName() throws {
    let other = try FakeStore()
    let (ann, rex) = (person(7), FakeObject("Pet", ["name": .stored(.string("Rex"))]))
    ann.values["pets"] = .collection(FakeCollection(rex, rex))
    try other.add(ann)
    #expect(refusal(.managedElsewhere) { try store.add(ann) }.contains("another Realm"))
    let keys = try store.create("Person", ann)
    let pets = store.targets("Person", keys[0], "pets")
    #expect(pets.count == 2 && pets[0] == pets[1] && store.value("Pet", pets[0], "name") == .string("Rex"))
    #expect(other.count("Pet") == 1 && store.count("Pet") == 1)
  }

  @Test func objectsOfTheStoreAreLinkedTo() throws {
    let rex = FakeObject("Pet")
    try store.add(rex)
    try store.create("Person", ["id": 7, "pets": [rex]])
    #expect(store.count("Pet") == 1)
    try store.transaction.delete(ObjectLink(store["Pet"].table, ObjectKey(0)))
    let text = refusal(.invalidValue) { try store.create("Person", ["id": 8, "pets": [rex]]) }
    #expect(text.contains("deleted or invalidated") && text.contains("Person.pets[0]"))
  }

  // MARK: Code of the application

  @Test func aKeyThatAnInitialiserTakesMakesThePlanStale() throws {
    store.initialiser = { [store] _ in
      try? store.change { transaction in
        _ = try transaction.create(in: store["Person"].table, primaryKey: .int(7)) { _ in }
      }
    }
    #expect(throws: StalePlan.self) { try store.create("Person", ["id": 7]) }
    #expect(store.count("Person") == 1)
  }

  @Test func aChangeThatThePlanDoesNotRelyOnLeavesItTrue() throws {
    store.initialiser = { [store] _ in
      try? store.change { transaction in
        _ = try transaction.create(in: store["Person"].table, primaryKey: .int(9)) { _ in }
      }
    }
    try store.create("Person", ["id": 7])
    #expect(store.count("Person") == 2)
  }

  @Test func anObjectThatAnotherStoreTakesMakesThePlanStale() throws {
    let (rex, other) = (FakeObject("Pet"), try FakeStore())
    let ann = person(7, ["pets": .collection(FakeCollection(rex))])
    let planner = InsertionPlanner(store, store: store, transaction: store.transaction)
    planner.begin(PlanRequest(.add, .error))
    _ = try planner.accept(ann, as: store["Person"], at: .root, current: nil)
    try planner.walk()
    // A store that is not the planner's leaves no trace in it but the missing mark.
    try other.add(rex)
    #expect(throws: StalePlan.self) { try planner.checkBeforeApplying(hasChanged: false) }
    planner.finish()
    #expect(store.count("Pet") == 0 && ann.mark == nil && rex.row?.store === other)
  }

  @Test func theErrorOfAFaultyObjectEndsThePlan() {
    struct Fault: Error {}
    let rex = FakeObject("Pet")
    rex.error = Fault()
    #expect(throws: Fault.self) { try store.add(person(7, ["pets": .collection(FakeCollection(rex))])) }
    #expect(store.count("Person") == 0)
  }
}
