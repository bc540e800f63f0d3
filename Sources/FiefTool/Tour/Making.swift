import Fief
import Foundation

// Steps in which objects are made: declared, created, related, embedded, and their collections filled.

extension TourStep {
  static let declaring = TourStep(title: "Classes are declared, and a realm is opened in a new file") { tour in
    func show(_ schema: ObjectSchema, claim: String) throws {
      try tour.show(
        "\(schema.className)\(schema.isEmbedded ? " (embedded)" : "")",
        schema.properties.map(\.words).joined(separator: ", "), claim: claim)
    }
    try show(
      Dog().objectSchema,
      claim: "name: string, age: int, toy: Toy?, tricks: set of string, parks: map to string, friend: mixed")
    try tour.show(
      "what is not stored, but known", Dog().objectSchema["owners"]?.words ?? "",
      claim: "owners: who has it as (Person)")
    try show(Toy().objectSchema, claim: "name: string")
    try show(Person().objectSchema, claim: "id: int, name: string, dogs: list of Dog, home: Address?")
    try show(Address().objectSchema, claim: "street: string, city: string")
    func state() -> String { Realm.fileExists(for: tour.configuration) ? "there" : "not there" }
    let before = state()
    try tour.open()
    try tour.show("dogs.realm before and after its opening", "\(before), \(state())", claim: "not there, there")
    try tour.show("what is in it", (try tour.realm).isEmpty ? "nothing yet" : "something", claim: "nothing yet")
  }

  static let creating = TourStep(title: "Objects are created: of properties, dictionaries, arrays and JSON") { tour in
    let realm = try tour.realm
    let rex = Dog()
    rex.name = "Rex"
    rex.age = 3
    try realm.write { realm.add(rex) }
    try tour.show("an instance, filled and then added", rex.words, claim: "Rex, 3")
    let fido = try realm.write { realm.create(Dog.self, value: ["name": "Fido", "age": 5]) }
    try tour.show("create from a dictionary", fido.words, claim: "Fido, 5")
    let luna = Dog(value: ["Luna", 1])
    try realm.write { realm.add(luna) }
    try tour.show("an instance from an array", luna.words, claim: "Luna, 1")
    let json = #"{"id": 1, "name": "Ann", "dogs": [{"name": "Bello", "age": 9, "toy": {"name": "bone"}}]}"#
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let ann = try realm.write { realm.create(Person.self, value: value) }
    try tour.show("Ann from JSON, with a dog in it", "\(ann.name) \(ann.dogs.names)", claim: "Ann [Bello]")
    try tour.show("what Bello's JSON had in it", ann.dogs.first?.toy?.name ?? "no toy", claim: "bone")
    try realm.write { realm.create(Person.self, value: ["id": 2, "name": "Ben"]) }
    try tour.show(
      "how many there are",
      "\(realm.objects(Dog.self).count.of("dog")), \(realm.objects(Person.self).count.of("person"))",
      claim: "4 dogs, 2 persons")
  }

  static let relating = TourStep(title: "Objects are related, and each link is known at both ends") { tour in
    let realm = try tour.realm
    let (rex, fido, luna) = (try tour.dog("Rex"), try tour.dog("Fido"), try tour.dog("Luna"))
    let (ann, ben) = (try tour.person(1), try tour.person(2))
    try realm.write { rex.toy = Toy(value: ["name": "ball"]) }
    try tour.show("Rex.toy = a new Toy (to one)", rex.toy?.name ?? "nothing", claim: "ball")
    try realm.write { ann.dogs.append(objectsIn: [rex, fido]) }
    try tour.show("Ann.dogs takes Rex and Fido (to many)", ann.dogs.names, claim: "[Bello, Rex, Fido]")
    try realm.write { ben.dogs.append(objectsIn: [luna, rex]) }
    try tour.show("Ben.dogs takes Luna and Rex", ben.dogs.names, claim: "[Luna, Rex]")
    try tour.show("Rex.owners, which nobody sets (inverse)", rex.owners.names, claim: "[Ann, Ben]")
    try realm.write { ann.dogs.move(from: 0, to: 2) }
    try tour.show("Ann.dogs.move(from: 0, to: 2)", ann.dogs.names, claim: "[Rex, Fido, Bello]")
  }

  static let embedding = TourStep(title: "Embedded objects have one owner, and go with it") { tour in
    let realm = try tour.realm
    let ann = try tour.person(1)
    try realm.write { ann.home = Address(value: ["Elm Street", "Springfield"]) }
    let old = ann.home
    try tour.show("Ann.home = an Address on Elm Street", ann.home.words, claim: "Elm Street, Springfield")
    try realm.write { ann.home = Address(value: ["Oak Street", "Springfield"]) }
    try tour.show("Ann moves to Oak Street", ann.home.words, claim: "Oak Street, Springfield")
    try tour.show(
      "the address on Elm Street", old?.isInvalidated == true ? "was deleted with its owner" : "is there",
      claim: "was deleted with its owner")
  }

  static let collecting = TourStep(title: "Sets, maps and values of any type are properties like others") { tour in
    let realm = try tour.realm
    let (rex, fido) = (try tour.dog("Rex"), try tour.dog("Fido"))
    try realm.write { rex.tricks.insert(objectsIn: ["sit", "roll", "sit"]) }
    try tour.show("Rex.tricks takes sit, roll, sit", rex.tricks.sorted().joined(separator: ", "), claim: "roll, sit")
    try realm.write {
      rex.parks["Berlin"] = "Tiergarten"
      rex.parks["Kyoto"] = "Maruyama"
      rex.parks["Berlin"] = "Mauerpark"
    }
    try tour.show(
      "Rex.parks by city, Berlin's twice",
      rex.parks.keys.map { "\($0): \(rex.parks[$0] ?? "")" }.joined(separator: ", "),
      claim: "Berlin: Mauerpark, Kyoto: Maruyama")
    var found: [String] = []
    for friend in [.string("a cat"), .object(fido), .fromArray([.int(1), .bool(true)])] as [AnyRealmValue] {
      try realm.write { rex.friend = friend }
      found.append(rex.friend.words)
    }
    try tour.show(
      "Rex.friend, three times given another type", found.joined(separator: ", then "),
      claim: "the string 'a cat', then the object Fido, then a list of 2")
  }
}
