import Fief

extension TourStep {
  static let asking = TourStep(title: "Objects are asked for, and the answers stay up to date") { tour in
    let realm = try tour.realm
    let dogs = realm.objects(Dog.self)
    let young = dogs.where { $0.age < 4 }
    try tour.show("dogs.where { $0.age < 4 }", young.names, claim: "[Luna]")
    try tour.show("dogs.filter(\"name CONTAINS[c] 'f'\")", dogs.filter("name CONTAINS[c] 'f'").names, claim: "[Fido]")
    try tour.show(
      "whose dog has a ball (through two links)", realm.objects(Person.self).where { $0.dogs.toy.name == "ball" }.names,
      claim: "[Anna, Ben]")
    let sorted = dogs.sorted(byKeyPath: "age", ascending: false)
    try tour.show("dogs sorted by age, the oldest first", sorted.names, claim: "[Bello, Fido, Max, Luna]")
    let (sum, average) = (dogs.sum(of: \.age), dogs.average(ofProperty: "age") ?? 0.0)
    try tour.show("the sum and the average of their ages", "\(sum) and \(average)", claim: "19 and 4.75")
    try realm.write { realm.create(Dog.self, value: ["name": "Pup"]) }
    try tour.show("a pup is born: the first answer now", young.names, claim: "[Luna, Pup]")
    try realm.write { realm.delete(young.where { $0.name == "Pup" }) }
    try tour.show("and is given away", young.names, claim: "[Luna]")
  }
}
