import Fief

extension TourStep {
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
}
