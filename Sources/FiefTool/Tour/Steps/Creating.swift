import FiefGraph

extension TourStep {
  static let creating = TourStep(title: "Rows are created, in one transaction") { tour in
    try tour.write { transaction in
      let t = tour.tables
      func dog(_ name: String, _ age: Int64) throws -> ObjectKey {
        try transaction.create(in: t.dogs) { row in
          try row.set(name, t.dogName)
          try row.set(age, t.dogAge)
        }
      }
      func person(_ name: String, _ age: Int64) throws -> ObjectKey {
        try transaction.create(in: t.persons) { row in
          try row.set(name, t.name)
          try row.set(age, t.age)
        }
      }
      tour.tables.rex = try dog("Rex", 3)
      tour.tables.fido = try dog("Fido", 5)
      tour.tables.luna = try dog("Luna", 1)
      tour.tables.ann = try person("Ann", 30)
      tour.tables.ben = try person("Ben", 41)
    }
    let t = tour.tables
    try tour.show("create dogs Rex, Fido and Luna", "\(tour.graph.count(of: t.dogs)) dogs", claim: "3 dogs")
    try tour.show("create persons Ann and Ben", "\(tour.graph.count(of: t.persons)) persons", claim: "2 persons")
    try tour.show("Rex's key, which no other dog ever gets", "\(t.rex)", claim: "#0")
    try tour.show("Ann.dog, which nobody has set", tour.graph.words(for: t.cell(t.ann, t.dog)), claim: "null")
    try tour.show("Ann.walks, which nobody has filled", tour.graph.words(for: t.cell(t.ann, t.walks)), claim: "[]")
  }
}
