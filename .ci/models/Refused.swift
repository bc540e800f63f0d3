// Lines that the compiler must refuse, each marked with a comment, and what it has to say.
import RealmSwift

enum Kind: String, PersistableEnum { case small, large }

class Place: EmbeddedObject {
  @Persisted var city = ""
}

class Dog: Object {
  @Persisted var name = ""
  @Persisted var nick: String?
  @Persisted var born = Date()
  @Persisted var id: ObjectId
  @Persisted var photo = Data()
  @Persisted var kind = Kind.small
  @Persisted var home: Place?
  @Persisted var dogs: List<Dog>
  @Persisted var words: Map<String, String>
}

enum Plain { case small, large }

struct Point: Codable {
  var x = 0
}

class Wrong: Object {
  @Persisted var plain: Plain  // refused: An enum has to conform to `PersistableEnum`
  @Persisted var point = Point()  // refused: and another type of an application to `CustomPersistable`
  @Persisted var names: [String]  // refused: an array is stored as a list: '@Persisted var names: List<String>'
  @Persisted var ages = ["Ann": 3]  // refused: a dictionary is stored as a map: '@Persisted var ages: Map<String, Int>'
  @Persisted var tags: Set<String>  // refused: a set is stored as a mutable set: '@Persisted var tags: MutableSet<
}

func writes(_ realm: Realm, _ place: Place) {
  realm.add(place)  // refused: Embedded objects belong to others: assign it to a property, or to a collection.
  realm.create(Place.self)  // refused
}

class DogView: Projection<Dog> {
  @Projected(\Dog.name) var name
}

func conditions(_ dogs: Results<Dog>, _ views: Results<DogView>) {
  _ = dogs.where { $0.name.utf8.count > 3 }  // refused
  _ = dogs.where { $0.born.timeIntervalSince1970 > 3 }  // refused
  _ = dogs.where { $0.id.stringValue == "x" }  // refused
  _ = dogs.where { $0.photo.startIndex == 1 }  // refused
  _ = dogs.where { $0.kind.rawValue.utf8.count == 1 }  // refused
  _ = dogs.where { $0.kind.hashValue == 1 }  // refused
  _ = dogs.where { $0.home.city.capitalized == "x" }  // refused
  _ = dogs.where { $0.dogs.name.capitalized == "x" }  // refused
  _ = dogs.where { $0.dogs.startIndex == 1 }  // refused
  _ = dogs.where { $0.words["a"].capitalized == "x" }  // refused
  _ = dogs.where { $0.words.values.capitalized == "x" }  // refused
  _ = dogs.where { $0.nick.capitalized == "x" }  // refused
  _ = dogs.where { $0.name.isEmpty && $0.home.city.count > 3 && $0.dogs.isEmpty && $0.words["a"].count > 1 }
}
