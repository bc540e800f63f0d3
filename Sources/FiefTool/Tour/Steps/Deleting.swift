import Fief

extension TourStep {
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
