import Fief

// Steps in which objects are asked for and observed.

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

  static let observing = TourStep(title: "Changes are told to whoever wants to hear of them") { tour in
    let realm = try tour.realm
    let (dogs, luna) = (realm.objects(Dog.self), try tour.dog("Luna"))
    var told: [String] = []
    let tokens = [
      dogs.observe { change in
        switch change {
        case .initial(let dogs): told.append("there are \(dogs.count)")
        case .update(_, let deletions, let insertions, let modifications):
          told.append("deleted \(deletions), inserted \(insertions), modified \(modifications)")
        case .error: break
        }
      },
      luna.observe { change in
        guard case .change(_, let properties) = change else { return }
        for property in properties {
          told.append("\(property.name) from \(property.oldValue ?? "nil") to \(property.newValue ?? "nil")")
        }
      },
    ]
    defer { tokens.forEach { $0.invalidate() } }
    /// The notifications since the last call.
    func heard() -> String {
      realm.refresh()
      defer { told = [] }
      return told.isEmpty ? "nothing" : told.sorted().joined(separator: "; ")
    }
    try tour.show("observe all dogs, and Luna", heard(), claim: "there are 4")
    let pup = try realm.write {
      luna.age = 2
      return realm.create(Dog.self, value: ["name": "Pup"])
    }
    try tour.show(
      "Luna.age = 2 and a new dog, in one write", heard(),
      claim: "age from 1 to 2; deleted [], inserted [4], modified [2]")
    try realm.write { realm.delete(pup) }
    try tour.show("the new dog is given away", heard(), claim: "deleted [4], inserted [], modified []")
    try realm.write { luna.age = 2 }
    try tour.show("Luna.age = 2 once more", heard(), claim: "nothing")
  }
}
