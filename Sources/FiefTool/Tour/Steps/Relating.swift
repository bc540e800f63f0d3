import FiefGraph

extension TourStep {
  static let relating = TourStep(title: "Rows are related, and each link is known at both ends") { tour in
    let t = tour.tables
    try tour.write { transaction in
      try transaction.set(t.link(t.rex), t.cell(t.ann, t.dog))
      try transaction.set(t.link(t.rex), t.cell(t.ben, t.dog))
      for dog in [t.rex, t.fido, t.rex, t.luna] { try transaction.append(t.link(dog), toList: t.cell(t.ann, t.walks)) }
    }
    try tour.show("Ann.dog = Rex", tour.graph.words(for: t.cell(t.ann, t.dog)), claim: "Rex")
    try tour.show("Ben.dog = Rex", tour.graph.words(for: t.cell(t.ben, t.dog)), claim: "Rex")
    try tour.show(
      "Ann.walks takes Rex, Fido, Rex, Luna", tour.graph.words(for: t.cell(t.ann, t.walks)),
      claim: "[Rex, Fido, Rex, Luna]")
    let rex = ObjectLink(t.dogs, t.rex)
    try tour.show(
      "who has Rex as dog? (a backlink)", tour.graph.words(forLinksTo: rex, from: t.persons, t.dog), claim: "Ann, Ben")
    try tour.show(
      "who walks Rex? (once for each link)", tour.graph.words(forLinksTo: rex, from: t.persons, t.walks),
      claim: "Ann, Ann")
  }
}
