import FiefGraph

extension TourStep {
  static let comparing = TourStep(title: "The version kept in step 5, beside the latest") { tour in
    let t = tour.tables
    let (old, new) = (tour.kept, tour.graph)
    func show(_ what: String, claim: String, _ words: (Graph) -> String) throws {
      try tour.show(what, "\(words(old).padded(to: 24))  \(words(new))", claim: claim)
    }
    tour.line("", "\("kept".padded(to: 24))  latest")
    try show("version", claim: "6                         9") { "\($0.version)" }
    try show("dogs", claim: "3                         2") { "\($0.count(of: t.dogs))" }
    try show("Ann.age", claim: "30                        50") { $0.words(for: t.cell(t.ann, t.age)) }
    try show("Ann.walks", claim: "[Rex, Fido, Rex, Luna]    [Luna, Fido]") { $0.words(for: t.cell(t.ann, t.walks)) }

    let delta = Delta(from: old, to: new)
    tour.line("their delta, which is all that a commit writes:")
    let sentences = delta.sentences(from: old, to: new)
    for sentence in sentences { tour.line("  \(sentence)") }
    let transaction = Transaction(old)
    try transaction.apply(delta)
    try tour.show(
      "that delta, applied to the kept version", transaction.graph == new ? "gives the latest" : "gives another",
      claim: "gives the latest")
  }
}
