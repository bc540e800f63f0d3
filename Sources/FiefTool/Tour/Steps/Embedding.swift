import Fief

extension TourStep {
  static let embedding = TourStep(title: "Embedded objects have one owner, and go with it") { tour in
    let realm = try tour.realm
    let ann = try tour.person(1)
    try realm.write { ann.home = Address(value: ["Elm Street", "Springfield"]) }
    let old = ann.home
    try tour.show("Ann.home = an Address on Elm Street", ann.home.words, claim: "Elm Street, Springfield")
    try realm.write { ann.home = Address(value: ["Oak Street", "Springfield"]) }
    try tour.show("Ann moves to Oak Street", ann.home.words, claim: "Oak Street, Springfield")
    try tour.show(
      "the address on Elm Street", old?.isInvalidated == true ? "was deleted with its owner" : "is there",
      claim: "was deleted with its owner")
  }
}
