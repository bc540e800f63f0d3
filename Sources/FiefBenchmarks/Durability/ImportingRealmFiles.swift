import FiefGraph
import FiefRealmFileSamples
import FiefRealmFiles

// Files of Realm, in memory.

extension Workload {
  static let importing = [
    Workload(
      "import_realm_file", "A file of Realm with N dogs (name, age) read from memory to a graph; one op is a row."
    ) { run in
      let names = Dogs.names(run.n)
      var writer = RealmFileWriter()
      let rows = writer.clusters(of: run.n) { writer, range in
        [writer.shortStrings(names[range].map { $0 }), writer.integers(range.map { Int64(Dogs.age($0)) })]
      }
      let table = writer.table(key: 1, [.init("name", 2), .init("age", 0)], rows: rows)
      let bytes = writer.finish(top: writer.group([("class_Dog", table)]))
      try run.time(fresh: { Graph.empty }) { graph in
        graph = try RealmFile(bytes).graph
        return run.n
      } check: { graph in
        let dogs = graph.table(named: "Dog")
        try expect(dogs?.count, run.n, as: "rows")
        var sum: Int64 = 0
        dogs?.rows.forEach { _, cluster in
          for slot in 0..<cluster.count { sum += Int64.load(from: cluster[leaf: 1].values, at: slot) }
          return true
        }
        try expect(Int(sum), Dogs.sumOfAges(run.n), as: "the sum of the ages")
        if run.n <= 2000 { try expect(graph.checkInvariants(), [], as: "invariants") }
      }
    }
  ]
}
