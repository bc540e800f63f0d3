import Fief

extension TourStep {
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
}
