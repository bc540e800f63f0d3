import FiefCopying
import Testing

@Suite struct RowNumbersTests {
  @Test func aRowHasTheNumberOfItsFirstInsertion() {
    var rows = RowNumbers()
    // Enough rows for the table to grow, and keys of several clusters.
    for number in 0..<1000 {
      #expect(rows.number(of: Int64(number * 7), number % 3, orTake: number) == nil)
    }
    for number in 0..<1000 {
      #expect(rows.number(of: Int64(number * 7), number % 3, orTake: -1) == number)
      #expect(rows.number(of: Int64(number * 7), 3 + number % 3, orTake: number) == nil, "One key in two tables.")
    }
    rows.removeAll()
    #expect(rows.number(of: 0, 0, orTake: 5) == nil)
    rows.removeAll()
    #expect(rows.number(of: 0, 0, orTake: 6) == nil)
  }
}
