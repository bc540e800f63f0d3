import Fief
import FiefGraph
import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private typealias Node = CopiedGraph.Node
private typealias Keyed = CopiedGraph.Keyed
private typealias Part = CopiedGraph.Part

private enum Colour: String, PersistableEnum {
  case red, green
}

private struct Email: CustomPersistable {
  var address = ""
  init(persistedValue: String) { address = persistedValue }
  var persistableValue: String { address }
}

private struct Place: CustomPersistable {
  var x = 0
  init(x: Int) { self.x = x }
  init(persistedValue: Spot) { x = persistedValue.x }
  var persistableValue: Spot { Spot(value: ["x": x]) }
}

private class Spot: EmbeddedObject {
  @Persisted var x = 0
}

private class Everything: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var bool: Bool
  @Persisted var int8: Int8?
  @Persisted var float: Float
  @Persisted var double: Double
  @Persisted var data: Data
  @Persisted var date: Date
  @Persisted var objectId: ObjectId?
  @Persisted var uuid: UUID
  @Persisted var decimal: Decimal128
  @Persisted var ints: List<Int>
  @Persisted var texts: MutableSet<String>
  @Persisted var doubles: Map<String, Double?>
}

private class Odd: Object {
  @Persisted var colour: Colour
  @Persisted var colours: List<Colour>
  @Persisted var email: Email?
  @Persisted var emails: MutableSet<Email>
  @Persisted var place: Place
  @Persisted var places: List<Place>
  @Persisted var spots: Map<String, Spot?>
  @Persisted var some: Odd?
  @Persisted var pals: MutableSet<Odd>
  @Persisted var anys: MutableSet<AnyRealmValue>
  @Persisted var any: AnyRealmValue
  @Persisted var mapped: Map<String, AnyRealmValue>
  @Persisted var preset: List<Int>
  let older = List<Int>()
  let property = RealmProperty<Int?>()
  let anything = RealmProperty<AnyRealmValue>()

  required init() {
    super.init()
    preset.append(7)
  }
}

@Suite struct DetachingTests {
  private func realm(_ classes: [ObjectBase.Type] = CopiedGraph.classes) throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: classes))
  }

  @Test(arguments: Seeds.all) func aDetachedGraphIsShapedAsTheOriginalAndAsFree(seed: Seed) throws {
    var random = seed.random
    for _ in 0..<6 {
      let graph = RandomGraph(&random, allowsCycles: true)
      let realm = try realm()
      let managed = try realm.write { realm.copy(graph.nodes[0]) }
      for original in [graph.nodes[0], managed, managed.freeze()] {
        let copy = original.detached()
        #expect(copy.realm == nil && copy !== original)
        #expect(Isomorphism.check(graph.nodes[0], copy) { AnyHashable(ObjectIdentifier($0)) } == [])
        #expect(ObjectDocument(copy) == ObjectDocument(original))
        let other = try self.realm()
        try other.write { other.add(copy) }
        #expect(other.graph.checkInvariants() == [])
      }
      #expect(graph.nodes[0].realm == nil)
    }
  }

  @Test func everyKindOfValueIsCopied() throws {
    let realm = try realm([Odd.self, Spot.self])
    let odd = Odd()
    odd.colour = .green
    odd.colours.append(objectsIn: [.red, .green])
    odd.email = Email(persistedValue: "a@b")
    odd.emails.insert(Email(persistedValue: "c@d"))
    odd.place = Place(x: 4)
    odd.places.append(objectsIn: [Place(x: 5), Place(x: 6)])
    odd.spots["s"] = Spot(value: ["x": 9])
    odd.spots["none"] = .some(nil)
    odd.some = Odd()
    odd.pals.insert(objectsIn: [odd, try #require(odd.some)])
    odd.anys.insert(objectsIn: [.int(1), .string("x"), .object(odd)])
    let nest = Map<String, AnyRealmValue>()
    nest["k"] = .object(odd)
    odd.any = .dictionary(nest)
    odd.mapped["m"] = .dictionary(nest)
    odd.preset.removeAll()
    odd.older.append(objectsIn: [1, 2])
    odd.property.value = 3
    odd.anything.value = .string("any")
    func check(_ copy: Odd, _ comment: Comment) {
      #expect(copy.colour == .green && Array(copy.colours) == [.red, .green], comment)
      #expect(copy.email?.address == "a@b" && copy.emails.map(\.address) == ["c@d"], comment)
      #expect(copy.place.x == 4 && copy.places.map(\.x) == [5, 6], comment)
      #expect(copy.spots["s"]??.x == 9 && copy.spots.count == 2 && copy.spots["none"] == .some(nil), comment)
      #expect(copy.pals.count == 2, comment)
      #expect(copy.anys.count == 3, comment)
      #expect(copy.preset.isEmpty && copy.some?.preset.count == 1, comment)
      #expect(Array(copy.older) == [1, 2] && copy.property.value == 3, comment)
      #expect(copy.anything.value == .string("any"), comment)
      guard case .dictionary(let map) = copy.any, case .object(let inside)? = map["k"] else {
        Issue.record("no object in a dictionary, \(comment)")
        return
      }
      #expect(inside.isSameObject(as: copy), comment)
      #expect(copy.pals.contains { $0.isSameObject(as: copy) }, comment)
    }
    let copy = odd.detached()
    check(copy, "unmanaged")
    #expect(copy.spots["s"]?.map(ObjectIdentifier.init) != odd.spots["s"]?.map(ObjectIdentifier.init))
    try realm.write { realm.add(odd) }
    check(odd.detached(), "managed")
    check(odd.freeze().detached(), "frozen")
    let again = try ObjectDocument(json: ObjectDocument(odd).json()).object(as: Odd.self)
    check(again, "through JSON")
  }

  @Test func aDetachedObjectCanBeEncodedAndUsedOnAnyThread() async throws {
    let realm = try realm([Everything.self])
    let everything = try realm.write {
      realm.create(
        Everything.self,
        value: ["id": 5, "double": 1.5, "ints": [1, 2], "texts": ["a"], "doubles": ["k": 2.5]] as [String: Any])
    }
    let json = try JSONEncoder().encode(everything.detached())
    let back = try JSONDecoder().decode(Everything.self, from: json)
    #expect(back.id == 5 && Array(back.ints) == [1, 2] && back.doubles["k"] == 2.5)
    nonisolated(unsafe) let copy = everything.detached()
    #expect(await Task.detached { copy.ints.count }.value == 2)
  }

  @Test func aDynamicObjectStaysOneByNames() throws {
    let realm = try realm()
    try realm.write { _ = realm.create(Keyed.self, value: ["id": 3, "back": ["number": 4]]) }
    let dynamic = try #require(realm.dynamicObject(ofType: "Keyed", forPrimaryKey: 3))
    let copy = dynamic.detached()
    #expect(copy["id"] as? Int == 3 && copy.realm == nil)
    #expect((copy["back"] as? Object)?["number"] as? Int == 4)
  }

  @Test func anEmbeddedObjectCanBeDetachedByItself() throws {
    let realm = try realm()
    let node = try realm.write { realm.create(Node.self, value: ["part": ["weight": 2, "inner": ["weight": 3]]]) }
    let part = try #require(node.part?.detached())
    #expect(part.realm == nil && part.inner?.weight == 3)
    try realm.write { node.part = part }
    #expect(realm.graph.checkInvariants() == [])
  }

  @Test func objectsMadeOfABadValueFailWhenAdded() throws {
    let copy = Node(value: ["number": "bad"]).detached()
    let realm = try realm()
    #expect(throws: Realm.Error.self) { try realm.write { realm.add(copy) } }
  }

  @Test func aDeletedObjectCannotBeDetached() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: CopiedGraph.classes))
      let node = try realm.write { realm.create(CopiedGraph.Node.self) }
      try realm.write { realm.delete(node) }
      _ = node.detached()
    }
    expectSentence("has been deleted or invalidated and cannot be used", of: result)
  }
}
