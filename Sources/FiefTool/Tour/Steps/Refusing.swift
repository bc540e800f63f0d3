import FiefGraph

extension TourStep {
  static let refusing = TourStep(title: "What makes no sense is refused, and changes nothing") { tour in
    let t = tour.tables
    let before = tour.graph
    let transaction = tour.published.begin()
    func refused(_ deed: String, claim: String, _ body: () throws -> Void) throws {
      do {
        try body()
        try tour.show(deed, "it was done", claim: claim)
      } catch let error as GraphError {
        try tour.show(deed, error.message, claim: claim)
      }
    }
    try refused("Ann.age = 'fifty'", claim: "'Person.age' of object #0 cannot hold 'fifty': it is an int.") {
      try transaction.set(.string("fifty"), t.cell(t.ann, t.age))
    }
    try refused(
      "an Address that nobody owns",
      claim: "'Address' is embedded: its objects are made in their owners, by createOwned."
    ) {
      try transaction.create(in: t.addresses)
    }
    try refused(
      "Ben.home = the Address that Ann owns",
      claim:
        "'Person.home' of object #1 cannot be given an object that is there already: an embedded object is made in its place."
    ) {
      try transaction.set(tour.graph.value(t.cell(t.ann, t.home)) ?? .null, t.cell(t.ben, t.home))
    }
    try tour.show("anything different from before?", transaction.graph == before ? "no" : "yes", claim: "no")
  }
}
