import FiefCopying
import FiefGraph
import Testing

/// Names every row "Row" and every property by its number.
private struct Names: PlanNames {
  var place: String? { nil }
  func className(ofRow row: Int) -> String { "Row" }
  func propertyName(_ number: Int, ofRow row: Int) -> String { "p\(number)" }
}

@Suite struct PlanCycleTests {
  /// A plan whose row `i` links to the rows `edges[i]`, by one cell each, or by the elements of one cell.
  private func plan(_ edges: [[Int]], inLists: Bool = false) -> InsertionPlan {
    let plan = InsertionPlan()
    for targets in edges {
      let first = plan.cells.count
      let index = plan.add(PlannedRow(TableKey(rawValue: 5), PlanStep.root))
      if inLists {
        let start = plan.elements.count
        for target in targets { plan.elements.append(PlannedElement(.row(target))) }
        plan.cells.append(
          PlannedCell(ColumnKey(rawValue: 0), number: 0, .elements(start..<plan.elements.count)))
      } else {
        for (number, target) in targets.enumerated() {
          plan.cells.append(PlannedCell(ColumnKey(rawValue: 0), number: number, .row(target)))
        }
      }
      plan.rows[index].cells = first..<plan.cells.count
    }
    return plan
  }

  @Test func aDiamondIsNoCycle() {
    #expect(plan([[1, 2], [3], [3], []]).findCycle(Names()) == nil)
    #expect(plan([[1, 2], [3], [3], []], inLists: true).findCycle(Names()) == nil)
  }

  @Test func aRowThatLeadsToItselfIsACycleOfOneStep() {
    #expect(plan([[], [0, 1]]).findCycle(Names())?.text == "Row.p1 -> Row")
  }

  @Test func theWayAroundNamesPropertiesAndPlaces() {
    #expect(plan([[1, 2], [], [1, 0]], inLists: true).findCycle(Names())?.text == "Row.p0[1].p0[1] -> Row")
  }

  @Test(arguments: 0..<512) func cyclesOfThreeRowsAreFoundExactlyWhenTheyAreThere(_ bits: Int) {
    // Every graph of three rows: nine edges, each present or absent.
    var edges: [[Int]] = [[], [], []]
    for edge in 0..<9 where bits >> edge & 1 == 1 { edges[edge / 3].append(edge % 3) }
    // The closure of reachability, by Warshall's algorithm.
    var reaches = (0..<9).map { bits >> $0 & 1 == 1 }
    for k in 0..<3 {
      for i in 0..<3 {
        for j in 0..<3 where reaches[i * 3 + k] && reaches[k * 3 + j] { reaches[i * 3 + j] = true }
      }
    }
    let isCyclic = reaches[0] || reaches[4] || reaches[8]
    #expect((plan(edges).findCycle(Names()) != nil) == isCyclic)
    #expect((plan(edges, inLists: true).findCycle(Names()) != nil) == isCyclic)
  }

  @Test func aLongRingIsFoundAndItsPathStaysShort() throws {
    let count = 100_000
    let ring = plan((0..<count).map { [($0 + 1) % count] })
    let cycle = try #require(ring.findCycle(Names()))
    #expect(cycle.text.utf8.count < 4096)
    #expect(cycle.text.hasSuffix("-> Row"))
    #expect(plan((0..<count).map { $0 + 1 < count ? [$0 + 1] : [] }).findCycle(Names()) == nil)
  }
}
