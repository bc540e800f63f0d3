import Foundation
import RealmSwift
import Testing

/// The page "CRUD – Create": its classes and its code, in its order.
@Suite struct CreatingPageTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: CreatingPage.classes))
  }

  // MARK: Objects

  @Test func anInstanceIsAddedInAWrite() throws {
    // Instantiate the class and set its values.
    let dog = Dog()
    dog.name = "Rex"
    dog.age = 10
    let realm = try realm()
    // Open a thread-safe transaction.
    try realm.write {
      // Add the instance to the realm.
      realm.add(dog)
    }
    #expect(dog.realm == realm)
    #expect(realm.objects(Dog.self).map(\.name) == ["Rex"])
    #expect(realm.objects(Dog.self).first?.age == 10)
  }

  @Test func instancesAreInitialisedWithDictionariesAndArrays() throws {
    // (1) Create a Dog object from a dictionary
    let myDog = Dog(value: ["name": "Pluto", "age": 3])
    // (2) Create a Dog object from an array
    let myOtherDog = Dog(value: ["Fido", 5])
    let realm = try realm()
    // Add to the realm inside a transaction
    try realm.write {
      realm.add([myDog, myOtherDog])
    }
    #expect(realm.objects(Dog.self).map(\.name) == ["Pluto", "Fido"])
    #expect(realm.objects(Dog.self).map(\.age) == [3, 5])
  }

  @Test func relatedObjectsAreInitialisedInline() throws {
    let aDog = Dog(value: ["Buster", 5])
    let anotherDog = Dog(value: ["Buddy", 6])
    // Instead of using pre-existing dogs...
    let aPerson = Person(value: [123, "Jane", [aDog, anotherDog]] as [Any])
    // ...we can create them inline
    let anotherPerson = Person(value: [124, "Jane", [["Buster", 5], ["Buddy", 6]]] as [Any])
    let realm = try realm()
    try realm.write { realm.add([aPerson, anotherPerson]) }
    #expect(aPerson.dogs.map(\.name) == ["Buster", "Buddy"])
    #expect(anotherPerson.dogs.map(\.age) == [5, 6])
    #expect(aDog.realm == realm)
    #expect(realm.objects(Dog.self).count == 4)
    #expect(realm.object(ofType: Person.self, forPrimaryKey: 124) == anotherPerson)
  }

  @Test func embeddedObjectsAreInitialisedInline() throws {
    let person = Person(value: ["name": "Jane", "address": ["street": "123 Fake St", "city": "Springfield"]])
    let realm = try realm()
    try realm.write { realm.add(person) }
    #expect(person.address?.city == "Springfield")
    #expect(person.address?.country == nil)
  }

  // MARK: JSON

  @Test func objectsAreCreatedFromJSON() throws {
    // Specify a dog toy in JSON
    let data = "{\"name\": \"Tennis ball\"}".data(using: .utf8)!
    let realm = try realm()
    // Insert from data containing JSON
    try realm.write {
      let json = try! JSONSerialization.jsonObject(with: data, options: [])
      realm.create(DogToy.self, value: json)
    }
    #expect(realm.objects(DogToy.self).map(\.name) == ["Tennis ball"])
  }

  @Test func nestedObjectsAndArraysInJSONBecomeRelations() throws {
    let data = Data(
      """
      {"id": 7, "name": "Jane", "shoeSize": 41,
       "dogs": [{"name": "Buster", "age": 5, "favoriteToy": {"name": "Bone"}}, {"name": "Buddy", "age": 6}],
       "address": {"street": "123 Fake St", "city": null}}
      """.utf8)
    let realm = try realm()
    let json = try JSONSerialization.jsonObject(with: data)
    let person = try realm.write { realm.create(Person.self, value: json) }
    #expect(person.id == 7)
    #expect(person.dogs.map(\.name) == ["Buster", "Buddy"])
    #expect(person.dogs[0].favoriteToy?.name == "Bone")
    #expect(person.dogs[1].favoriteToy == nil)
    #expect(person.address?.street == "123 Fake St")
    #expect(person.address?.city == nil)
  }

  @Test(arguments: [#"{"name": null}"#, #"{"name": 7}"#, #"{"age": 2.5}"#, #"{"age": "three"}"#])
  func jsonOfAnotherTypeFailsTheWriteAndLeavesNothing(_ text: String) throws {
    let realm = try realm()
    let json = try JSONSerialization.jsonObject(with: Data(text.utf8))
    #expect(throws: Realm.Error.self) {
      try realm.write {
        realm.create(DogToy.self)
        realm.create(Dog.self, value: json)
      }
    }
    #expect(realm.isEmpty)
  }

  // MARK: Embedded objects

  @Test func anEmbeddedObjectIsAssignedToItsParent() throws {
    let realm = try realm()
    try realm.write {
      let address = Address()
      address.street = "123 Fake St"
      address.city = "Springfield"
      address.country = "USA"
      address.postalCode = "90710"
      let contact = Person(name: "Nick Riviera", address: address)
      realm.add(contact)
    }
    let nick = try #require(realm.objects(Person.self).first)
    #expect(nick.name == "Nick Riviera")
    #expect(nick.address?.postalCode == "90710")
  }

  // MARK: Maps

  @Test func aMapIsFilledBeforeAndAfterItsObjectIsAdded() throws {
    let realm = try realm()
    // Record a dog's name and current city
    let dog = Dog()
    dog.name = "Wolfie"
    dog.currentCity = "New York"
    // Set map values
    dog.favoriteParksByCity["New York"] = "Domino Park"
    // Store the data in a realm
    try realm.write {
      realm.add(dog)
      // You can also set map values inside a write transaction
      dog.favoriteParksByCity["Chicago"] = "Wiggly Field"
      dog.favoriteParksByCity.setValue("Bush Park", forKey: "Ottawa")
    }
    #expect(dog.favoriteParksByCity.keys == ["Chicago", "New York", "Ottawa"])
    #expect(dog.favoriteParksByCity["New York"] == "Domino Park")
    #expect(dog.favoriteParksByCity["Ottawa"] == "Bush Park")
  }

  @Test func dotsAndDollarsInMapKeysArePercentEncoded() throws {
    let realm = try realm()
    let dog = Dog()
    try realm.write { realm.add(dog) }
    // Percent encode . or $ characters to use them in map keys
    let mapKey = "New York.Brooklyn"
    let encodedMapKey = "New York%2EBrooklyn"
    #expect(throws: Realm.Error.self) {
      try realm.write { dog.favoriteParksByCity[mapKey] = "Prospect Park" }
    }
    #expect(dog.favoriteParksByCity.isEmpty)
    try realm.write { dog.favoriteParksByCity[encodedMapKey] = "Prospect Park" }
    #expect(dog.favoriteParksByCity.keys.map(\.removingPercentEncoding) == [mapKey])
  }

  // MARK: Sets

  @Test func aSetIsFilledInWrites() throws {
    let realm = try realm()
    // Record a dog's name and current city
    let dog = Dog()
    dog.name = "Maui"
    dog.currentCity = "New York"
    // Store the data in a realm. Add the dog's current city
    // to the citiesVisited MutableSet
    try realm.write {
      realm.add(dog)
      // You can only mutate the MutableSet in a write transaction.
      // This means you can't set values at initialization, but must do it during a write.
      dog.citiesVisited.insert(dog.currentCity)
    }
    // You can also add multiple items to the set.
    try realm.write {
      dog.citiesVisited.insert(objectsIn: ["Boston", "Chicago"])
    }
    #expect(Set(dog.citiesVisited) == ["New York", "Boston", "Chicago"])
    #expect("\(dog.name) has visited: \(dog.citiesVisited)".hasPrefix("Maui has visited: MutableSet<string> <0x"))
  }

  // MARK: Any-values

  @Test func anAnyRealmValueHoldsNothingAStringOrAnObject() throws {
    // Create a Dog object and then set its properties
    let myDog = Dog()
    myDog.name = "Rex"
    // This dog has no companion.
    // You can set the field's type to "none", which represents `nil`
    myDog.companion = .none
    // Create another Dog whose companion is a cat.
    // We don't have a Cat object, so we'll use a string to describe the companion.
    let theirDog = Dog()
    theirDog.name = "Wolfie"
    theirDog.companion = .string("Fluffy the Cat")
    // Another dog might have a dog as a companion.
    // We do have an object that can represent that, so we can specify the
    // type is a Dog object, and even set the object's value.
    let anotherDog = Dog()
    anotherDog.name = "Fido"
    // Note: this sets Spot as a companion of Fido, but does not set
    // Fido as a companion of Spot. Spot has no companion in this instance.
    anotherDog.companion = .object(Dog(value: ["name": "Spot"]))
    // Add the dogs to the realm
    let realm = try realm()
    try realm.write {
      realm.add([myDog, theirDog, anotherDog])
    }
    // After adding these dogs to the realm, we now have 4 dog objects.
    let dogs = realm.objects(Dog.self)
    #expect(dogs.count == 4)
    #expect(myDog.companion == .none)
    #expect(theirDog.companion.stringValue == "Fluffy the Cat")
    #expect(anotherDog.companion.object(Dog.self)?.name == "Spot")
    #expect(anotherDog.companion.object(Dog.self)?.companion == AnyRealmValue.none)
  }

  // MARK: Actors

  @Test func anObjectIsCreatedOnAnActor() async throws {
    let actor = try await RealmActor()
    func createObject() async throws -> String {
      // Because this function is not isolated to this actor,
      // you must await operations completed on the actor
      try await actor.createTodo(name: "Take the ring to Mount Doom", owner: "Frodo", status: "In Progress")
      let taskCount = await actor.count
      return "The actor currently has \(taskCount) tasks"
    }
    #expect(try await createObject() == "The actor currently has 1 tasks")
    #expect(try await createObject() == "The actor currently has 2 tasks")
    await actor.close()
  }

  @Test func manyTasksCreateOnOneActorWithoutLosingAny() async throws {
    let actor = try await RealmActor()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { try await actor.createTodo(name: "\(number)", owner: "Sam", status: "Open") }
      }
      try await group.waitForAll()
    }
    #expect(await actor.count == 20)
  }

  // MARK: Asymmetric objects

  @MainActor
  private func useRealm(_ asymmetricRealm: Realm) async {
    try! asymmetricRealm.write {
      asymmetricRealm.create(
        WeatherSensor.self,
        value: [
          "_id": ObjectId.generate(),
          "deviceId": "WX1278UIT",
          "temperatureInFahrenheit": 66.7,
          "barometricPressureInHg": 29.65,
          "windSpeedInMph": 2,
        ])
    }
  }

  @MainActor
  @Test func anAsymmetricObjectIsHandedOverAndNotKept() async throws {
    let (handed, give) = AsyncStream.makeStream(of: String.self)
    var configuration = Realm.Configuration.inMemory(objectTypes: [WeatherSensor.self])
    configuration.ingestHandler = { documents in
      for document in documents {
        give.yield("\(document.className) \(document["deviceId"] ?? "?") \(document["windSpeedInMph"] ?? "?")")
      }
    }
    let realm = try await Realm(configuration: configuration)
    await useRealm(realm)
    var iterator = handed.makeAsyncIterator()
    #expect(await iterator.next() == "WeatherSensor WX1278UIT 2.0")
    #expect(realm.isEmpty)
  }

  // MARK: Another realm

  @Test func anObjectIsCopiedToAnotherRealm() throws {
    func configuration(_ identifier: String) -> Realm.Configuration {
      Realm.Configuration(inMemoryIdentifier: identifier, objectTypes: CreatingPage.classes)
    }
    let realm = try Realm(configuration: configuration("first realm"))
    try realm.write {
      let dog = Dog()
      dog.name = "Wolfie"
      dog.age = 1
      realm.add(dog)
    }
    // Later, fetch the instance we want to copy
    let wolfie = realm.objects(Dog.self).first(where: { $0.name == "Wolfie" })!
    // Open the other realm
    let otherRealm = try Realm(configuration: configuration("second realm"))
    try otherRealm.write {
      // Copy to the other realm
      let wolfieCopy = otherRealm.create(type(of: wolfie), value: wolfie)
      wolfieCopy.age = 2
      // Verify that the copy is separate from the original
      #expect(wolfie.age != wolfieCopy.age)
    }
    #expect(realm.objects(Dog.self).map(\.age) == [1])
    #expect(otherRealm.objects(Dog.self).map(\.age) == [2])
    #expect(otherRealm.objects(Dog.self).map(\.name) == ["Wolfie"])
  }
}

private typealias Dog = CreatingPage.Dog
private typealias DogToy = CreatingPage.DogToy
private typealias Person = CreatingPage.Person
private typealias Address = CreatingPage.Address
private typealias WeatherSensor = CreatingPage.WeatherSensor

/// The page's classes.
private enum CreatingPage {
  static let classes: [ObjectBase.Type] = [DogToy.self, Dog.self, Person.self, Address.self]

  class DogToy: Object {
    @Persisted var name = ""
  }
  class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var color = ""
    @Persisted var currentCity = ""
    @Persisted var citiesVisited: MutableSet<String>
    @Persisted var companion: AnyRealmValue
    // To-one relationship
    @Persisted var favoriteToy: DogToy?
    // Map of city name -> favorite park in that city
    @Persisted var favoriteParksByCity: Map<String, String>
  }
  class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    // To-many relationship - a person can have many dogs
    @Persisted var dogs: List<Dog>
    // Embed a single object.
    // Embedded object properties must be marked optional.
    @Persisted var address: Address?
    convenience init(name: String, address: Address) {
      self.init()
      self.name = name
      self.address = address
    }
  }
  class Address: EmbeddedObject {
    @Persisted var street: String?
    @Persisted var city: String?
    @Persisted var country: String?
    @Persisted var postalCode: String?
  }
  class WeatherSensor: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var deviceId: String
    @Persisted var temperatureInFahrenheit: Double
    @Persisted var barometricPressureInHg: Double
    @Persisted var windSpeedInMph: Double
  }
}
