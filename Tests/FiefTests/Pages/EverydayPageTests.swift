import Foundation
import RealmSwift
import Testing

/// The statements of the page on the everyday use of Realm, in its order. Its declarations with `@objc dynamic` have
/// their modern form.
@Suite struct EverydayPageTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: [Everything.self, Dog.self, Person.self, Book.self]))
  }

  // MARK: Models

  @Test func everyTypeThatCanBeStoredComesBackAsItWas() throws {
    let realm = try realm()
    let all = Everything()
    let (date, data) = (Date(timeIntervalSince1970: 1_735_000_000.25), Data([0, 1, 255]))
    all.bool = true
    all.int = .min
    all.int8 = -8
    all.int16 = -16
    all.int32 = -32
    all.int64 = .max
    all.double = 0.1
    all.float = 0.5
    all.string = "犬 🐕"
    all.date = date
    all.data = data
    try realm.write { realm.add(all) }
    let stored = try #require(realm.objects(Everything.self).first)
    #expect(stored.bool)
    #expect(stored.int == .min)
    #expect((stored.int8, stored.int16, stored.int32, stored.int64) == (-8, -16, -32, .max))
    #expect((stored.double, stored.float) == (0.1, 0.5))
    #expect(stored.string == "犬 🐕")
    #expect(stored.date == date)
    #expect(stored.data == data)
  }

  @Test func optionalsAreNilUntilTheyAreGivenAValue() throws {
    let realm = try realm()
    let all = Everything()
    try realm.write { realm.add(all) }
    #expect(all.optionalString == nil)
    #expect(all.optionalDate == nil)
    #expect(all.optionalData == nil)
    #expect(all.optionalNumber.value == nil)
    #expect(all.optionalBool.value == nil)
    try realm.write {
      all.optionalString = ""
      all.optionalData = Data()
      all.optionalNumber.value = 7
      all.optionalBool.value = false
    }
    #expect(all.optionalString == "")
    #expect(all.optionalData == Data())
    #expect(all.optionalNumber.value == 7)
    #expect(all.optionalBool.value == false)
    try realm.write { all.optionalNumber.value = nil }
    #expect(all.optionalNumber.value == nil)
  }

  @available(*, deprecated)
  @Test func optionalNumbersAreRealmOptionals() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [EverydayPage.Numbers.self]))
    let numbers = EverydayPage.Numbers()
    try realm.write { realm.add(numbers) }
    let stored = try #require(realm.objects(EverydayPage.Numbers.self).first)
    #expect(stored.bool.value == nil)
    #expect(stored.int.value == nil)
    #expect(stored.float.value == nil)
    #expect(stored.double.value == nil)
    try realm.write {
      numbers.bool.value = true
      numbers.int.value = 7
      numbers.float.value = 0.5
      numbers.double.value = 0.1
    }
    #expect(stored.bool.value == true)
    #expect(stored.int.value == 7)
    #expect(stored.float.value == 0.5)
    #expect(stored.double.value == 0.1)
  }

  @Test func primaryKeyIndexesAndIgnoredPropertiesAreOverrides() throws {
    let realm = try realm()
    let book = Book()
    book.id = 1
    book.title = "Fief"
    book.page = 12
    try realm.write { realm.add(book) }
    let schema = book.objectSchema
    #expect(schema.primaryKeyProperty?.name == "id")
    #expect(schema["title"]?.isIndexed == true)
    #expect(schema["page"] == nil)
    // A property with only a getter is not persisted.
    #expect(schema["words"] == nil)
    let found = try #require(realm.object(ofType: Book.self, forPrimaryKey: 1))
    #expect(found.title == "Fief")
    #expect(found.words == "Fief, 0 yen")
    #expect(found.page == 0)
    #expect(book.page == 12)
  }

  @Test func thePrimaryKeyOfAManagedObjectCannotBeChanged() throws {
    let realm = try realm()
    let book = Book(value: ["id": 1, "title": "Fief"])
    try realm.write { realm.add(book) }
    do {
      try realm.write {
        book.title = "Another"
        book.id = 2
      }
      Issue.record("a primary key was changed")
    } catch {
      #expect("\(error)".lowercased().contains("primary key"))
    }
    #expect(book.id == 1)
    #expect(book.title == "Fief")
  }

  // MARK: Creating

  @Test func objectsAreMadeOfPropertiesDictionariesAndArrays() throws {
    let realm = try realm()
    let first = Dog()
    first.name = "Pochi"
    first.age = 3
    let second = Dog(value: ["name": "Shiro", "age": 4])
    let third = Dog(value: ["Kuro", 5])
    try realm.write { realm.add([first, second, third]) }
    #expect(realm.objects(Dog.self).map(\.name) == ["Pochi", "Shiro", "Kuro"])
    #expect(realm.objects(Dog.self).map(\.age) == [3, 4, 5])
  }

  @Test func othersReadWhileAWriteIsUnderWayAndSeeItWhenItHasEnded() throws {
    let configuration = Realm.Configuration.inMemory(objectTypes: [Dog.self, Person.self])
    let realm = try Realm(configuration: configuration)
    @Sendable func countElsewhere() -> Int {
      let counted = DispatchQueue(label: "elsewhere")
      return counted.sync { (try? Realm(configuration: configuration, queue: counted).objects(Dog.self).count) ?? -1 }
    }
    realm.beginWrite()
    realm.add(Dog())
    #expect(countElsewhere() == 0)
    try realm.commitWrite()
    #expect(countElsewhere() == 1)
  }

  // MARK: Updating

  @Test func anObjectIsUpdatedByItsPrimaryKey() throws {
    let realm = try realm()
    // Book 1 does not exist: it is created.
    try realm.write { realm.create(Book.self, value: ["id": 1, "title": "Cooking", "price": 800], update: .modified) }
    // Book 1 exists: it is updated, and the properties without a given value stay.
    try realm.write { realm.create(Book.self, value: ["id": 1, "price": 900], update: .modified) }
    let book = try #require(realm.object(ofType: Book.self, forPrimaryKey: 1))
    #expect(book.title == "Cooking")
    #expect(book.price == 900)
    try realm.write { realm.create(Book.self, value: ["id": 1, "title": "Baking", "price": 950], update: .all) }
    #expect(book.title == "Baking")
    #expect(book.price == 950)
    #expect(realm.objects(Book.self).count == 1)
  }

  @Test func anInstanceWithAKnownKeyReplacesWhatIsStored() throws {
    let realm = try realm()
    try realm.write { realm.add(Book(value: ["id": 1, "title": "Cooking", "price": 800])) }
    try realm.write { realm.add(Book(value: ["id": 1, "title": "Baking"]), update: .modified) }
    let book = try #require(realm.object(ofType: Book.self, forPrimaryKey: 1))
    #expect(book.title == "Baking")
    #expect(book.price == 0)
  }

  @Test func aKnownKeyWithoutAPolicyIsRefused() throws {
    let realm = try realm()
    try realm.write { realm.add(Book(value: ["id": 1, "title": "Cooking"])) }
    #expect(throws: Realm.Error.self) { try realm.write { realm.add(Book(value: ["id": 1])) } }
    #expect(throws: Realm.Error.self) { try realm.write { realm.create(Book.self, value: ["id": 1]) } }
    #expect(realm.objects(Book.self).map(\.title) == ["Cooking"])
  }

  @Test(arguments: [Realm.UpdatePolicy.modified, .all])
  func aClassWithoutAPrimaryKeyCannotBeUpdated(_ policy: Realm.UpdatePolicy) throws {
    let realm = try realm()
    #expect(throws: Realm.Error.self) {
      try realm.write { realm.create(Dog.self, value: ["name": "Pochi"], update: policy) }
    }
    #expect(realm.isEmpty)
  }

  @Test func modifiedReplacesDifferencesAndAllReplacesEverything() throws {
    let realm = try realm()
    let inventory = ["id": 1, "name": "Ann", "dogs": [["name": "Pochi", "age": 3]]] as [String: Any]
    for (policy, dogs) in [(Realm.UpdatePolicy.modified, 1), (.all, 2)] {
      try realm.write { realm.deleteAll() }
      try realm.write { realm.create(Person.self, value: inventory) }
      let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
      let pochi = person.dogs[0]
      try realm.write { realm.create(Person.self, value: ["id": 1, "dogs": [["age": 4]]], update: policy) }
      #expect(person.name == "Ann")
      // `.modified` updates the existing dog; `.all` replaces it by another.
      #expect(realm.objects(Dog.self).count == dogs)
      #expect(pochi.age == (policy == .all ? 3 : 4))
      #expect(person.dogs.map(\.age) == [4])
    }
  }

  // MARK: Deleting

  @Test func objectsAreDeletedAloneTogetherAndAll() throws {
    let realm = try realm()
    let dogs = (0..<4).map { Dog(value: ["name": "\($0)", "age": $0]) }
    try realm.write { realm.add(dogs) }
    try realm.write { realm.delete(dogs[0]) }
    #expect(realm.objects(Dog.self).map(\.age) == [1, 2, 3])
    try realm.write { realm.delete(dogs[1...2]) }
    #expect(realm.objects(Dog.self).map(\.age) == [3])
    try realm.write { realm.deleteAll() }
    #expect(realm.isEmpty)
  }

  // MARK: Living objects

  @Test func everyInstanceOfAnObjectShowsItsChanges() throws {
    let realm = try realm()
    let dog = Dog(value: ["name": "Pochi"])
    try realm.write { realm.add(dog) }
    let other = try #require(realm.objects(Dog.self).first)
    try realm.write { other.age = 9 }
    #expect(dog.age == 9)
    #expect(dog.isSameObject(as: other))
  }

  @MainActor @Test func observersOfAnObjectReceiveItsChanges() throws {
    let realm = try realm()
    let dog = Dog(value: ["name": "Pochi", "age": 3])
    try realm.write { realm.add(dog) }
    var told: [String] = []
    let token = dog.observe { change in
      switch change {
      case .change(_, let properties):
        told += properties.map { "\($0.name): \($0.oldValue ?? "nil") -> \($0.newValue ?? "nil")" }
      case .deleted: told.append("deleted")
      case .error: told.append("error")
      }
    }
    defer { token.invalidate() }
    try realm.write { dog.age = 4 }
    realm.refresh()
    #expect(told == ["age: 3 -> 4"])
    try realm.write { realm.delete(dog) }
    realm.refresh()
    #expect(told == ["age: 3 -> 4", "deleted"])
  }

  // MARK: Relations

  @Test func aDogKnowsItsOwnersAndPersonsTheirDogs() throws {
    let realm = try realm()
    let dog = Dog(value: ["name": "Pochi"])
    let (ann, ben) = (Person(value: ["id": 1, "name": "Ann"]), Person(value: ["id": 2, "name": "Ben"]))
    ann.dogs.append(dog)
    ben.dogs.append(dog)
    try realm.write { realm.add([ann, ben]) }
    #expect(dog.owners.map(\.name) == ["Ann", "Ben"])
    try realm.write { realm.delete(ann) }
    #expect(dog.owners.map(\.name) == ["Ben"])
  }

  // MARK: JSON

  @Test func jsonMakesObjectsWithTheirRelations() throws {
    let realm = try realm()
    let data = Data(
      #"{"id": 1, "name": "Ann", "unknown": [1, 2], "dogs": [{"name": "Pochi", "age": 3}, {"name": "Shiro"}]}"#.utf8)
    let json = try JSONSerialization.jsonObject(with: data)
    try realm.write { realm.create(Person.self, value: json, update: .modified) }
    let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
    #expect(person.dogs.map(\.name) == ["Pochi", "Shiro"])
    // A missing property has its default.
    #expect(person.dogs.map(\.age) == [3, 0])
  }

  @Test func datesDataAndNullAreNotGuessedFromJSON() throws {
    let realm = try realm()
    for text in [
      #"{"date": "2024-12-23T17:28:00Z"}"#, #"{"data": "AAEC"}"#, #"{"string": null}"#, #"{"int": "1"}"#,
      #"{"int8": 300}"#,
    ] {
      let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
      #expect(throws: Realm.Error.self, "\(text)") { try realm.write { realm.create(Everything.self, value: json) } }
    }
    #expect(realm.isEmpty)
    // Values that are converted before the call are accepted.
    let made = try realm.write {
      realm.create(Everything.self, value: ["date": Date(timeIntervalSince1970: 7), "data": Data([0, 1, 2])])
    }
    #expect(made.date == Date(timeIntervalSince1970: 7))
    #expect(made.data == Data([0, 1, 2]))
  }

  // MARK: Before and after

  @Test func anObjectIsChangedFreelyUntilItIsStoredAndInWritesAfterwards() throws {
    let realm = try realm()
    let dog = Dog()
    dog.name = "Pochi"
    dog.name = "Shiro"
    try realm.write { realm.add(dog) }
    try realm.write { dog.name = "Kuro" }
    #expect(realm.objects(Dog.self).map(\.name) == ["Kuro"])
  }

  @Test func aStoredObjectThatIsChangedOutsideAWriteEndsTheProgram() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
      let dog = Dog()
      try realm.write { realm.add(dog) }
      dog.name = "Kuro"
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("write transaction"))
  }
}

private typealias Everything = EverydayPage.Everything
private typealias Dog = EverydayPage.Dog
private typealias Person = EverydayPage.Person
private typealias Book = EverydayPage.Book

/// The classes of the page.
private enum EverydayPage {
  @available(*, deprecated)
  class Numbers: Object {
    let bool = RealmOptional<Bool>()
    let int = RealmOptional<Int>()
    let float = RealmOptional<Float>()
    let double = RealmOptional<Double>()
  }
  class Everything: Object {
    @Persisted var bool = false
    @Persisted var int = 0
    @Persisted var int8: Int8 = 0
    @Persisted var int16: Int16 = 0
    @Persisted var int32: Int32 = 0
    @Persisted var int64: Int64 = 0
    @Persisted var double: Double = 0.0
    @Persisted var float: Float = 0.0
    @Persisted var string = ""
    @Persisted var data = Data()
    @Persisted var date = Date()
    @Persisted var optionalString: String?
    @Persisted var optionalData: Data?
    @Persisted var optionalDate: Date?
    let optionalNumber = RealmProperty<Int?>()
    let optionalBool = RealmProperty<Bool?>()
  }
  class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    let owners = LinkingObjects(fromType: Person.self, property: "dogs")
  }
  class Person: Object {
    @Persisted var id = 0
    @Persisted var name = ""
    let dogs = List<Dog>()
    override static func primaryKey() -> String? { "id" }
  }
  class Book: Object {
    @Persisted var id = 0
    @Persisted var title = ""
    @Persisted var price = 0
    var page = 0
    var words: String { "\(title), \(price) yen" }
    override static func primaryKey() -> String? { "id" }
    override static func indexedProperties() -> [String] { ["title"] }
    override static func ignoredProperties() -> [String] { ["page"] }
  }
}
