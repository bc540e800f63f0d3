import Foundation
import RealmSwift
import Testing

/// The page "CRUD – Delete": its classes and its code, in its order.
@Suite struct DeletingPageTests {
  private func realm() throws -> Realm {
    try Realm(configuration: .inMemory(objectTypes: DeletingPage.classes))
  }

  /// A realm with a pup, a dog of two years and an old dog.
  private func kennel() throws -> Realm {
    let realm = try realm()
    try realm.write {
      realm.add([("Pup", 1), ("Maui", 2), ("Max", 5)].map { Dog(value: ["name": $0.0, "age": $0.1]) })
    }
    return realm
  }

  @Test func anObjectIsDeleted() throws {
    // Previously, we've added a dog object to the realm.
    let dog = Dog(value: ["name": "Max", "age": 5])
    let realm = try realm()
    try realm.write {
      realm.add(dog)
    }
    // Delete the instance from the realm.
    try realm.write {
      realm.delete(dog)
    }
    #expect(dog.isInvalidated)
    #expect(realm.objects(Dog.self).isEmpty)
  }

  @Test func readingADeletedObjectTrapsAndSaysSo() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: DeletingPage.classes))
      let dog = Dog()
      try realm.write { realm.add(dog) }
      try realm.write { realm.delete(dog) }
      print(dog.name)
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("deleted or invalidated"))
  }

  @Test func matchesOfATypedQueryAreDeleted() throws {
    let realm = try kennel()
    try realm.write {
      // Find dogs younger than 2 years old.
      let puppies = realm.objects(Dog.self).where {
        $0.age < 2
      }
      // Delete the objects in the collection from the realm.
      realm.delete(puppies)
    }
    #expect(realm.objects(Dog.self).map(\.name) == ["Maui", "Max"])
  }

  @Test func matchesOfAFilterAreDeleted() throws {
    let realm = try kennel()
    try realm.write {
      // Find dogs younger than 2 years old.
      let puppies = realm.objects(Dog.self).filter("age < 2")
      // Delete the objects in the collection from the realm.
      realm.delete(puppies)
    }
    #expect(realm.objects(Dog.self).map(\.name) == ["Maui", "Max"])
  }

  @Test func anObjectIsDeletedWithItsRelatedObjects() throws {
    let realm = try kennel()
    try realm.write {
      let ali = Person(value: ["id": 1, "name": "Ali"])
      ali.dogs.append(objectsIn: [Dog(value: ["name": "Rex"]), Dog(value: ["name": "Fido"])])
      realm.add(ali)
    }
    let person = realm.object(ofType: Person.self, forPrimaryKey: 1)!
    try realm.write {
      // Delete the related collection
      realm.delete(person.dogs)
      realm.delete(person)
    }
    #expect(realm.objects(Person.self).isEmpty)
    #expect(realm.objects(Dog.self).map(\.name) == ["Pup", "Maui", "Max"])
  }

  @Test func anObjectThatIsDeletedAloneLeavesItsRelatedObjects() throws {
    let realm = try kennel()
    let person = Person(value: ["id": 1, "name": "Ali"])
    try realm.write {
      person.dogs.append(objectsIn: realm.objects(Dog.self))
      realm.add(person)
    }
    try realm.write { realm.delete(person) }
    #expect(realm.objects(Dog.self).count == 3)
  }

  @Test func allObjectsOfATypeAreDeleted() throws {
    let realm = try kennel()
    try realm.write { realm.add(Person(value: ["id": 1])) }
    try realm.write {
      // Delete all instances of Dog from the realm.
      let allDogs = realm.objects(Dog.self)
      realm.delete(allDogs)
    }
    #expect(realm.objects(Dog.self).isEmpty)
    #expect(realm.objects(Person.self).count == 1)
  }

  @Test func allObjectsAreDeletedAndTheSchemaStays() throws {
    let realm = try kennel()
    try realm.write { realm.add(Person(value: ["id": 1])) }
    try realm.write {
      // Delete all objects from the realm.
      realm.deleteAll()
    }
    #expect(realm.isEmpty)
    try realm.write { realm.add(Dog()) }
    #expect(realm.objects(Dog.self).count == 1)
  }

  // MARK: Parts of objects

  @Test func entriesOfMapsAreDeleted() throws {
    let realm = try realm()
    try realm.write {
      let dog = Dog(value: ["name": "Wolfie"])
      dog.favoriteParksByCity["New York"] = "Domino Park"
      dog.favoriteParksByCity["Chicago"] = "Wiggly Field"
      dog.parkGuidesByCity["New York"] = "Ann"
      realm.add(dog)
    }
    // Find the dog we want to update
    let wolfie = realm.objects(Dog.self).where {
      $0.name == "Wolfie"
    }.first!
    // Delete an entry
    try realm.write {
      // Use removeObject(for:)
      wolfie.favoriteParksByCity.removeObject(for: "New York")
      // Or assign `nil` to delete non-optional values.
      wolfie.favoriteParksByCity["Chicago"] = nil
      // If the value type is optional a `nil` of that type is kept as the value.
      wolfie.parkGuidesByCity["New York"] = .some(nil)
    }
    #expect(wolfie.favoriteParksByCity["New York"] == nil)
    #expect(wolfie.favoriteParksByCity.isEmpty)
    #expect(wolfie.parkGuidesByCity.keys == ["New York"])
    #expect(wolfie.parkGuidesByCity["New York"] == .some(nil))
  }

  @Test func elementsOfSetsAreDeleted() throws {
    let realm = try realm()
    // Record a dog's name and list of cities he has visited.
    let dog = Dog()
    dog.name = "Maui"
    let dogCitiesVisited = ["New York", "Boston", "Toronto"]
    try realm.write {
      realm.add(dog)
      dog.citiesVisited.insert(objectsIn: dogCitiesVisited)
    }
    #expect(dog.citiesVisited.count == 3)
    // Later... we decide the dog didn't really visit Toronto
    // since the plane just stopped there for a layover.
    // Remove the element from the set.
    try realm.write {
      dog.citiesVisited.remove("Toronto")
    }
    #expect(dog.citiesVisited.count == 2)
    #expect(!dog.citiesVisited.contains("Toronto"))
    // Or, in the case where the person entered the data for
    // the wrong dog, remove all elements from the set.
    try realm.write {
      dog.citiesVisited.removeAll()
    }
    #expect(dog.citiesVisited.count == 0)
  }

  @Test func theElementsOfOneSetAreTakenOutOfAnother() throws {
    let realm = try realm()
    let (maui, wolfie) = (Dog(), Dog())
    try realm.write {
      realm.add([maui, wolfie])
      maui.citiesVisited.insert(objectsIn: ["New York", "Boston", "Toronto"])
      wolfie.citiesVisited.insert(objectsIn: ["Toronto", "Ottawa"])
      maui.citiesVisited.subtract(wolfie.citiesVisited)
    }
    #expect(Set(maui.citiesVisited) == ["New York", "Boston"])
    #expect(wolfie.citiesVisited.count == 2)
  }

  @Test func anAnyRealmValueIsSetToNone() throws {
    let realm = try realm()
    try realm.write {
      let dog = Dog(value: ["name": "Wolfie"])
      dog.companion = .string("Fluffy the Cat")
      realm.add(dog)
    }
    // Wolfie's companion is "Fluffy the Cat", represented by a string.
    // Fluffy has gone to visit friends for the summer, so Wolfie has no companion.
    let wolfie = realm.objects(Dog.self).where {
      $0.name == "Wolfie"
    }.first!
    try realm.write {
      // You cannot set an AnyRealmValue to nil; you must set it to `.none`, instead.
      wolfie.companion = .none
    }
    #expect(wolfie.companion == .none)
  }

  // MARK: Actors

  @Test func anObjectIsDeletedOnAnActor() async throws {
    let actor = try await RealmActor()
    for name in ["Take the ring to Mount Doom", "Keep Mr. Frodo safe from that Gollum"] {
      try await actor.createTodo(name: name, owner: "Sam", status: "In Progress")
    }
    let todoCount = await actor.count
    let todoId = await actor.getObjectId(forTodoNamed: "Keep Mr. Frodo safe from that Gollum")
    try await actor.deleteTodo(id: todoId)
    let updatedTodoCount = await actor.count
    #expect(updatedTodoCount == todoCount - 1)
    #expect(updatedTodoCount == 1)
  }
}

private typealias Dog = DeletingPage.Dog
private typealias Person = DeletingPage.Person

/// The page's classes, with an additional map of optional values.
private enum DeletingPage {
  static let classes: [ObjectBase.Type] = [Dog.self, Person.self]

  class Dog: Object {
    @Persisted var name = ""
    @Persisted var age = 0
    @Persisted var color = ""
    @Persisted var currentCity = ""
    @Persisted var citiesVisited: MutableSet<String>
    @Persisted var companion: AnyRealmValue
    // Map of city name -> favorite park in that city
    @Persisted var favoriteParksByCity: Map<String, String>
    @Persisted var parkGuidesByCity: Map<String, String?>
  }
  class Person: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
    // To-many relationship - a person can have many dogs
    @Persisted var dogs: List<Dog>
  }
}
