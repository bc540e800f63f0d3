import FiefCopying
import FiefGraph
import Testing

@Suite struct RowCopierTests {
  private let source: FakeStore
  private let target: FakeStore

  init() throws {
    let declarations = FakeStore.declare()
    source = try FakeStore(declarations)
    target = try FakeStore(declarations)
  }

  private func copy(_ key: ObjectKey, refusesSharing: Bool = false) throws -> ObjectKey? {
    try RowCopier().copy(
      key, of: source["Person"], in: source, to: target["Person"], transaction: target.transaction,
      refusesSharing: refusesSharing)
  }

  /// A person with a home and two pets; the second one leads back to the person.
  private func family() throws -> ObjectKey {
    let (ann, rex, tom) = (FakeObject("Person"), FakeObject("Pet"), FakeObject("Pet"))
    ann.values = [
      "id": .stored(.int(7)), "name": .stored(.string("Ann")), "pets": .collection(FakeCollection(rex, tom)),
      "home": .object(FakeObject("Home", ["city": .stored(.string("Rome"))])),
    ]
    tom.values = ["name": .stored(.string("Tom")), "keeper": .object(ann)]
    return try source.add(ann)[0]
  }

  @Test func rowsAreCopiedWithTheirLinks() throws {
    let key = try #require(try copy(family()))
    let pets = target.targets("Person", key, "pets")
    #expect(pets.map { target.value("Pet", $0, "name") } == [.null, .string("Tom")])
    #expect(target.targets("Pet", pets[1], "keeper") == [key] && target.count("Home") == 1)
    #expect(target.transaction.graph.checkInvariants() == [])
  }

  @Test func unusualRowsAreLeftToThePlanner() throws {
    let key = try family()
    let before = target.transaction.graph
    #expect(try copy(key, refusesSharing: true) == nil && target.transaction.graph == before)
    try target.create("Person", ["id": 7])
    let taken = target.transaction.graph
    #expect(try copy(key) == nil && target.transaction.graph == taken)
  }

  @Test func aRowThatSeveralLinksLeadToIsCopiedOnce() throws {
    let (ann, bob, rex) = (FakeObject("Person"), FakeObject("Person"), FakeObject("Pet"))
    ann.values = [
      "id": .stored(.int(1)), "name": .stored(.string("Ann")), "best": .object(bob),
      "pets": .collection(FakeCollection(rex, rex)),
    ]
    bob.values = [
      "id": .stored(.int(2)), "name": .stored(.string("Bob")), "best": .object(ann),
      "pets": .collection(FakeCollection(rex)),
    ]
    let key = try #require(try copy(try source.add(ann)[0]))
    #expect(target.count("Person") == 2 && target.count("Pet") == 1)
    #expect(Set(target.targets("Person", key, "pets")).count == 1 && target.targets("Person", key, "pets").count == 2)
    #expect(target.transaction.graph.checkInvariants() == [])
  }

  @Test func anAnyValueWithALinkIsLeftToThePlanner() throws {
    let (ann, rex) = (FakeObject("Person"), FakeObject("Pet"))
    ann.values = ["id": .stored(.int(1)), "name": .stored(.string("Ann")), "note": .object(rex)]
    #expect(try copy(try source.add(ann)[0]) == nil && target.count("Person") == 0)
  }

  @Test func aCopierIsUsedAgain() throws {
    let copier = RowCopier()
    for id in 1...3 {
      let person = FakeObject("Person")
      person.values = [
        "id": .stored(.int(Int64(id))), "name": .stored(.string("\(id)")), "note": .stored(.int(Int64(id * 2))),
      ]
      let key = try copier.copy(
        try source.add(person)[0], of: source["Person"], in: source, to: target["Person"],
        transaction: target.transaction, refusesSharing: true)
      #expect(target.value("Person", try #require(key), "note") == .int(Int64(id * 2)))
    }
    #expect(target.count("Person") == 3)
  }

  @Test func classesOfOtherDeclarationsHaveNoRoute() throws {
    let key = try family()
    let other = try FakeStore()
    let made = try RowCopier().copy(
      key, of: source["Person"], in: source, to: other["Person"], transaction: other.transaction, refusesSharing: false)
    #expect(made == nil && other.count("Person") == 0)
  }
}
