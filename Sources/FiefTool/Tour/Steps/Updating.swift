import Fief

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
}
