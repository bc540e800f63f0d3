import FiefTestSupport
import RealmSwift
import Testing

private class Person: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = "nobody"
  @Persisted var dogs: List<Dog>
  @Persisted var friend: Person?
  @Persisted var home: Home?
}

private class Dog: Object {
  @Persisted var name = ""
  @Persisted var age: Int?
}

private class Card: Object {
  @Persisted var scores: Map<String, Int>
  @Persisted var note: AnyRealmValue
  @Persisted var dogs: Map<String, Dog?>
}

private class Home: EmbeddedObject {
  @Persisted var city = ""
}

private func realm() throws -> Realm {
  try Realm(configuration: .inMemory(objectTypes: [Person.self, Dog.self, Home.self, Card.self]))
}

@Suite struct SeedingTests {
  @Test func objectsOfAllClassesAreCreatedInOneWrite() throws {
    let realm = try realm()
    try realm.seed(
      json: Data(
        """
        { "Person": [ { "id": 1, "name": "Ann", "dogs": [ { "name": "Rex", "age": 3 } ], "friend": { "id": 2 },
                        "home": { "city": "Rome" } },
                      { "id": 2, "name": "Bob" } ],
          "Dog": [ { "name": "Max" }, {} ] }
        """.utf8))
    let ann = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    #expect(ann.friend?.name == "Bob" && ann.dogs.first?.age == 3 && ann.home?.city == "Rome")
    #expect(realm.objects(Dog.self).count == 3 && realm.objects(Person.self).count == 2)
  }

  /// Swift takes them for equal; stores and documents do not.
  @Test func keysThatAreOnlyEquivalentStayApart() throws {
    let realm = try realm()
    let map = #"{"é": 1, "e\u0301": 2}"#
    try realm.seed(
      json: Data(#"{"Card": [{"scores": \#(map), "note": [\#(map)], "dogs": {"é": {}, "e\u0301": null}}]}"#.utf8))
    let card = try #require(realm.objects(Card.self).first)
    #expect(card.scores.count == 2 && card.dogs.count == 2 && card.scores["e\u{301}"] == 2 && card.scores["é"] == 1)
    #expect(card.note.listValue?[0].dictionaryValue?.count == 2)
  }

  @Test func aWriteInProgressGetsTheObjects() throws {
    let realm = try realm()
    realm.beginWrite()
    try realm.seed(json: Data(#"{"Dog": [{"name": "Rex"}]}"#.utf8))
    #expect(realm.objects(Dog.self).count == 1)
    realm.cancelWrite()
    #expect(realm.isEmpty)
  }

  @Test(
    arguments: [
      ("[]", "array of objects"), ("{", "JSON"), (#"{"Dog": {}}"#, "Dog"), (#"{"Nobody": []}"#, "Nobody"),
      (#"{"Home": [{}]}"#, "Home"), (#"{"Dog": [{"name": "Rex"}, {"name": 1}]}"#, "Dog[1]"),
      (#"{"Dog": [7]}"#, "Dog[0]"), (#"{"Person": [{"id": 1.5}]}"#, "Person[0]"),
    ])
  func aBadSeedCreatesNothing(_ json: String, _ word: String) throws {
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) { try realm.seed(json: Data(json.utf8)) }
    #expect(error?.localizedDescription.contains(word) == true, "\(error as Any)")
    #expect(realm.isEmpty)
    // Within a write, the rest of the write goes on.
    try realm.write {
      realm.create(Dog.self)
      #expect(throws: Realm.Error.self) { try realm.seed(json: Data(json.utf8)) }
    }
    #expect(realm.objects(Dog.self).count == 1)
  }

  @Test(
    arguments: [
      ("{\"Dog\": [{\"name\": \"Rex\"},\n  {\"nmae\": \"Max\"}]}", "'nmae'", "Dog[1].nmae", "line 2, byte 29"),
      (
        #"{"Person": [{"id": 1, "dogs": [{"age": 3, "nmae": "Rex"}]}]}"#, "class 'Dog'", "Person[0].dogs[0].nmae",
        "line 1, byte 42"
      ), (#"{"Person": [{"id": 1, "home": {"town": "Rome"}}]}"#, "'city'", "Person[0].home.town", "byte 31"),
      (#"{"Person": [{"id": 1, "friend": {"id": 2, "nam": ""}}]}"#, "'nam'", "Person[0].friend.nam", "byte 42"),
      (#"{"Person": [[1, "Ann", [{"z": 1, "name": ""}]]]}"#, "'z'", "Person[0].dogs[0].z", "byte 25"),
      (#"{"Person": [{"$class": "Person", "id": 1}]}"#, "'$class'", "Person[0].$class", "byte 13"),
    ])
  func aNameThatTheClassDoesNotHaveIsRefused(_ json: String, _ word: String, _ path: String, _ place: String) throws {
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) { try realm.seed(json: Data(json.utf8)) }
    #expect(error?.code == .invalidValue && realm.isEmpty)
    for part in [word, path, place] { #expect(error?.localizedDescription.contains(part) == true, "\(error as Any)") }
  }

  @Test func aNameAtTheBottomOfADeepSeedIsFound() throws {
    let realm = try realm()
    let (start, end) = (String(repeating: #"{"id": 1, "friend": "#, count: 500), String(repeating: "}", count: 500))
    let json = #"{"Person": [\#(start){"id": 1, "frend": {}}\#(end)]}"#
    let error = #expect(throws: Realm.Error.self) { try realm.seed(json: Data(json.utf8)) }
    #expect(error?.localizedDescription.contains("byte \(12 + start.utf8.count + 10)") == true, "\(error as Any)")
  }

  @Test func aDeepSeedIsRefused() throws {
    let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) { try realm.seed(json: Data(#"{"Dog": [\#(deep)]}"#.utf8)) }
    #expect(error?.localizedDescription.contains("levels") == true)
  }

  @Test func aDynamicRealmIsSeededToo() throws {
    var configuration = Realm.Configuration.inMemory()
    configuration.dynamicSchema = DynamicSchema([.init("Dog", [.init("name", .string)])])
    let realm = try Realm(configuration: configuration)
    try realm.seed(json: Data(#"{"Dog": [{"name": "Rex"}]}"#.utf8))
    #expect(realm.dump() == "Dog#1\n  name: \"Rex\"\n")
  }
}
