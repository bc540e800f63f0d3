import FiefCopying
import FiefGraph
import FiefRuntime
import FiefTestSupport
import Testing

/// What parsing and comparing count in a meter.
@Suite struct MeteredWorkTests {
  @Test(arguments: [0, 1, 5_000])
  func parsingCountsTheBytes(_ count: Int) throws {
    let text = "[" + (0..<count).map { "{\"name\": \"number \($0)\"}" }.joined(separator: ",\n") + "]\n"
    let meter = WorkMeter()
    meter.begin(.reading, of: text.utf8.count)
    _ = try DocumentParser.parse(Array(text.utf8), counting: meter)
    #expect(meter.state.done == text.utf8.count)
  }

  @Test func aTextIsCountedAsFarAsItCouldBeRead() {
    let text = "[" + String(repeating: "1,", count: 200_000) + "x]"
    let meter = WorkMeter()
    meter.begin(.reading, of: text.utf8.count)
    #expect(throws: CopyError.self) { try DocumentParser.parse(Array(text.utf8), counting: meter) }
    #expect(meter.state.done > text.utf8.count / 2 && meter.state.done < text.utf8.count)
  }

  @Test func comparingCountsTheRowsOfBothGraphs() throws {
    func graph(_ count: Int) throws -> Graph {
      let transaction = Transaction(.empty)
      let table = try transaction.addTable("Dog")
      let name = try transaction.addColumn(to: table, "name", ColumnType(.string))
      for number in 0..<count { try transaction.create(in: table) { try $0.set(.string("\(number)"), name) } }
      return transaction.graph
    }
    let (first, second) = (try graph(5), try graph(8))
    let meter = WorkMeter()
    let differences = WorkMeter.$current.withValue(meter) { first.objectDifferences(from: second) }
    #expect(differences.count == 3)
    #expect(meter.state.stage == .comparing && meter.state.total == 13)
    #expect(meter.state.done == 13)
  }
}
