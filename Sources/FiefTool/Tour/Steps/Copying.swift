import Fief

extension TourStep {
  static let copying = TourStep(title: "Objects are copied to another realm, with all that they reach") { tour in
    let ann = try tour.person(1)
    let other = try Realm(
      configuration: .inMemory(objectTypes: [Dog.self, Toy.self, Person.self, Address.self]))
    let copy = try other.write { other.create(Person.self, value: ann) }
    try tour.show(
      "Anna in a realm in memory", "\(copy.name) \(copy.dogs.names), with a \(copy.dogs.first?.toy?.name ?? "nothing")",
      claim: "Anna [Bello], with a bone")
    try other.write { copy.dogs[0].name = "Bella" }
    try tour.show(
      "there Bello is called Bella", "there \(copy.dogs.names), here \(ann.dogs.names)",
      claim: "there [Bella], here [Bello]")
  }
}
