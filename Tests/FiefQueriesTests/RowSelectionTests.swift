import FiefGraph
import FiefQueries
import FiefTestSupport
import Testing

@Suite("Selections of rows") struct RowSelectionTests {
  @Test(arguments: Seeds.all) func `replacing tested rows is that of sets`(seed: Seed) {
    var random = seed.random
    for _ in 0..<50 {
      let limit = [20, 600, 5_000][random.below(3)]
      func some(_ count: Int) -> Set<Int64> { Set((0..<count).map { _ in Int64(random.below(limit)) }) }
      let before = some(random.below(200))
      let tested = some(random.below(12))
      let matching = tested.filter { _ in random.below(2) == 0 }
      let selection = RowSelection(before.map { ObjectKey($0) })
        .replacing(RowSelection(tested.map { ObjectKey($0) }), by: RowSelection(matching.map { ObjectKey($0) }))
      let expected = before.subtracting(tested).union(matching).sorted()
      #expect(selection.map(\.rawValue) == expected && selection.count == expected.count)
      #expect(expected.indices.allSatisfy { selection.index(of: ObjectKey(expected[$0])) == $0 })
    }
  }
}
