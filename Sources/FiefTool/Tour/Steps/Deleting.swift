import FiefGraph

extension TourStep {
  static let deleting = TourStep(title: "Rows are deleted, and so is what they own") { tour in
    let t = tour.tables
    func found(_ person: ObjectKey, _ column: ColumnKey) -> String { tour.graph.words(for: t.cell(person, column)) }
    try tour.write { try $0.delete(ObjectLink(t.dogs, t.rex)) }
    try tour.show("delete Rex", "\(tour.graph.count(of: t.dogs)) dogs", claim: "2 dogs")
    try tour.show(
      "Ann.dog and Ben.dog, which linked to Rex", "\(found(t.ann, t.dog)) and \(found(t.ben, t.dog))",
      claim: "null and null")
    try tour.show("Ann.walks, which had Rex in it", found(t.ann, t.walks), claim: "[Luna, Fido]")
    func addresses() -> String { "\(tour.graph.count(of: t.addresses))" }
    let before = addresses()
    try tour.write { try $0.delete(ObjectLink(t.persons, t.ben)) }
    try tour.show("delete Ben, who owns an address", "\(tour.graph.count(of: t.persons)) person", claim: "1 person")
    try tour.show("addresses before and after", "\(before) and \(addresses())", claim: "2 and 1")
  }
}
