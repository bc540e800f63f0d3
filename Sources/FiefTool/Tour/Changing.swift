import Fief

// Steps in which objects are changed: updated, or not, and deleted.

extension TourStep {
  static let updating = TourStep(title: "Objects are updated, and every instance shows it") { tour in
    let realm = try tour.realm
    let (rex, other) = (try tour.dog("Rex"), try tour.dog("Rex"))
    try realm.write { rex.age += 1 }
    try tour.show("Rex.age += 1, seen by another instance", "\(other.age)", claim: "4")
    try realm.write { rex["name"] = "Max" }
    try tour.show("rex[\"name\"] = \"Max\" (by name)", other.name, claim: "Max")
    let ann = try tour.person(1)
    try realm.write { realm.create(Person.self, value: ["id": 1, "name": "Anna"], update: .modified) }
    try tour.show(
      "create with id 1 again, update: .modified", "\(ann.name) \(ann.dogs.names)", claim: "Anna [Max, Fido, Bello]")
    try tour.show("persons, still", "\(realm.objects(Person.self).count)", claim: "2")
  }

  static let undoing = TourStep(title: "What was written is undone: all of it, or a part") { tour in
    let realm = try tour.realm
    let max = try tour.dog("Max")
    struct Regret: Error {}

    realm.beginWrite()
    realm.deleteAll()
    let within = realm.objects(Dog.self).count
    realm.cancelWrite()
    try tour.show(
      "delete everything, then cancelWrite()", "\(within.of("dog")), then \(realm.objects(Dog.self).count)",
      claim: "0 dogs, then 4")
    try tour.show("an instance from before", max.isInvalidated ? "is lost" : max.words, claim: "Max, 4")

    try? realm.write {
      max.age = 100
      throw Regret()
    }
    try tour.show("a write whose block throws: Max.age is", "\(max.age)", claim: "4")

    try realm.write {
      max.age = 5
      try? realm.savepoint {
        max.age = 6
        realm.delete(realm.objects(Toy.self))
        throw Regret()
      }
    }
    try tour.show(
      "age 5, and in a savepoint 6 and no toys", "\(max.age), \(max.toy?.name ?? "no toy")", claim: "5, ball")
  }

  static let refusing = TourStep(title: "What makes no sense fails the write, and changes nothing") { tour in
    let realm = try tour.realm
    let before = realm.version
    func refused(_ deed: String, claim: String, _ body: () throws -> Void) throws {
      do {
        try realm.write(body)
        try tour.show(deed, "it was done", claim: claim)
      } catch let error as Realm.Error {
        try tour.show(deed, "\(error)", claim: claim)
      }
    }
    try refused(
      "a person with a key that is taken",
      claim: "Attempting to create an object of type 'Person' with an existing primary key value '1': use an update "
        + "policy to change the object that is there."
    ) {
      realm.create(Person.self, value: ["id": 1, "name": "Somebody"])
    }
    try refused("a dog whose age is a word", claim: "Invalid value 'three' for property 'Dog.age': expected Int.") {
      realm.create(Dog.self, value: ["name": "Rex", "age": "three"])
    }
    try refused(
      "a map's key with a dot",
      claim: "Map key 'New York.Queens' at Dog.parks begins with '$' or contains '.': percent-encode these characters."
    ) {
      try tour.dog("Max").parks["New York.Queens"] = "Flushing Meadows"
    }
    let (chicken, egg) = (Dog(value: ["name": "Chicken"]), Dog(value: ["name": "Egg"]))
    (chicken.friend, egg.friend) = (.object(egg), .object(chicken))
    defer { egg.friend = .none }
    try refused(
      "create from a dog that reaches itself",
      claim:
        "The value contains a cycle, which create cannot copy: Dog.friend.friend -> Dog. Add the objects themselves "
        + "with add, or copy them with copy(_:), which keeps cycles."
    ) {
      realm.create(Dog.self, value: chicken)
    }
    try tour.show("versions that came of this", "\(realm.version - before)", claim: "0")
    try tour.show(
      "dogs and persons", "\(realm.objects(Dog.self).count) and \(realm.objects(Person.self).count)", claim: "4 and 2")
  }

  static let deleting = TourStep(title: "Objects are deleted, and links to them with them") { tour in
    let realm = try tour.realm
    let (ann, ben, max) = (try tour.person(1), try tour.person(2), try tour.dog("Max"))
    try realm.write { realm.delete(max) }
    try tour.show("delete Max: his instance is", max.isInvalidated ? "invalid" : "valid", claim: "invalid")
    try tour.show(
      "the lists that had him", "Anna \(ann.dogs.names), Ben \(ben.dogs.names)", claim: "Anna [Bello], Ben [Luna]")
    try tour.show(
      "his toy, which nobody has now", realm.objects(Toy.self).map(\.name).joined(separator: ", "), claim: "bone, ball")
    try realm.write {
      realm.delete(ben.dogs)
      realm.delete(ben)
    }
    try tour.show(
      "delete Ben's dogs, and Ben", "\(realm.objects(Dog.self).names), \(realm.objects(Person.self).names)",
      claim: "[Fido, Bello], [Anna]")
  }
}
