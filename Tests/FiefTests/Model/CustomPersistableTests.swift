import FiefTestSupport
import RealmSwift
import Testing

private class Grid: EmbeddedObject {
  @Persisted var x: Double
  @Persisted var y: Double = 2
}

private struct Email: CustomPersistable {
  var address: String
  init(_ address: String) { self.address = address }
  init(persistedValue: String) { address = persistedValue }
  var persistableValue: String { address }
}

private struct Note: CustomPersistable {
  var text: String?
  init(persistedValue: String?) { text = persistedValue }
  var persistableValue: String? { text }
}

private struct Position: CustomPersistable {
  var x: Double
  var y: Double
  init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  init(persistedValue: Grid) { self.init(x: persistedValue.x, y: persistedValue.y) }
  var persistableValue: Grid {
    let grid = Grid()
    grid.x = x
    grid.y = y
    return grid
  }
}

private struct Even: FailableCustomPersistable {
  let number: Int
  init?(persistedValue: Int) {
    guard persistedValue % 2 == 0 else { return nil }
    number = persistedValue
  }
  var persistableValue: Int { number }
}

private enum Direction: FailableCustomPersistable {
  case left, right
  init?(persistedValue: String) {
    switch persistedValue {
    case "l": self = .left
    case "r": self = .right
    default: return nil
    }
  }
  var persistableValue: String { self == .left ? "l" : "r" }
}

/// As for a type of another module that only says how it is stored.
private struct Coordinate {
  var latitude: Double
  var longitude: Double
}

extension Coordinate: Equatable, CustomPersistable {
  init(persistedValue: Grid) { self.init(latitude: persistedValue.y, longitude: persistedValue.x) }
  var persistableValue: Grid { Grid(value: ["x": longitude, "y": latitude]) }
}

/// No value stands for an object with its defaults.
private struct Reach: FailableCustomPersistable {
  let x: Double
  init?(persistedValue: Grid) {
    if persistedValue.x == 0 { return nil }
    x = persistedValue.x
  }
  var persistableValue: Grid { Grid(value: ["x": x]) }
}

private class Tower: Object {
  @Persisted var reaches: List<Reach>
  @Persisted var named: Map<String, Reach?>
}

private class Route: Object {
  @Persisted var stops: List<Coordinate>
  @Persisted var named: Map<String, Coordinate>
}

private class Person: Object {
  @Persisted(primaryKey: true) var email: Email
  @Persisted(indexed: true) var other: Email?
  @Persisted var note: Note
  @Persisted var maybe: Note?
  @Persisted var even: Even
  @Persisted var odd: Even?
  @Persisted var evens: List<Even?>
  @Persisted var way: Direction?
  @Persisted var position: Position
  @Persisted var target: Position?
  @Persisted var path: List<Position>
  @Persisted var places: Map<String, Position>
  @Persisted var emails: List<Email>
  @Persisted var unique: MutableSet<Email>
  @Persisted var named: Map<String, Email>
  @Persisted var gaps: List<Email?>
}

private class Placed: Object {
  @Persisted var position: Position
}

private class LooselyPlaced: Object {
  @Persisted var position: Grid?
  override class func _realmObjectName() -> String? { "Placed" }
}

private class Plain: Object {
  @Persisted var number: Int
}

private class Strict: Object {
  @Persisted var number: Even
  @Persisted var optional: Even?
  override class func _realmObjectName() -> String? { "Plain" }
  override class func propertiesMapping() -> [String: String] { ["optional": "maybe"] }
}

@Suite struct CustomPersistableTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Person.self, Grid.self]))
  }

  @Test func valuesAreHashedByWhatIsStored() throws {
    let (oslo, bergen) = (Coordinate(latitude: 59.9, longitude: 10.7), Coordinate(latitude: 60.4, longitude: 5.3))
    #expect(Set([oslo, bergen, Coordinate(latitude: 59.9, longitude: 10.7)]).count == 2)
    #expect(oslo.hashValue != bergen.hashValue && Email("a").hashValue != Email("b").hashValue)
    #expect(Direction.left.hashValue == Direction.left.hashValue)
    let realm = try Realm(configuration: .inMemory(objectTypes: [Route.self, Grid.self]))
    let route = Route()
    route.stops.append(objectsIn: [oslo, bergen])
    route.named["home"] = oslo
    try realm.write { realm.add(route) }
    #expect(Array(route.stops) == [oslo, bergen] && Set(route.stops).contains(bergen) && route.named["home"] == oslo)
  }

  @Test(arguments: [false, true]) func aListFindsAValueThatIsMappedToAnObject(managed: Bool) throws {
    let (oslo, bergen) = (Coordinate(latitude: 59.9, longitude: 10.7), Coordinate(latitude: 60.4, longitude: 5.3))
    let realm = try Realm(configuration: .inMemory(objectTypes: [Route.self, Grid.self]))
    let route = Route()
    route.stops.append(objectsIn: [oslo, bergen, bergen])
    if managed { try realm.write { realm.add(route) } }
    #expect(route.stops.index(of: bergen) == 1 && route.stops.contains(bergen))
    #expect(route.stops.index(of: Coordinate(latitude: 0, longitude: 0)) == nil)
  }

  @Test func valuesAreStoredAsWhatTheyAreMappedTo() throws {
    let realm = try realm()
    let person = Person()
    person.email = Email("a@b")
    person.note = Note(persistedValue: "n")
    person.way = .right
    try realm.write { realm.add(person) }
    #expect(person.email == Email("a@b") && person.other == nil && person.note.text == "n" && person.maybe == nil)
    #expect(person.even.number == 0 && person.odd == nil && person.way == .right)
    try realm.write {
      person.other = Email("c@d")
      person.note = Note(persistedValue: nil)
      person.maybe = Note(persistedValue: "m")
      person.odd = Even(persistedValue: 4)
    }
    #expect(person.other == Email("c@d") && person.note.text == nil && person.maybe?.text == "m")
    #expect(person.odd?.number == 4)
    let dynamic = try #require(realm.dynamicObject(ofType: "Person", forPrimaryKey: "a@b"))
    #expect(dynamic["way"] as? String == "r")
    #expect(dynamic["odd"] as? Int == 4)
    #expect(realm.object(ofType: Person.self, forPrimaryKey: Email("a@b"))?.way == .right)
  }

  @Test func nullIsNoElementOfAListOfATypeOverAnEmbeddedClass() throws {
    let realm = try realm()
    for value in [["path": [NSNull()]], ["path": [["x": 1], NSNull()]]] as [[String: Any]] {
      let error = #expect(throws: Realm.Error.self) { try Person(validating: value) }
      #expect(error?.localizedDescription.contains("Person.path[") == true)
      let person = Person(value: value)
      #expect(person.path.isEmpty)
      #expect(throws: Realm.Error.self) { try realm.write { realm.add(person) } }
      #expect(throws: Realm.Error.self) { try realm.write { realm.create(Person.self, value: value) } }
    }
    // A property and a map read null as the default.
    #expect(Person(value: ["position": NSNull(), "path": NSNull()]).position == Position(x: 0, y: 2))
    #expect(Person(value: ["places": ["home": NSNull()]]).places["home"] == Position(x: 0, y: 2))
  }

  @Test func aTypeOverAnEmbeddedClassNeedNotBeOptional() throws {
    let realm = try realm()
    let person = Person()
    #expect(person.position == Position(x: 0, y: 2))
    person.position = Position(x: 1, y: 2)
    person.path.append(Position(x: 3, y: 4))
    try realm.write { realm.add(person) }
    #expect(person.position == Position(x: 1, y: 2) && person.target == nil)
    #expect(Array(person.path) == [Position(x: 3, y: 4)])
    try realm.write {
      person.target = Position(x: 5, y: 6)
      person.position = Position(x: 7, y: 8)
      person.places["home"] = Position(x: 9, y: 10)
      person.path.append(Position(x: 11, y: 12))
    }
    #expect(person.target == Position(x: 5, y: 6) && person.position == Position(x: 7, y: 8))
    #expect(person.places["home"] == Position(x: 9, y: 10) && person.path.count == 2)
    // One row for each value: the rows of replaced values are deleted.
    #expect(realm.dynamicObjects("Grid").count == 5)
    try realm.write { person.target = nil }
    #expect(person.target == nil)
    #expect(realm.dynamicObjects("Grid").count == 4)
  }

  @Test func aNullLinkReadsAsTheMappedDefault() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Placed.self, LooselyPlaced.self, Grid.self]))
    try realm.write { realm.add(LooselyPlaced()) }
    #expect(realm.objects(Placed.self).first?.position == Position(x: 0, y: 2))
  }

  @Test func collectionsHoldCustomValues() throws {
    let realm = try realm()
    let person = Person()
    person.unique.insert(Email("u"))
    try realm.write {
      realm.add(person)
      person.emails.append(Email("e"))
      person.unique.insert(Email("u"))
      person.named["n"] = Email("v")
      person.gaps.append(nil)
      person.gaps.append(Email("g"))
    }
    #expect(Array(person.emails) == [Email("e")] && Array(person.unique) == [Email("u")])
    #expect(person.named["n"] == Email("v"))
    #expect(Array(person.gaps) == [nil, Email("g")])
  }

  @Test func elementsOfUnmanagedObjectsAreMadeOfFilledObjects() throws {
    let tower = try Tower(validating: ["reaches": [["x": 3]], "named": ["north": ["x": 4], "none": ["y": 1]]])
    let copy = try ObjectDocument(json: ObjectDocument(tower).json()).object(as: Tower.self)
    for tower in [tower, copy] {
      #expect(tower.reaches.map(\.x) == [3] && tower.named["north"]??.x == 4)
      #expect(tower.named.count == 2 && tower.named["none"]??.x == nil)
    }
    let error = #expect(throws: Realm.Error.self) { try Tower(validating: ["reaches": [["x": 1], ["y": 1]]]) }
    #expect(error?.localizedDescription.contains("a dictionary for property 'Tower.reaches[1]'") == true)
  }

  @Test func storedValuesAreTakenByName() {
    let person = Person()
    person["email"] = "x@y"
    person["odd"] = 6
    person["way"] = "l"
    #expect(person.email == Email("x@y") && person.odd?.number == 6 && person.way == .left)
  }

  @Test func aValueWithoutMeaningIsStoredByNameAsCreateStoresIt() throws {
    let realm = try realm()
    let person = Person()
    try realm.write { realm.add(person) }
    try realm.write { person["odd"] = 4 }
    try realm.write { person["odd"] = 3 }
    let values: [String: Any] = ["email": "c@d", "odd": 3, "evens": [1, 2]]
    let created = try realm.write { realm.create(Person.self, value: values) }
    try realm.write { person.setValue([1, 2], forKey: "evens") }
    #expect(person.odd == nil && created.odd == nil)
    for stored in realm.dynamicObjects("Person") {
      let evens: List<Int?> = stored.dynamicList("evens")
      #expect(stored["odd"] as? Int == 3 && Array(evens) == [1, 2])
    }
    #expect(realm.objects(Person.self).filter("odd == 3 AND ANY evens == 1").count == 2)
    #expect(throws: Realm.Error(.invalidValue)) { try realm.write { person["odd"] = "x" } }
    // An unmanaged object can only hold nil.
    let free = Person(value: values)
    free["way"] = "?"
    for unmanaged in [free, created.detached()] {
      #expect(unmanaged.odd == nil && unmanaged.way == nil && unmanaged.evens.map { $0?.number } == [nil, 2])
    }
  }

  @Test func anErrorSaysThatTheTypeHasNoValueForTheStoredForm() {
    let error = #expect(throws: Realm.Error(.invalidValue)) { try Person(validating: ["even": 3]) }
    #expect(error?.localizedDescription.contains("no value of its type is stored as this") == true)
  }

  @Test func aStoredValueWithoutMeaningTrapsWhereTheTypeIsRequired() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Plain.self, Strict.self]))
      try realm.write {
        let plain = Plain()
        plain.number = 3
        realm.add(plain)
      }
      print(realm.objects(Strict.self).first?.number as Any)
    }
    expectSentence("Could not convert stored value 3 of 'Plain.number'", of: result)
  }

  @Test func aDefaultWithoutMeaningTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(Persisted<Direction>().wrappedValue)
    }
    expectSentence("'Direction' makes no value of the default of its stored type", of: result)
  }
}
