#if DEBUG  // @testable needs a debug build.
  import FiefGraph
  import FiefObjects
  import Testing

  @testable import FiefResults

  private final class ComparisonCount {
    var value = 0
  }

  /// A key that counts how often it is compared.
  private struct CountedKey: Hashable {
    let number: Int
    let count: ComparisonCount

    static func == (a: CountedKey, b: CountedKey) -> Bool {
      a.count.value += 1
      return a.number == b.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  @Suite struct SectionChangesTests {
    @Test func aSectionIsFoundWithoutALookAtTheOthers() {
      let count = ComparisonCount()
      let keys = (0..<500).map { CountedKey(number: $0, count: count) }
      let layout = SectionLayout(keys.map { (key: $0, element: FiefGraph.Value.int(Int64($0.number))) }) { .values($0) }
      let state = SectionChanges.State(layout, of: nil)
      count.value = 0
      for key in keys { #expect(state.section(key)?.section == key.number) }
      #expect(state.section(CountedKey(number: 500, count: count)) == nil)
      // The table may compare a key with a few others. A search would make 125,000 comparisons.
      #expect(count.value < 10_000)
    }
  }
#endif
