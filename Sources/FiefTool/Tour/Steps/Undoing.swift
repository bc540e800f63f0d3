import FiefGraph

extension TourStep {
  static let undoing = TourStep(title: "A part of a transaction is undone") { tour in
    let t = tour.tables
    let before = tour.graph
    let transaction = tour.published.begin()
    let savepoint = transaction.savepoint()
    try transaction.clear(t.dogs)
    try tour.show(
      "save, then delete all dogs",
      "\(transaction.graph.count(of: t.dogs)) dogs, and Ann walks \(transaction.graph.words(for: t.cell(t.ann, t.walks)))",
      claim: "0 dogs, and Ann walks []")
    transaction.restore(savepoint)
    try tour.show(
      "restore what was saved",
      "\(transaction.graph.count(of: t.dogs)) dogs, and Ann walks \(transaction.graph.words(for: t.cell(t.ann, t.walks)))",
      claim: "3 dogs, and Ann walks [Luna, Fido, Rex]")
    try tour.show("anything different from before?", transaction.graph == before ? "no" : "yes", claim: "no")
  }
}
