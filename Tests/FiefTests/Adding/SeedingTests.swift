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

private class Gauge: Object {
  @Persisted var double = 0.0
  @Persisted var optional: Double?
  @Persisted var float: Float = 0
  @Persisted var doubles: List<Double>
  @Persisted var floats: Map<String, Float>
  @Persisted var any: AnyRealmValue
}

private func realm() throws -> Realm {
  try Realm(configuration: .inMemory(objectTypes: [Person.self, Dog.self, Home.self, Card.self, Gauge.self]))
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

  @Test func aDeepSeedIsReadWithoutRecursion() throws {
    let deep = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
    let realm = try realm()
    #expect(throws: Realm.Error.self) { try realm.seed(json: Data(#"{"Dog": [\#(deep)]}"#.utf8)) }
    try realm.seed(json: Data(#"{"Card": [{"note": \#(deep)}]}"#.utf8))
    var (note, levels) = (realm.objects(Card.self).first?.note, 0)
    while case .list(let list)? = note { (note, levels) = (list.first, levels + 1) }
    #expect(levels == 20_000)
  }

  @Test func objectsWithoutAKeyAreReferredToByNumber() throws {
    let realm = try realm()
    try realm.seed(
      json: Data(
        """
        { "Person": [ { "id": 1, "dogs": [ { "$ref": 7 }, { "$ref": 8 }, { "$ref": 7 } ] } ],
          "Card": [ { "dogs": { "a": { "$ref": 8 } }, "note": { "$class": "Dog", "$ref": 7 } },
                    { "note": { "$class": "Person", "id": 2, "name": "Bob" } },
                    { "note": { "$class": "Dog", "name": "New" } } ],
          "Dog": [ { "$id": 7, "name": "Rex" }, { "$id": 8, "name": "Max" } ] }
        """.utf8))
    let dogs = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1)?.dogs)
    #expect(Array(dogs.map(\.name)) == ["Rex", "Max", "Rex"] && realm.objects(Dog.self).count == 3)
    let cards = realm.objects(Card.self)
    #expect(cards[0].dogs["a"]??.name == "Max" && cards[0].note.object(Dog.self)?.name == "Rex")
    #expect(cards[1].note.object(Person.self)?.name == "Bob" && cards[2].note.object(Dog.self)?.name == "New")
  }

  @Test(
    arguments: [
      (#"{"Person": [{"id": 1, "dogs": [{"$ref": 7}]}]}"#, "Person[0]", "leads nowhere"),
      (#"{"Person": [{"id": 1, "dogs": [{"$ref": "x"}]}]}"#, "Person[0]", "leads nowhere"),
      (#"{"Dog": [{"$id": 1}, {"$id": 1}]}"#, "Dog[1]", "Another object of the class has the '$id' 1"),
      (#"{"Dog": [{"$id": "a"}]}"#, "Dog[0]", "no whole number"),
      (#"{"Person": [{"id": 1, "dogs": [{"$id": 1, "name": "Rex"}]}]}"#, "Person[0].dogs[0].$id", "$id"),
      (#"{"Dog": [{"$id": 1}], "Person": [{"id": 1, "dogs": [{"$ref": 1, "name": ""}]}]}"#, "'name'", "byte"),
      (#"{"Card": [{"note": {"$date": "yesterday"}}]}"#, "Card[0]", "expected a string with a date"),
      (#"{"Card": [{"note": {"$data": 7}}]}"#, "Card[0]", "expected a string with a data"),
      (#"{"Card": [{"note": {"$class": "Cat"}}]}"#, "Card[0]", "the class 'Cat'"),
      (#"{"Card": [{"note": {"$class": "Home", "city": ""}}]}"#, "Card[0]", "the class 'Home'"),
      (#"{"Card": [{"note": {"$what": 1}}]}"#, "'$what'", "byte"),
      (#"{"Card": [{"note": {"$ref": 1}}]}"#, "'$ref'", "byte"),
    ])
  func aDocumentThatContradictsItselfIsRefused(_ json: String, _ place: String, _ words: String) throws {
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) { try realm.seed(json: Data(json.utf8)) }
    for word in [place, words] { #expect(error?.localizedDescription.contains(word) == true, "\(error as Any)") }
    #expect(realm.isEmpty)
  }

  @Test func unknownNamesCanBeIgnored() throws {
    let realm = try realm()
    let json = Data(
      #"""
      {"Person": [{"id": 1, "nmae": 1, "dogs": [{"name": "Rex", "toy": {"a": [1]}}], "home": {"city": "Rome", "zip": 1}}
      ]}
      """#.utf8)
    #expect(throws: Realm.Error.self) { try realm.seed(json: json) }
    try realm.seed(json: json, ignoringUnknownNames: true)
    let ann = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    #expect(ann.name == "nobody" && ann.dogs[0].name == "Rex" && ann.home?.city == "Rome")
    // Values of known names are checked as ever.
    #expect(throws: Realm.Error.self) {
      try realm.seed(json: Data(#"{"Dog": [{"name": 1}]}"#.utf8), ignoringUnknownNames: true)
    }
  }

  /// A link to a later object must not make an object that lacks its unique values.
  @Test func uniqueValuesOfLinkedObjectsDoNotCollide() throws {
    var configuration = Realm.Configuration.inMemory()
    configuration.dynamicSchema = DynamicSchema([
      .init(
        "Node", primaryKey: "id",
        [
          .init("id", .int), .init("code", .string, index: .unique),
          .init("next", .object, .list, linkingTo: "Node"),
        ])
    ])
    let realm = try Realm(configuration: configuration)
    try realm.seed(
      json: Data(
        """
        { "Node": [ { "id": 1, "code": "a", "next": [ { "id": 2 }, { "id": 3 } ] }, { "id": 2, "code": "b" },
                    { "id": 3, "code": "c", "next": [ { "id": 1 } ] } ] }
        """.utf8))
    #expect(realm.dynamicObjects("Node").filter("next.@count == 2").first?.id as? Int == 1)
  }

  /// `printf("%.17g")` writes most doubles so: with more digits than the shortest form has.
  @Test(arguments: [
    "9.9999999999999998e-201", "1.7976931348623157081e+308", "2.2250738585072013831e-308", "-1.00000000000000005e+150",
    "4.9406564584124654e-324", "0.30000000000000004441",
  ])
  func aDoubleThatIsNotInItsShortestFormIsRead(_ text: String) throws {
    let realm = try realm()
    try realm.seed(
      json: Data(#"{"Gauge": [{"double": \#(text), "optional": \#(text), "doubles": [1, \#(text)]}]}"#.utf8))
    let gauge = try #require(realm.objects(Gauge.self).first)
    let wanted = try #require(Double(text))
    #expect(gauge.double == wanted && gauge.optional == wanted && Array(gauge.doubles) == [1, wanted])
  }

  @Test func aFloatIsTheOneNearestToTheDigits() throws {
    let realm = try realm()
    // Halfway between two floats, and a little more, which no double shows.
    let text = "1.00000005960464477539062500000001"
    try realm.seed(
      json: Data(#"{"Gauge": [{"float": \#(text), "floats": {"tiny": 9.9999999999999998e-201}}]}"#.utf8))
    let gauge = try #require(realm.objects(Gauge.self).first)
    #expect(gauge.float == Float(1).nextUp && gauge.floats["tiny"] == 0)
  }

  @Test func infinityIsAWord() throws {
    let realm = try realm()
    try realm.seed(json: Data(#"{"Gauge": [{"double": "-inf", "float": "inf"}]}"#.utf8))
    let gauge = try #require(realm.objects(Gauge.self).first)
    #expect(gauge.double == -.infinity && gauge.float == .infinity)
  }

  @Test func anAnyValueKeepsAllDigits() throws {
    let realm = try realm()
    try realm.seed(json: Data(#"{"Gauge": [{"any": 9.9999999999999998e-201}]}"#.utf8))
    #expect(try realm.objects(Gauge.self).first?.any == .decimal128(Decimal128(string: "9.9999999999999998e-201")))
  }

  @Test(
    arguments: [
      (#""double": 1.00000000000000005e+400"#, "Gauge.double", "Double"),
      (#""optional": -1e309"#, "optional", "Double?"),
      (#""doubles": [1, 1e4000]"#, "Gauge.doubles[1]", "Double"),
      (#""float": 9.9999999999999998e+200"#, "Gauge.float", "Float"),
      (#""floats": {"a": 1.0000000000000000001e+39}"#, "Gauge.floats['a']", "Float"),
      (#""double": "1e400""#, "Gauge.double", "Double"), (#""double": "-1e400""#, "Gauge.double", "Double"),
      (#""float": "1e39""#, "Gauge.float", "Float"), (#""floats": {"a": "1e39"}"#, "Gauge.floats['a']", "Float"),
    ])
  func aNumberBeyondTheRangeIsRefused(_ member: String, _ path: String, _ type: String) throws {
    let realm = try realm()
    let error = #expect(throws: Realm.Error.self) {
      try realm.seed(json: Data(#"{"Gauge": [{}, {\#(member)}]}"#.utf8))
    }
    #expect(error?.code == .invalidValue && realm.isEmpty)
    for part in ["Gauge[1]", path, type] {
      #expect(error?.localizedDescription.contains(part) == true, "\(error as Any)")
    }
  }

  @Test func aDynamicRealmIsSeededToo() throws {
    var configuration = Realm.Configuration.inMemory()
    configuration.dynamicSchema = DynamicSchema([.init("Dog", [.init("name", .string)])])
    let realm = try Realm(configuration: configuration)
    try realm.seed(json: Data(#"{"Dog": [{"name": "Rex"}]}"#.utf8))
    #expect(realm.dump() == "Dog#1\n  name: \"Rex\"\n")
  }
}
