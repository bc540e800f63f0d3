extension Plan {
  /// A row that reaches itself, and how.
  package struct Cycle {
    /// The way around, as a reader would write it: `Person.dogs[2].owner -> Person`.
    package let text: String
    /// The step by which the row that reaches itself was reached first.
    package let start: PlanStep
  }

  /// Looks for a row that reaches itself through cells of the plan.
  ///
  /// A walk in depth with a work list: a row is open while something that it leads to is looked at; whoever leads to an
  /// open row closes a cycle, and the work list is the way. Linear in the plan.
  package func findCycle(_ names: some PlanNames) -> Cycle? {
    var states = ContiguousArray(repeating: State.new, count: rows.count)
    var way: ContiguousArray<Position> = []
    for start in rows.indices where states[start] == .new {
      states[start] = .open
      way.append(Position(row: start, cell: rows[start].cells.lowerBound))
      while let top = way.last {
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
    return nil
  }

  private enum State: UInt8 {
    case new, open, done
  }

  /// Where the walk stands in a row: behind the last target that it gave.
  private struct Position {
    let row: Int
    var cell: Int
    /// The next element of that cell's collection.
    var element = 0
    /// The step to the last target.
    var spot = PlanStep.Spot.value
    var number = 0
  }

  /// The next row of the plan that a row leads to.
  private func advance(_ position: inout Position) -> Int? {
    let end = rows[position.row].cells.upperBound
    while position.cell < end {
      let cell = cells[position.cell]
      position.number = Int(cell.number)
      switch cell.content {
      case .row(let target):
        position.cell += 1
        position.spot = .value
        return target
      case .elements(let range):
        var index = range.lowerBound + position.element
        while index < range.upperBound {
          if case .row(let target) = elements[index].content {
            position.spot = elements[index].key.map { .key($0) } ?? .index(index - range.lowerBound)
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
    let start = way.firstIndex { $0.row == row } ?? 0
    let name = names.className(ofRow: row)
    let parts = way[start...].map { part(PlanStep($0.row, $0.number, $0.spot), names) }
    return Cycle(text: PlanPath.join([name] + parts) + " -> " + name, start: rows[row].step)
  }
}
