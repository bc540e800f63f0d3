extension InsertionPlan {
  /// A row that reaches itself, and the path of the cycle.
  package struct Cycle {
    /// The cycle in readable form: `Person.dogs[2].owner -> Person`.
    package let text: String
    /// The step that first reached the row.
    package let start: PlanStep
  }

  /// Searches for a row that reaches itself through cells of the plan.
  ///
  /// The search is a depth-first walk with a work list. A row is open while the rows that it reaches are visited. A
  /// link to an open row closes a cycle, whose path is the work list. Takes time linear in the plan.
  package func findCycle(_ names: some PlanNames) -> Cycle? {
    var states = ContiguousArray(repeating: State.new, count: rows.count)
    var way: ContiguousArray<Position> = []
    for start in rows.indices where states[start] == .new {
      states[start] = .open
      way.append(Position(row: start, cell: rows[start].cells.lowerBound))
      while let top = way.last {
        assert(states[top.row] == .open, "The rows of the way are open.")
        guard let next = advance(&way[way.count - 1]) else {
          states[top.row] = .done
          way.removeLast()
          continue
        }
        switch states[next] {
        case .done: continue
        case .new:
          states[next] = .open
          way.append(Position(row: next, cell: rows[next].cells.lowerBound))
        case .open: return cycle(way, to: next, names)
        }
      }
    }
    assert(way.isEmpty && states.allSatisfy { $0 == .done }, "Each row was visited.")
    return nil
  }

  private enum State: UInt8 {
    case new, open, done
  }

  /// The state of the walk in a row, after the last target that it returned.
  private struct Position {
    let row: Int
    var cell: Int
    /// The next element in the collection of that cell.
    var element = 0
    /// The position of the last target.
    var place = PlanStep.Place.value
    var number = 0
  }

  /// The next row of the plan that the row reaches.
  private func advance(_ position: inout Position) -> Int? {
    assert(rows[position.row].cells.upperBound <= cells.count, "The cells of a row are in the plan.")
    let end = rows[position.row].cells.upperBound
    while position.cell < end {
      let cell = cells[position.cell]
      position.number = Int(cell.number)
      switch cell.content {
      case .row(let target):
        position.cell += 1
        position.place = .value
        return target
      case .elements(let range):
        var index = range.lowerBound + position.element
        while index < range.upperBound {
          if case .row(let target) = elements[index].content {
            position.place = elements[index].key.map { .key($0) } ?? .index(index - range.lowerBound)
            position.element = index - range.lowerBound + 1
            return target
          }
          index += 1
        }
        position.element = 0
        position.cell += 1
      case .value, .cleared: position.cell += 1
      }
    }
    return nil
  }

  private func cycle(_ way: ContiguousArray<Position>, to row: Int, _ names: some PlanNames) -> Cycle {
    assert(way.contains { $0.row == row }, "A cycle ends at a row of the way.")
    let start = way.firstIndex { $0.row == row } ?? 0
    let name = names.className(ofRow: row)
    let parts = way[start...].map { part(PlanStep($0.row, $0.number, at: $0.place), names) }
    return Cycle(text: PlanPath.join([name] + parts) + " -> " + name, start: rows[row].step)
  }
}
