import FiefTestSupport
import Foundation
import RealmSwift
import Testing

private class Person: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "nobody"
  @Persisted var born: Date?
  @Persisted var dogs: List<Dog>
  @Persisted var friend: Person?
  @Persisted var home: Home?
  @Persisted var note: AnyRealmValue
}

private class Dog: Object {
  @Persisted var name = ""
  @Persisted var mood = Mood.calm
  @Persisted(indexed: true) var chip: ObjectId?
  @Persisted var owner: Person?
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

private enum Mood: String, PersistableEnum {
  case calm, wild
}

private class Home: EmbeddedObject {
  @Persisted var city = ""
  @Persisted var keeper: Dog?
}

private class Renamed: Object {
  @Persisted var short = 7
  override class func _realmObjectName() -> String? { "Stored" }
  override class func propertiesMapping() -> [String: String] { ["short": "a long name"] }
}

private func realm() throws -> Realm {
  try Realm(configuration: .inMemory(objectTypes: [Person.self, Dog.self, Home.self, Renamed.self]))
}

private func filled() throws -> Realm {
  let realm = try realm()
  try realm.write {
    let rex = realm.create(Dog.self, value: ["name": "Rex", "mood": "wild"])
    let ann = realm.create(Person.self, value: ["id": 1, "name": "Ann", "dogs": [rex]])
    rex.owner = ann
    ann.born = Date(timeIntervalSince1970: 1.5)
    ann.home = Home(value: ["city": "Rome", "keeper": rex])
    ann.note = .fromArray([.date(Date(timeIntervalSince1970: 0)), .object(rex), .object(ann), .double(2), .int(2)])
    let bob = realm.create(Person.self, value: ["id": 2, "name": "Bob", "friend": ann])
    ann.friend = bob
    realm.create(Dog.self, value: ["name": "Max"])
    realm.create(Renamed.self)
  }
  return realm
}

@Suite struct RealmJSONTests {
  @Test func aDocumentHasALineForEachObject() throws {
    #expect(
      String(decoding: try filled().json(), as: UTF8.self) == #"""
        {
        "Dog": [
        {"$id":0,"chip":null,"mood":"wild","name":"Rex","owner":{"id":1}},
        {"chip":null,"mood":"calm","name":"Max","owner":null}
        ],
        "Person": [
        {"born":"1970-01-01T00:00:01.5Z","dogs":[{"$ref":0}],"friend":{"id":2},\#
        "home":{"city":"Rome","keeper":{"$ref":0}},"id":1,"name":"Ann","note":[{"$date":"1970-01-01T00:00:00Z"},\#
        {"$class":"Dog","$ref":0},{"$class":"Person","id":1},{"$double":"2.0"},2]},
        {"born":null,"dogs":[],"friend":{"id":1},"home":null,"id":2,"name":"Bob","note":null}
        ],
        "Stored": [
        {"short":7}
        ]
        }

        """#)
    #expect(String(decoding: try realm().json(of: [Dog.self]), as: UTF8.self) == "{\n\"Dog\": []\n}\n")
  }

  @Test func aDocumentMakesAnEqualRealm() throws {
    let (original, copy) = (try filled(), try realm())
    let json = try original.json()
    try copy.seed(json: json)
    #expect(Realm.difference(original, copy) == nil)
    #expect(try copy.json() == json)
    #expect(copy.objects(Dog.self).where { $0.name == "Rex" }.first?.owners.first?.name == "Ann")
  }

  @Test func theStateOfAWriteIsWritten() throws {
    let realm = try realm()
    try realm.write {
      realm.create(Person.self)
      let json = try realm.json(of: [Person.self])
      #expect(String(decoding: json, as: UTF8.self).contains("nobody"))
    }
  }

  @Test(arguments: Seeds.first(30))
  func randomContentsComeBackEqual(seed: Seed) throws {
    var configuration = Realm.Configuration.inMemory()
    configuration.dynamicSchema = RandomContents.schema
    var other = Realm.Configuration.inMemory()
    other.dynamicSchema = RandomContents.schema
    let (original, copy) = (try Realm(configuration: configuration), try Realm(configuration: other))
    var random = seed.random
    try RandomContents.fill(original, &random)
    let json = try original.json()
    try copy.seed(json: json)
    #expect(Realm.difference(original, copy) == nil)
    #expect(copy.graph.checkInvariants() == [])
    // Only the numbers of objects without a key may differ.
    #expect(try copy.json().count <= json.count)
  }

  @Test func classesCanBeChosen() throws {
    let original = try filled()
    #expect(
      String(decoding: try original.json(ofClasses: ["Person"]), as: UTF8.self) == #"""
        {
        "Person": [
        {"born":"1970-01-01T00:00:01.5Z","dogs":[],"friend":{"id":2},"home":{"city":"Rome","keeper":null},\#
        "id":1,"name":"Ann","note":[{"$date":"1970-01-01T00:00:00Z"},{"$class":"Person","id":1},{"$double":"2.0"},2]},
        {"born":null,"dogs":[],"friend":{"id":1},"home":null,"id":2,"name":"Bob","note":null}
        ]
        }

        """#)
    let dogs = String(decoding: try original.json(of: [Dog.self]), as: UTF8.self)
    #expect(dogs.contains(#""owner":{"id":1}"#) && !dogs.contains("Ann"))
  }

  @Test func classesThatCannotBeWrittenAreRefused() throws {
    let realm = try filled()
    let unknown = #expect(throws: Realm.Error.self) { try realm.json(ofClasses: ["Cat"]) }
    #expect(unknown?.code == .invalidValue && unknown?.localizedDescription.contains("Cat") == true)
    let embedded = #expect(throws: Realm.Error.self) { try realm.json(of: [Home.self]) }
    #expect(embedded?.localizedDescription.contains("written with their owners") == true)
  }

  @Test func whatIsNestedDeeplyIsWrittenAndReadWithoutRecursion() throws {
    let (original, copy) = (try realm(), try realm())
    let depth = 20_000
    let (start, end) = (String(repeating: "[", count: depth), String(repeating: "]", count: depth))
    try original.seed(json: Data(#"{"Person": [{"id": 1, "note": \#(start)\#(end)}]}"#.utf8))
    let json = try original.json()
    #expect(json.count > 2 * depth)
    try copy.seed(json: json)
    #expect(try copy.json() == json)
  }
}
