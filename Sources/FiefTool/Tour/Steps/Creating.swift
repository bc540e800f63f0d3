import Fief
import Foundation

extension TourStep {
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
}
