import FiefCopying
import FiefGraph
import FiefRuntime
import FiefValues
import Foundation
import Testing

/// Plans that change rows which are there, and walks of objects.
@Suite struct PlannedUpdatesTests {
  private let store: FakeStore

  init() throws { store = try FakeStore() }

  private func pets(_ names: String...) -> [[String: Any]] { names.map { ["name": $0] } }

  private func names(_ key: ObjectKey) -> [Value?] {
    store.targets("Person", key, "pets").map { store.value("Pet", $0, "name") }
  }

  // MARK: Policies

  @Test(arguments: [PlanPolicy.modified, .all]) func aMissingKeyKeepsItsValue(_ policy: PlanPolicy) throws {
    let key = try store.create("Person", ["id": 7, "name": "Ann"])[0]
    try store.create("Person", ["id": 7, "note": 3], policy)
    #expect(store.value("Person", key, "name") == .string("Ann") && store.value("Person", key, "note") == .int(3))
  }

  @Test(arguments: [PlanPolicy.modified, .all]) func aListBecomesTheGivenOne(_ policy: PlanPolicy) throws {
    let key = try store.create("Person", ["id": 7, "pets": pets("Rex", "Tom", "Max")])[0]
    try store.create("Person", ["id": 7, "pets": pets("Rex", "Eve")], policy)
    #expect(names(key) == [.string("Rex"), .string("Eve")])
  }

  @Test func objectsWithoutAKeyAreChangedInPlaceWhereOnlyDifferencesAreWritten() throws {
    let key = try store.create("Person", ["id": 7, "pets": pets("Rex")])[0]
    let pet = store.targets("Person", key, "pets")
    try store.create("Person", ["id": 7, "pets": pets("Tom")], .modified)
    #expect(store.targets("Person", key, "pets") == pet && names(key) == [.string("Tom")])
    try store.create("Person", ["id": 7, "pets": pets("Max")], .all)
    #expect(store.targets("Person", key, "pets") != pet && names(key) == [.string("Max")])
  }

  @Test(arguments: [(PlanPolicy.modified, true), (.all, false)])
  func anEmbeddedObjectIsChangedOrReplaced(_ policy: PlanPolicy, _ staysWhole: Bool) throws {
    let key = try store.create(
      "Person", ["id": 7, "home": ["city": "Rome", "annex": ["city": "Oslo"]] as [String: Any]])[0]
    try store.create("Person", ["id": 7, "home": ["city": "Bern"]] as [String: Any], policy)
    let home = try #require(store.targets("Person", key, "home").first)
    #expect(store.value("Home", home, "city") == .string("Bern"))
    #expect(
      store.targets("Home", home, "annex").isEmpty == !staysWhole && store.transaction.graph.checkInvariants() == [])
  }

  @Test func nullEmptiesACollectionAndALink() throws {
    let key = try store.create("Person", ["id": 7, "pets": pets("Rex"), "home": ["city": "Rome"]] as [String: Any])[0]
    try store.create("Person", ["id": 7, "pets": NSNull(), "home": NSNull()] as [String: Any], .modified)
    #expect(names(key).isEmpty && store.value("Person", key, "home") == .null && store.count("Home") == 0)
  }

  @Test func anUnmanagedObjectUpdatesItsRow() throws {
    let key = try store.create("Person", ["id": 7, "name": "Ann", "pets": pets("Rex")])[0]
    let eve = FakeObject("Person", ["id": .stored(.int(7)), "name": .stored(.string("Eve"))])
    #expect(try store.add(eve, .modified)[0] == key && eve.row?.key == key)
    #expect(store.value("Person", key, "name") == .string("Eve"))
  }

  @Test func aRefusedPlanKeepsTheStore() throws {
    try store.create("Person", ["id": 7, "name": "Ann"])
    let before = store.transaction.graph
    let value: [String: Any] = ["id": 8, "best": ["id": 9], "pets": [["name": 3]]]
    #expect(throws: CopyError.self) { try store.create("Person", value) }
    #expect(store.transaction.graph == before)
  }

  @Test func aChangeOfOnePropertyLeavesTheOthers() throws {
    let key = try store.create("Person", ["id": 7, "name": "Ann", "pets": pets("Rex")])[0]
    try store.plan(PlanRequest(.add, .error)) {
      $0.enter("pets", value: [FakeObject("Pet")], of: key, as: store["Person"])
    }
    #expect(names(key) == [.null] && store.value("Person", key, "name") == .string("Ann"))
  }

  // MARK: Defaults

  @Test func aDefaultThatIsAnObjectIsCopied() throws {
    store.initialiser = { object in
      if object.className == "Person" {
        object.values["home"] = .object(FakeObject("Home", ["city": .stored(.string("Rome"))]))
      }
    }
    let key = try store.create("Person", ["id": 7])[0]
    #expect(store.targets("Person", key, "home").map { store.value("Home", $0, "city") } == [.string("Rome")])
  }

  @Test func anUpdateAsksForNoInstance() throws {
    try store.create("Person", ["id": 7])
    let made = store.made.count
    try store.create("Person", ["id": 7, "name": "Ann"], .modified)
    #expect(store.made.count == made)
  }

  @Test func theKeyOfANewRowMayBeADefault() throws {
    store.initialiser = { $0.values["id"] = .stored(.int(42)) }
    let key = try store.create("Person", ["name": "Ann"])[0]
    #expect(store.value("Person", key, "id") == .int(42))
  }

  @Test func aFaultyInstanceEndsThePlan() {
    struct Fault: Error {}
    store.initialiser = { $0.error = Fault() }
    #expect(throws: Fault.self) { try store.create("Person", ["id": 7]) }
    #expect(store.count("Person") == 0)
  }

  // MARK: Rows of other stores

  private func twoStores() throws -> (FakeStore, FakeStore) {
    let declarations = FakeStore.declare()
    return (try FakeStore(declarations), try FakeStore(declarations))
  }

  @Test(.enabled(if: ShortCut.rowCopies.isOn)) func aRowOfAnEqualClassIsCopiedWithoutAPlan() throws {
    let (source, target) = try twoStores()
    let ann = FakeObject("Person", ["id": .stored(.int(7))])
    try source.add(ann)
    let planner = InsertionPlanner(target, store: target, transaction: target.transaction)
    planner.begin(PlanRequest(.copy, .error))
    guard case .copied(let key) = try planner.enterRoot(ann, target["Person"]) else {
      Issue.record("A row of an equal class was planned.")
      return
    }
    #expect(target.value("Person", key, "id") == .int(7) && planner.plan.rows.isEmpty)
    planner.finish()
  }

  @Test(arguments: [true, false]) func aRowWhoseKeyIsTakenIsPlanned(_ isUpdate: Bool) throws {
    let (source, target) = try twoStores()
    let ann = FakeObject("Person", ["id": .stored(.int(7)), "name": .stored(.string("Ann"))])
    try source.add(ann)
    let key = try target.create("Person", ["id": 7])[0]
    if isUpdate {
      try target.create("Person", ann, .modified)
      #expect(target.value("Person", key, "name") == .string("Ann"))
    } else {
      let error = #expect(throws: CopyError.self) { try target.create("Person", ann) }
      #expect(error?.code == .duplicatePrimaryKey)
    }
  }

  @Test func anObjectOfTheStoreStaysAsItIs() throws {
    let ann = FakeObject("Person", ["id": .stored(.int(7))])
    try store.add(ann)
    let planner = InsertionPlanner(store, store: store, transaction: store.transaction)
    planner.begin(PlanRequest(.copy, .modified))
    guard case .present(let same) = try planner.enterRoot(ann, store["Person"]) else {
      Issue.record("An object of the store was planned.")
      return
    }
    #expect(ObjectIdentifier(same) == ObjectIdentifier(ann))
    planner.finish()
  }

  @Test func linksAndListsOfLinksKeepTheirTargetsApart() throws {
    let (source, target) = try twoStores()
    let rex = FakeObject("Pet", ["name": .stored(.string("Rex"))])
    let bob = FakeObject("Person", ["id": .stored(.int(8)), "pets": .collection(FakeCollection(rex))])
    let ann = FakeObject(
      "Person", ["id": .stored(.int(7)), "best": .object(bob), "pets": .collection(FakeCollection(rex, rex))])
    try source.add(ann)
    try target.plan(PlanRequest(copying: CopyOptions())) { planner in
      _ = try planner.enterRoot(ann, target["Person"])
    }
    #expect(target.count("Person") == 2 && target.count("Pet") == 1)
    #expect(target.transaction.graph.checkInvariants() == [])
    #expect(source.transaction.graph.difference(from: target.transaction.graph, limit: 5) == nil)
  }

  @Test func aDeletedObjectIsRefused() throws {
    let (source, target) = try twoStores()
    let rex = FakeObject("Pet")
    try source.add(rex)
    try source.transaction.delete(ObjectLink(source["Pet"].table, ObjectKey(0)))
    let error = #expect(throws: CopyError.self) { try target.create("Pet", rex) }
    #expect(error?.message.contains("deleted or invalidated") == true)
  }

  // MARK: Graphs as documents

  private func document(_ object: FakeObject, _ options: CopyOptions = CopyOptions()) throws -> String {
    let reader = GraphReader(FakeReader(store), options, readsScalars: true)
    try reader.read(object)
    return print(DocumentWriter.tree(of: reader))
  }

  @Test func anyValuesHaveMarkersInADocument() throws {
    let note = FakeCollection([("$a", .stored(.int(1)))], isNestedList: false)
    let ann = FakeObject("Person", ["id": .stored(.int(7)), "note": .collection(note)])
    #expect(try document(ann).contains(#""note":{"$map":{"$a":1}}"#))
  }

  @Test func aSharedCollectionIsReferredTo() throws {
    let list = FakeCollection([(nil, .stored(.int(1)))], isNestedList: true)
    let bob = FakeObject("Person", ["id": .stored(.int(8)), "note": .collection(list)])
    let ann = FakeObject("Person", ["id": .stored(.int(7)), "note": .collection(list), "best": .object(bob)])
    let text = try document(ann)
    #expect(text.contains(#""$list":[1]"#) && text.contains(#"{"$ref":"#))
  }

  @Test func anObjectOfAnyClassHasItsClassInAnAnyValue() throws {
    let ann = FakeObject("Person", ["id": .stored(.int(7)), "note": .object(FakeObject("Pet"))])
    #expect(try document(ann).contains(#""note":{"$class":"Pet","keeper":null,"name":null}"#))
  }

  @Test func aDocumentOfAGraphMakesAnEqualRow() throws {
    let ann = FakeObject("Person", ["id": .stored(.int(7)), "name": .stored(.string("Ann"))])
    ann.values["pets"] = .collection(FakeCollection(FakeObject("Pet", ["name": .stored(.string("Rex"))])))
    let text = try document(ann).replacingOccurrences(of: #""$class":"Person","#, with: "")
    let tree = try parse(text)
    let other = try FakeStore()
    try other.plan(PlanRequest(.copy, .modified, root: .seeded)) {
      _ = try $0.enterRoot(tree.untyped(tree.root), other["Person"])
    }
    try store.create("Person", ann)
    #expect(store.transaction.graph.difference(from: other.transaction.graph, limit: 5) == nil)
  }
}
