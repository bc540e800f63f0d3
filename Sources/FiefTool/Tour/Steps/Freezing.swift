import Fief

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
}
