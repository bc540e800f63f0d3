import Fief
import FiefDurability

// Steps in which versions are kept: frozen, in another realm, in the file.

extension TourStep {
  static let freezing = TourStep(title: "A frozen version stays as it is, beside the latest") { tour in
    let realm = try tour.realm
    let ann = try tour.person(1)
    let (kept, keptDogs) = (ann.freeze(), realm.objects(Dog.self).freeze())
    try realm.write {
      ann.dogs.remove(at: 1)
      ann.home = nil
      for dog in realm.objects(Dog.self) { dog.age += 10 }
    }
    func ages(_ dogs: Results<Dog>) -> String { dogs.map { "\($0.age)" }.joined(separator: ", ") }
    func show(_ what: String, then: String, now: String, claim: (String, String)) throws {
      try tour.show(
        what, "\(then.padded(to: 24))  \(now)", claim: "\(claim.0.padded(to: 24))  \(claim.1)")
    }
    tour.line("", "\("frozen".padded(to: 24))  latest")
    try show("Anna.dogs", then: kept.dogs.names, now: ann.dogs.names, claim: ("[Max, Fido, Bello]", "[Max, Bello]"))
    try show("Anna.home", then: kept.home.words, now: ann.home.words, claim: ("Oak Street, Springfield", "nowhere"))
    try show("ages", then: ages(keptDogs), now: ages(realm.objects(Dog.self)), claim: ("5, 5, 2, 9", "15, 15, 12, 19"))
    try tour.show("the frozen Anna, thawed", kept.thaw()?.dogs.names ?? "nobody", claim: "[Max, Bello]")
  }

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

  static let reopening = TourStep(title: "The file is closed, checked, and opened again") { tour in
    let path = tour.configuration.fileURL?.path ?? ""
    let before = try StoreFile.info(path).state
    tour.close()
    let after = try StoreFile.info(path).state
    try tour.show("the file before and after closing", "\(before.name), \(after.name)", claim: "notClosed, closed")
    let report = try StoreFile.verify(path)
    try tour.show(
      "fief verify dogs.realm", report.isSound ? "sound, \(report.info?.objects ?? 0) objects" : "damaged",
      claim: "sound, 5 objects")
    try tour.open()
    let realm = try tour.realm
    let ann = try tour.person(1)
    try tour.show("Anna, read from the file", "\(ann.name) \(ann.dogs.names)", claim: "Anna [Bello]")
    try tour.show(
      "all dogs", realm.objects(Dog.self).map(\.words).joined(separator: "; "), claim: "Fido, 15; Bello, 19")
    try tour.show(
      "Bello's toy and owners", "\(try tour.dog("Bello").toy?.name ?? "none"), \(try tour.dog("Bello").owners.names)",
      claim: "bone, [Anna]")
  }
}
