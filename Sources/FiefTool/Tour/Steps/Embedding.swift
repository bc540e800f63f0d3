import FiefGraph

extension TourStep {
  static let embedding = TourStep(title: "Embedded rows have one owner, always") { tour in
    let t = tour.tables
    func move(_ person: ObjectKey, to street: String) throws -> ObjectLink {
      let key = try tour.write { transaction in
        try transaction.createOwned(in: t.addresses, by: t.cell(person, t.home), .value) { row in
          try row.set(street, t.street)
        }
      }
      return ObjectLink(t.addresses, key)
    }
    func owner(_ address: ObjectLink) -> String {
      tour.graph.owner(of: address).map { tour.graph.words(for: $0.object) } ?? "nobody"
    }
    let first = try move(t.ann, to: "Elm Street")
    try tour.show(
      "Ann.home = an Address on Elm Street", "\(tour.graph.words(for: first)), owned by \(owner(first))",
      claim: "Address #0, owned by Ann")
    let second = try move(t.ann, to: "Oak Street")
    try tour.show(
      "Ann moves to Oak Street", "\(tour.graph.words(for: second)), owned by \(owner(second))",
      claim: "Address #1, owned by Ann")
    try tour.show(
      "the address on Elm Street", tour.graph.contains(first) ? "is there" : "went with the place that it had",
      claim: "went with the place that it had")
    let third = try move(t.ben, to: "High Street")
    try tour.show(
      "Ben.home = an Address on High Street", "\(tour.graph.words(for: third)), owned by \(owner(third))",
      claim: "Address #2, owned by Ben")
  }
}
