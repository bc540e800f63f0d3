import FiefGraph

extension TourStep {
  static let updating = TourStep(title: "Cells are updated; the version before is kept") { tour in
    let t = tour.tables
    tour.kept = tour.graph
    try tour.write { transaction in
      for year in 31...50 { try transaction.set(Int64(year), t.cell(t.ann, t.age)) }
      try transaction.set(.string("likes tea"), t.cell(t.ann, t.note))
      try transaction.set(.int(42), t.cell(t.ben, t.note))
      try transaction.move(from: 3, to: 0, inList: t.cell(t.ann, t.walks))
      try transaction.remove(at: 1, fromList: t.cell(t.ann, t.walks))
    }
    func found(_ person: ObjectKey, _ column: ColumnKey) -> String { tour.graph.words(for: t.cell(person, column)) }
    try tour.show("Ann.age = 31, then 32 ... then 50", found(t.ann, t.age), claim: "50")
    try tour.show("Ann.note = a string (it holds any value)", found(t.ann, t.note), claim: "'likes tea'")
    try tour.show("Ben.note = a number", found(t.ben, t.note), claim: "42")
    try tour.show(
      "Luna walks first, and Rex once less", found(t.ann, t.walks), claim: "[Luna, Fido, Rex]")
  }
}
