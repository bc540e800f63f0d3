import Kennel
import RealmSwift

// A class of the program beside those of the library, with an enum of the library.
final class Visitor: Object {
  @Persisted var sex: Sex = .male
  @Persisted var dogs: List<Dog>
}

struct Unexpected: Error {
  var what: String
}

func expect(_ condition: Bool, _ what: String) throws {
  if !condition { throw Unexpected(what: what) }
}

@main
struct Program {
  @MainActor
  static func main() async throws {
    let realm = try await open()
    let person = Person()
    try await realm.asyncWrite {
      let dog = Dog(value: ["name": "Rex", "age": 5, "sex": Sex.male, "chip": Chip("17"), "home": ["city": "Oslo"]])
      dog.spot = Point(x: 1, y: 2)
      dog.direction = .right
      person.name = "Ann"
      person.dogs.append(dog)
      person.byName["Rex"] = dog
      realm.add(person)
      realm.create(Visitor.self, value: ["dogs": [dog]])
      realm.create(Scalars.self).grade8 = .high
      realm.create(Optionals.self).nickname = Nickname("Re")
      realm.create(Note.self, value: ["text": "Walk", "coat": "long", "words": ["a", "b"]])
      realm.add(Older(value: ["names": ["x"], "sexes": ["male"], "dogs": [dog]]))
      let collections = realm.create(Collections.self)
      collections.sexes.append(objectsIn: [.male, .female])
      collections.chips.append(Chip("1"))
      collections.points.append(Point(x: 3, y: 4))
      collections.directions["home"] = .left
    }

    let dogs = Kennel.dogs(.male, in: realm)
    try expect(dogs.count == 1 && older(dogs) == 1, "a query by an enum")
    let chipped = counts(Dog.self, in: realm) { $0.chip == Chip("17") && $0.spot == Point(x: 1, y: 2) }
    try expect(chipped == 1, "custom types")
    try expect(counts(Collections.self, in: realm) { $0.sexes.contains(.female) } == 1, "enums in lists")
    try expect(realm.objects(Visitor.self).first?.sex == .male, "an enum of another module")
    guard let dog = dogs.first else { throw Unexpected(what: "no dog") }

    let token = observe(dog) { _ in }
    try rename(dog, to: "Max")
    token.invalidate()
    try expect(names(person) == ["Max"], "names through a link")
    try expect(DogName(projecting: dog).city == "Oslo", "a projection")
    try expect(Array(PersonNames(projecting: person).dogNames) == ["Max"], "a projected collection")
    try expect(dog.owners.first?.name == "Ann", "linking objects")

    let other = try await Realm.open(configuration: .init(inMemoryIdentifier: "other"))
    try await other.asyncWrite { _ = copy(dog, to: other) }
    try expect(other.objects(Dog.self).first?.direction == .right, "a copy")

    guard let note = realm.objects(Note.self).first else { throw Unexpected(what: "no note") }
    let again = try JSONDecoder().decode(Note.self, from: JSONEncoder().encode(note.detached()))
    try expect(again.coat == .long && again.words.count == 2, "JSON")
    try useSigns()
    try await useSignBoard()
    print("The models of a library work.")
  }
}
