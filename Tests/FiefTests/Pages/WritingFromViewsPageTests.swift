import Foundation
import RealmSwift
import Testing

/// The page "Writing – SwiftUI", as far as possible without views: the write behind each `$` of a view is written out.
@Suite struct WritingFromViewsPageTests {
  private func realm() throws -> Realm {
    try Realm(
      configuration: .inMemory(
        objectTypes: [DogToy.self, Dog.self, Person.self, Employee.self, Company.self]))
  }

  @Test func aViewHoldsAFrozenObjectAndWritesToItsThawedOne() throws {
    let realm = try realm()
    let dog = Dog()
    dog.name = "Maui"
    try realm.write { realm.add(dog) }
    let frozenDog = dog.freeze()
    // TextField("Name", text: $dog.name)
    let thawedDog = try #require(frozenDog.thaw())
    try thawedDog.realm?.write { thawedDog.name = "Wolfie" }
    #expect(frozenDog.name == "Maui")
    #expect(dog.name == "Wolfie")
  }

  @Test func resultsOfAViewTakeAndLoseObjects() throws {
    let realm = try realm()
    let dogs = realm.objects(Dog.self).freeze()
    // $dogs.append(Dog(value: ["name":"Bandido"]))
    let live = try #require(dogs.thaw()?.realm)
    try live.write { live.add(Dog(value: ["name": "Bandido"])) }
    #expect(dogs.isEmpty)
    #expect(realm.objects(Dog.self).map(\.name) == ["Bandido"])
    // .onDelete(perform: $dogs.remove)
    let shown = realm.objects(Dog.self).freeze()
    let removed = try #require(shown[0].thaw())
    try live.write { live.delete(removed) }
    #expect(shown.map(\.name) == ["Bandido"])
    #expect(realm.objects(Dog.self).isEmpty)
  }

  @Test func aDogIsAddedToAPersonOfAView() throws {
    let realm = try realm()
    let person = Person(value: ["firstName": "Ann", "lastName": "Lee"])
    try realm.write { realm.add(person) }
    let frozenPerson = person.freeze()
    // $person.dogs.append(dog)
    let dogs = try #require(frozenPerson.dogs.thaw())
    try realm.write { dogs.append(Dog(value: ["name": "Maui"])) }
    #expect(frozenPerson.dogs.isEmpty)
    #expect(person.dogs.map(\.name) == ["Maui"])
  }

  // MARK: Create, to copy

  @Test func anObjectThatLinksToAnotherRealmsIsRefused() throws {
    let realm = try realm()
    let elsewhere = try self.realm()
    let wubba = DogToy(value: ["name": "wubba"])
    try elsewhere.write { elsewhere.add(wubba) }
    let dog = Dog(value: ["name": "Maui"])
    dog.favoriteToy = wubba
    do {
      try realm.write { realm.add(dog) }
      Issue.record("an object of another realm was added")
    } catch {
      #expect(
        "\(error)".contains(
          "Object is already managed by another Realm. Use create instead to copy it into this Realm."))
    }
    #expect(realm.isEmpty)
  }

  @Test func createLinksToTheObjectThatIsThere() throws {
    let realm = try realm()
    let toy = DogToy(value: ["name": "wubba"])
    let owner = Person(value: ["firstName": "Ann"])
    try realm.write {
      realm.add(toy)
      realm.add(owner)
    }
    let (wubba, frozenPerson) = (toy.freeze(), owner.freeze())
    // When working with an `@ObservedRealmObject` `Person`, this is a frozen object.
    // Thaw the object and get its realm to perform the write to append the new dog.
    let thawedPersonRealm = frozenPerson.thaw()!.realm!
    let person = frozenPerson.thaw()!
    try! thawedPersonRealm.write {
      // Use the .create method with `update: .modified` to copy the
      // existing object into the realm
      let dog = thawedPersonRealm.create(
        Dog.self,
        value: [
          "name": "Maui",
          "favoriteToy": wubba,
        ],
        update: .modified)
      person.dogs.append(dog)
    }
    #expect(person.dogs.map(\.name) == ["Maui"])
    #expect(realm.objects(DogToy.self).count == 1)
    #expect(person.dogs.first?.favoriteToy?._id == toy._id)
  }

  @Test func createCopiesTheObjectFromAnotherRealm() throws {
    let realm = try realm()
    let elsewhere = try self.realm()
    let wubba = DogToy(value: ["name": "wubba"])
    try elsewhere.write { elsewhere.add(wubba) }
    let dog = try realm.write {
      realm.create(Dog.self, value: ["name": "Maui", "favoriteToy": wubba], update: .modified)
    }
    #expect(dog.favoriteToy?.name == "wubba")
    #expect(dog.favoriteToy?.realm == realm)
    #expect(wubba.realm == elsewhere)
  }

  // MARK: Explicit writes

  private func performAnExplicitWrite(company: Company, employeeName: String, dogName: String) {
    // Get the realm that is managing the `Company` object you passed in.
    // Thaw the realm so you can write to it.
    let realm = company.realm!.thaw()
    // Thawing the `Company` object that you passed in also thaws the objects in its List properties.
    // This lets you append the `Dog` to the `Employee` without individually thawing both of them.
    let thawedCompany = company.thaw()!
    let thisEmployee = thawedCompany.employees.where { $0.name == employeeName }.first!
    let thisDog = thawedCompany.dogs.where { $0.name == dogName }.first!
    try! realm.write {
      thisEmployee.dogs.append(thisDog)
    }
  }

  @Test func anExplicitWriteThawsWhatItWasGiven() throws {
    let realm = try realm()
    let company = Company(value: ["companyName": "Barkers"])
    company.employees.append(objectsIn: ["Ann", "Dachary"].map { Employee(value: ["name": $0]) })
    company.dogs.append(objectsIn: ["Maui", "Wolfie"].map { Dog(value: ["name": $0]) })
    try realm.write { realm.add(company) }
    // The `frozenCompany` here represents an `@ObservedRealmObject var company: Company`
    let frozenCompany = company.freeze()
    performAnExplicitWrite(company: frozenCompany, employeeName: "Dachary", dogName: "Maui")
    #expect(company.employees.map { Array($0.dogs.map(\.name)) } == [[], ["Maui"]])
    #expect(frozenCompany.employees[1].dogs.isEmpty)
    #expect(frozenCompany.isFrozen)
  }

  @Test func writingToAFrozenObjectTrapsAndSaysSo() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, DogToy.self]))
      let dog = Dog()
      try realm.write { realm.add(dog) }
      let frozenDog = dog.freeze()
      try realm.write { frozenDog.name = "Wolfie" }
    }
    let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(said.contains("frozen"))
  }
}

private typealias DogToy = ViewsPage.DogToy
private typealias Dog = ViewsPage.Dog
private typealias Person = ViewsPage.Person
private typealias Employee = ViewsPage.Employee
private typealias Company = ViewsPage.Company

/// The page's classes, without the properties that the page omits.
private enum ViewsPage {
  class DogToy: Object, ObjectKeyIdentifiable {
    @Persisted(primaryKey: true) var _id: UUID
    @Persisted var name = ""
  }
  class Dog: Object, ObjectKeyIdentifiable {
    @Persisted(primaryKey: true) var _id: UUID
    @Persisted var name = ""
    @Persisted var favoriteToy: DogToy?
  }
  class Person: Object, ObjectKeyIdentifiable {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var firstName = ""
    @Persisted var lastName = ""
    @Persisted var dogs: List<Dog>
  }
  class Employee: Object, ObjectKeyIdentifiable {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var name = ""
    @Persisted var dogs: List<Dog>
  }
  class Company: Object, ObjectKeyIdentifiable {
    @Persisted(primaryKey: true) var _id: ObjectId
    @Persisted var companyName = ""
    @Persisted var employees: List<Employee>
    @Persisted var dogs: List<Dog>
  }
}
