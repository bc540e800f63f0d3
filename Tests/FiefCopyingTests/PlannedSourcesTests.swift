import FiefCopying
import FiefGraph
import FiefValues
import Foundation
import Testing

/// Sources of other kinds than dictionaries and objects, and the limits of a plan.
@Suite struct PlannedSourcesTests {
  private let store: FakeStore

  init() throws { store = try FakeStore() }

  private func refusal(_ code: CopyError.Code = .invalidValue, _ body: () throws -> Void) -> String {
    let before = store.transaction.graph
    let error = #expect(throws: CopyError.self) { try body() }
    #expect(error?.code == code && store.transaction.graph == before)
    return error?.message ?? ""
  }

  private func copy(_ object: FakeObject, _ options: CopyOptions) throws -> [ObjectKey] {
    try store.plan(PlanRequest(copying: options)) { _ = try $0.enterRoot(object, store[object.className]) }
  }

  // MARK: Arrays

  @Test func anArrayHasAValueForEachProperty() throws {
    let pets: [Any] = [["Rex"], [NSNull()]]
    let keys = try store.create("Person", [7, "Ann", NSNull(), pets] as [Any])
    #expect(
      store.value("Person", keys[0], "name") == .string("Ann") && store.targets("Person", keys[0], "pets").count == 2)
  }

  @Test func anArrayWithTooManyValuesIsRefused() {
    #expect(refusal { try store.create("Pet", ["Rex", NSNull(), 1] as [Any]) }.contains("it has 3 values"))
  }

  @Test func aValueInAnArrayIsNamedByItsProperty() {
    #expect(refusal { try store.create("Person", [7, 8] as [Any]) }.contains("'Person.name'"))
    #expect(refusal { try store.create("Person", ["x"] as [Any]) }.contains("'Person.id'"))
  }

  // MARK: Documents

  private func create(_ json: String) throws -> [ObjectKey] {
    let tree = try parse(json)
    return try store.plan(PlanRequest(.copy, .modified, root: .seeded)) {
      _ = try $0.enterRoot(tree.untyped(tree.root), store["Person"])
    }
  }

  @Test func anObjectOfADocumentBecomesARow() throws {
    let keys = try create(#"{"id": 7, "name": "Ann", "pets": [{"name": "Rex"}, ["Tom"]], "home": {"city": "Rome"}}"#)
    #expect(store.value("Person", keys[0], "name") == .string("Ann") && store.count("Home") == 1)
    #expect(
      store.targets("Person", keys[0], "pets").map { store.value("Pet", $0, "name") } == [
        .string("Rex"), .string("Tom"),
      ])
  }

  @Test func keysOfADocumentThatAreOnlyEquivalentStayApart() throws {
    let keys = try create(#"{"id": 7, "note": {"é": 1, "e\u0301": 2}}"#)
    let link = try #require(store.value("Person", keys[0], "note")?.linked)
    let contents = store.transaction.graph.collection(Cell(link.table, link.key, .nestedElements))
    #expect(contents?.count == 2 && store.transaction.graph.checkInvariants() == [])
  }

  @Test(arguments: [
    (#"{"id":7,"nam":1}"#, "Person", "'nam'"), (#"{"id":7,"pets":[{"z":1}]}"#, "Person.pets[0]", "'z'"),
  ])
  func aNameThatAClassDoesNotHaveIsRefused(_ json: String, _ path: String, _ name: String) {
    let error = #expect(throws: UnknownName.self) { _ = try create(json) }
    #expect(error?.path == path && error?.message.contains(name) == true && store.count("Person") == 0)
  }

  @Test func aKeyOfADocumentUpdatesItsRow() throws {
    let keys = try create(#"{"id": 7, "name": "Ann", "best": {"id": 7, "name": "Eve"}}"#)
    #expect(store.count("Person") == 1 && store.value("Person", keys[0], "name") == .string("Eve"))
  }

  @Test func aDeepDocumentIsPlannedWithoutRecursion() throws {
    let (open, close) = (String(repeating: "[", count: 20_000), String(repeating: "]", count: 20_000))
    _ = try create(#"{"id": 7, "note": \#(open)\#(close)}"#)
    #expect(store.count("Person") == 1)
  }

  // MARK: Links

  @Test func nullIsALinkToNothing() throws {
    let keys = try store.create(
      "Person", ["id": 7, "best": NSNull(), "home": Optional<Int>.none as Any] as [String: Any])
    #expect(store.value("Person", keys[0], "best") == .null)
  }

  @Test(arguments: [3, "Rex", 2.5] as [any Sendable]) func aScalarIsNoLink(_ value: any Sendable) {
    #expect(
      refusal { try store.create("Person", ["id": 7, "best": value] as [String: Any]) }.contains("expected Person"))
  }

  @Test func anObjectOfAnotherClassIsReadByNames() throws {
    let home = FakeObject("Home", ["city": .stored(.string("Rome"))])
    let text = refusal { try store.create("Person", ["id": 7, "best": home] as [String: Any]) }
    #expect(text.contains("of which it lacks 'id'"))
    let pet = FakeObject("Pet", ["name": .stored(.string("Rex"))])
    #expect(refusal { try store.create("Person", pet) }.contains("has no property 'id'"))
  }

  @Test func aScalarIsNoCollection() {
    #expect(refusal { try store.create("Person", ["id": 7, "pets": 3] as [String: Any]) }.contains("'Person.pets'"))
    #expect(
      refusal { try store.create("Person", ["id": 7, "pets": ["a": 1]] as [String: Any]) }.contains("a dictionary"))
  }

  @Test func requiredValuesAreNotNull() {
    #expect(
      refusal { try store.create("Person", ["id": 7, "name": NSNull()] as [String: Any]) }.contains("it is required"))
  }

  // MARK: Options of copies

  private func chain(_ count: Int) -> FakeObject {
    var next: FakeObject?
    for id in (0..<count).reversed() {
      let person = FakeObject("Person", ["id": .stored(.int(Int64(id)))])
      if let next { person.values["best"] = .object(next) }
      next = person
    }
    return next ?? FakeObject("Person")
  }

  @Test(arguments: [(0, 1), (1, 2), (3, 4), (9, 5)]) func aDepthEndsTheCopy(_ depth: Int, _ count: Int) throws {
    _ = try copy(chain(5), CopyOptions(depth: depth))
    #expect(store.count("Person") == count)
  }

  @Test func anAnyValueBeyondTheDepthIsNull() throws {
    let ann = FakeObject("Person", ["id": .stored(.int(7)), "note": .object(FakeObject("Pet"))])
    let keys = try copy(ann, CopyOptions(depth: 0))
    #expect(store.value("Person", keys[0], "note") == .null && store.count("Pet") == 0)
  }

  @Test func aPropertyThatIsLeftOutHasItsDefault() throws {
    store.initialiser = { if $0.className == "Person" { $0.values["name"] = .stored(.string("nobody")) } }
    let ann = FakeObject("Person", ["id": .stored(.int(7)), "name": .stored(.string("Ann"))])
    let keys = try copy(ann, CopyOptions(properties: .matching { _, name in name != "name" }))
    #expect(
      store.value("Person", keys[0], "name") == .string("nobody") && store.value("Person", keys[0], "id") == .int(7))
  }

  @Test func anIntegerKeyIsNotMadeAnew() {
    let text = refusal { _ = try copy(FakeObject("Person"), CopyOptions(keys: .regenerate)) }
    #expect(text.contains("'Person.id' of type Int cannot be regenerated"))
  }

  @Test func aKeyThatIsTakenIsMerged() throws {
    try store.create("Person", ["id": 7, "name": "Ann"])
    let eve = FakeObject("Person", ["id": .stored(.int(7)), "name": .stored(.string("Eve"))])
    let keys = try copy(eve, CopyOptions(keys: .merge))
    #expect(store.count("Person") == 1 && store.value("Person", keys[0], "name") == .string("Eve"))
    #expect(refusal(.duplicatePrimaryKey) { _ = try copy(eve, CopyOptions()) }.contains("'7'"))
  }

  // MARK: Limits

  @Test func aLongChainIsPlannedWithoutRecursion() throws {
    let first = chain(20_000)
    try store.create("Person", first)
    #expect(store.count("Person") == 20_000)
    var next: FakeObject? = first
    while case .object(let object)? = next?.values.removeValue(forKey: "best") { next = object as? FakeObject }
  }

  @Test func aLadderOfOwnedObjectsIsRefusedSomeWhere() {
    // Each home has an annex of its own in each copy: owners that share owned objects double at each level.
    var note = FakeCollection([], isNestedList: true)
    for _ in 0..<40 { note = FakeCollection([(nil, .collection(note)), (nil, .collection(note))], isNestedList: true) }
    let ann = FakeObject("Person", ["id": .stored(.int(7)), "note": .collection(note)])
    #expect(refusal { try store.create("Person", ann) }.contains("stand in several places"))
  }

  @Test func aContainerInsideItselfIsACycle() {
    let array = NSMutableArray()
    array.add(array)
    defer { array.removeAllObjects() }
    #expect(refusal(.cycle) { try store.create("Person", ["id": 7, "note": array]) }.contains("contains itself"))
  }

  @Test func aUsedPlannerIsEmpty() throws {
    let planner = InsertionPlanner(store, store: store, transaction: store.transaction)
    for id in 0..<3 {
      planner.begin(PlanRequest(.copy, .error))
      _ = try planner.enterRoot(["id": id, "pets": [["name": "x"]]] as [String: Any], store["Person"])
      try planner.walk()
      #expect(planner.plan.rows.count == 2)
      planner.finish()
      #expect(planner.plan.rows.isEmpty && planner.plan.cells.isEmpty && planner.plan.elements.isEmpty)
    }
    #expect(store.count("Person") == 0)
  }
}
