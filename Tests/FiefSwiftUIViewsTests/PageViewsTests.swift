import RealmSwift
import SwiftUI
import Testing

@Suite("The views of the page about writing from views")
@MainActor
struct PageViewsTests {
  let realm: Realm
  let environment: EnvironmentValues

  init() throws {
    realm = try Realm(configuration: .inMemory(objectTypes: [Dog.self, Person.self]))
    var environment = EnvironmentValues()
    environment.realmConfiguration = realm.configuration
    self.environment = environment
  }

  @Test func `EditDogDetails writes the text that is typed, and shows it`() async throws {
    let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex", "favoriteToy": "ball"]) }
    let host = Stage(environment: environment) { EditDogDetails(dog: dog) }
    #expect(host.texts == ["Rex"])
    #expect(host.content(of: "Favorite toy") == "ball")
    host.type("bone", into: "Favorite toy")
    #expect(dog.favoriteToy == "bone")
    await host.settle()
    #expect(host.content(of: "Favorite toy") == "bone")
    #expect(host.evaluations == 2)
  }

  @Test func `DogsListView adds and deletes dogs`() async throws {
    let host = Stage(environment: environment) { DogsListView() }
    #expect(host.texts.isEmpty)
    host.press("addDogButton")
    host.press("addDogButton")
    await host.settle()
    #expect(host.texts == ["Bandido", "Bandido"])
    #expect(realm.objects(Dog.self).count == 2)
    try realm.write { realm.objects(Dog.self)[1].name = "Rex" }
    await host.settle()
    #expect(host.texts == ["Bandido", "Rex"])
    host.swipeToDelete(row: 0)
    await host.settle()
    #expect(host.texts == ["Rex"])
    #expect(realm.objects(Dog.self).map(\.name) == ["Rex"])
  }

  @Test func `AddDogToPersonView appends the dog that was described`() async throws {
    let person = try realm.write { realm.create(Person.self, value: ["firstName": "Ann"]) }
    @State var isShown = true
    let binding = $isShown
    let host = Stage(environment: environment) { AddDogToPersonView(person: person, isInAddDogView: binding) }
    host.type("Rex", into: "Dog's name")
    host.type("Collie", into: "Dog's breed")
    host.type("12", into: "Dog's weight")
    host.type("ball", into: "Dog's favorite toy")
    host.type("https://example.com/rex.png", into: "Image link")
    await host.settle()
    #expect(host.content(of: "Dog's weight") == "12")
    host.press("Save")
    #expect(!isShown)
    let dog = try #require(person.dogs.first)
    #expect(person.dogs.count == 1)
    #expect(dog.name == "Rex" && dog.breed == "Collie" && dog.weight == 12 && dog.favoriteToy == "ball")
    #expect(dog.profileImageUrl == "https://example.com/rex.png")
  }

  @Test func `AddDogToPersonView writes nothing when it is cancelled`() throws {
    let person = try realm.write { realm.create(Person.self, value: ["firstName": "Ann"]) }
    @State var isShown = true
    let binding = $isShown
    let host = Stage(environment: environment) { AddDogToPersonView(person: person, isInAddDogView: binding) }
    host.press("Cancel")
    #expect(!isShown && person.dogs.isEmpty && realm.objects(Dog.self).isEmpty)
  }
}
