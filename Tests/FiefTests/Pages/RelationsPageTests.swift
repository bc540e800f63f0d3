import Foundation
import RealmSwift
import Testing

/// The page "Model relationships": its classes, and its statements about them.
@Suite struct RelationsPageTests {
  // MARK: To one

  private enum ToOne {
    class Person: Object {
      @Persisted var name: String = ""
      @Persisted var birthdate: Date = Date(timeIntervalSince1970: 1)
      // A person can have one dog
      @Persisted var dog: Dog?
    }
    class Dog: Object {
      @Persisted var name: String = ""
      @Persisted var age: Int = 0
      @Persisted var breed: String?
      // No backlink to person -- one-directional relationship
    }
  }

  @Test func aPersonHasOneDogOrNone() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [ToOne.Person.self, ToOne.Dog.self]))
    let person = ToOne.Person()
    person.name = "Jane"
    try realm.write { realm.add(person) }
    #expect(person.dog == nil)
    #expect(person.birthdate == Date(timeIntervalSince1970: 1))
    try realm.write { person.dog = ToOne.Dog(value: ["name": "Rex", "age": 3]) }
    #expect(person.dog?.name == "Rex")
    #expect(person.dog?.breed == nil)
    // Setting the relation to nil removes the link, and not its target.
    try realm.write { person.dog = nil }
    #expect(person.dog == nil)
    #expect(realm.objects(ToOne.Dog.self).map(\.name) == ["Rex"])
  }

  private class Owner: Object {
    @Persisted var dog: ToOne.Dog
  }

  @Test func aRelationToOneMustBeOptional() throws {
    do {
      _ = try Realm(configuration: .inMemory(objectTypes: [Owner.self, ToOne.Dog.self]))
      Issue.record("a required relation to one object was accepted")
    } catch {
      #expect("\(error)".contains("Owner.dog"))
      #expect("\(error)".contains("optional"))
    }
  }

  // MARK: To many

  private enum ToMany {
    class Person: Object {
      @Persisted var name: String = ""
      @Persisted var birthdate: Date = Date(timeIntervalSince1970: 1)
      // A person can have many dogs
      @Persisted var dogs: List<Dog>
    }
    class Dog: Object {
      @Persisted var name: String = ""
      @Persisted var age: Int = 0
      @Persisted var breed: String?
      // No backlink to person -- one-directional relationship
    }
  }

  @Test func aPersonHasAnyNumberOfDogs() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [ToMany.Person.self, ToMany.Dog.self]))
    let person = ToMany.Person(value: ["name": "Jane"])
    try realm.write { realm.add(person) }
    #expect(person.dogs.isEmpty)
    try realm.write {
      person.dogs.append(objectsIn: ["Rex", "Fido", "Luna"].map { ToMany.Dog(value: ["name": $0]) })
      person.dogs.append(person.dogs[0])
    }
    #expect(person.dogs.map(\.name) == ["Rex", "Fido", "Luna", "Rex"])
    #expect(realm.objects(ToMany.Dog.self).count == 3)
    try realm.write { realm.delete(person.dogs[0]) }
    #expect(person.dogs.map(\.name) == ["Fido", "Luna"])
  }

  // MARK: Inverse

  private enum Inverse {
    class User: Object {
      @Persisted(primaryKey: true) var _id: ObjectId
      @Persisted var _partition: String = ""
      @Persisted var name: String = ""
      // A user can have many tasks.
      @Persisted var tasks: List<Task>
    }
    class Task: Object {
      @Persisted(primaryKey: true) var _id: ObjectId
      @Persisted var _partition: String = ""
      @Persisted var text: String = ""
      // Backlink to the user. This is automatically updated whenever
      // this task is added to or removed from a user's task list.
      @Persisted(originProperty: "tasks") var assignee: LinkingObjects<User>
    }
  }

  @Test func aTaskKnowsItsUser() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [Inverse.User.self, Inverse.Task.self]))
    let (ann, ben) = (Inverse.User(value: ["name": "Ann"]), Inverse.User(value: ["name": "Ben"]))
    let task = Inverse.Task(value: ["text": "Feed the dog"])
    #expect(task.assignee.isEmpty)
    try realm.write { realm.add([ann, ben]) }
    try realm.write { ann.tasks.append(task) }
    #expect(task.assignee.map(\.name) == ["Ann"])
    try realm.write { ben.tasks.append(task) }
    #expect(task.assignee.map(\.name) == ["Ann", "Ben"])
    try realm.write { ann.tasks.removeAll() }
    #expect(task.assignee.map(\.name) == ["Ben"])
    try realm.write { realm.delete(ben) }
    #expect(task.assignee.isEmpty)
    #expect(!task.isInvalidated)
  }

  /// The older declarations of these relations; those for Objective-C have their modern form.
  private enum OlderInverse {
    class User: Object {
      @Persisted var _id: ObjectId = ObjectId.generate()
      @Persisted var _partition: String = ""
      @Persisted var name: String = ""
      // A user can have many tasks.
      let tasks = List<Task>()
      override static func primaryKey() -> String? {
        return "_id"
      }
    }
    class Task: Object {
      @Persisted var _id: ObjectId = ObjectId.generate()
      @Persisted var _partition: String = ""
      @Persisted var text: String = ""
      // Backlink to the user. This is automatically updated whenever
      // this task is added to or removed from a user's task list.
      let assignee = LinkingObjects(fromType: User.self, property: "tasks")
      override static func primaryKey() -> String? {
        return "_id"
      }
    }
  }

  @Test func aTaskOfTheOlderKindKnowsItsUser() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: [OlderInverse.User.self, OlderInverse.Task.self]))
    let user = OlderInverse.User()
    user.name = "Ann"
    let task = OlderInverse.Task()
    user.tasks.append(task)
    try realm.write { realm.add(user) }
    #expect(task.realm == realm)
    #expect(task.assignee.map(\.name) == ["Ann"])
    #expect(realm.object(ofType: OlderInverse.User.self, forPrimaryKey: user._id)?.tasks.count == 1)
    try realm.write { user.tasks.remove(at: 0) }
    #expect(task.assignee.isEmpty)
  }

  // MARK: Embedded

  private enum Embedding {
    class Person: Object {
      @Persisted(primaryKey: true) var id = 0
      @Persisted var name = ""
      // To-many relationship - a person can have many dogs
      @Persisted var dogs: List<Dog>
      // Inverse relationship - a person can be a member of many clubs
      @Persisted(originProperty: "members") var clubs: LinkingObjects<DogClub>
      // Embed a single object.
      // Embedded object properties must be marked optional.
      @Persisted var address: Address?
      convenience init(name: String, address: Address) {
        self.init()
        self.name = name
        self.address = address
      }
    }
    class Dog: Object {
      @Persisted var name = ""
    }
    class DogClub: Object {
      @Persisted var name = ""
      @Persisted var members: List<Person>
      // DogClub has an array of regional office addresses.
      // These are embedded objects.
      @Persisted var regionalOfficeAddresses: List<Address>
      convenience init(name: String, addresses: [Address]) {
        self.init()
        self.name = name
        self.regionalOfficeAddresses.append(objectsIn: addresses)
      }
    }
    class Address: EmbeddedObject {
      @Persisted var street: String?
      @Persisted var city: String?
      @Persisted var country: String?
      @Persisted var postalCode: String?
    }

    static let classes: [ObjectBase.Type] = [Person.self, Dog.self, DogClub.self, Address.self]

    static func address(in city: String) -> Address {
      let address = Address()
      address.city = city
      return address
    }
  }

  @Test func anEmbeddedObjectGoesWithItsParent() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: Embedding.classes))
    let person = Embedding.Person(name: "Nick", address: Embedding.address(in: "Springfield"))
    try realm.write { realm.add(person) }
    let address = try #require(person.address)
    #expect(address.city == "Springfield")
    #expect(address.realm == realm)
    try realm.write { realm.delete(person) }
    #expect(address.isInvalidated)
    #expect(realm.isEmpty)
  }

  @Test func anEmbeddedObjectGoesWhenAnotherTakesItsPlace() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: Embedding.classes))
    let person = Embedding.Person(name: "Nick", address: Embedding.address(in: "Springfield"))
    try realm.write { realm.add(person) }
    let old = try #require(person.address)
    try realm.write { person.address = Embedding.address(in: "Shelbyville") }
    #expect(old.isInvalidated)
    #expect(person.address?.city == "Shelbyville")
    try realm.write { person.address = nil }
    #expect(person.address == nil)
  }

  @Test func aClubOwnsTheAddressesInItsListAndKnowsItsMembers() throws {
    let realm = try Realm(configuration: .inMemory(objectTypes: Embedding.classes))
    let club = Embedding.DogClub(
      name: "Barkers", addresses: [Embedding.address(in: "Berlin"), Embedding.address(in: "Kyoto")])
    let person = Embedding.Person(name: "Nick", address: Embedding.address(in: "Springfield"))
    club.members.append(person)
    try realm.write { realm.add(club) }
    #expect(person.clubs.map(\.name) == ["Barkers"])
    #expect(club.regionalOfficeAddresses.map(\.city) == ["Berlin", "Kyoto"])
    let berlin = club.regionalOfficeAddresses[0]
    try realm.write { club.regionalOfficeAddresses.remove(at: 0) }
    #expect(berlin.isInvalidated)
    try realm.write { realm.delete(club) }
    #expect(person.clubs.isEmpty)
    #expect(person.address?.city == "Springfield")
  }
}
