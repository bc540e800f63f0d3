import FiefGraph
internal import FiefRuntime

/// A row of the store for which several rows of a plan stand, and what they make of its links, one after another.
///
/// The later of them find there what they may change in place. The store does not show it before the plan is applied.
struct RepeatedRow {
  /// The rows of the plan that stand for the row, in their order.
  private var members: ContiguousArray<Int>
  /// The number of members whose cells `places` contains.
  private var foldedCount = 0
  private var places: [ColumnKey: Content] = [:]
  /// The entries of maps that were given. They are changed where they are, so that no repetition copies them.
  private var entries: [ColumnKey: [IdenticalText: PlannedContent]] = [:]

  /// What a property links to.
  private enum Content {
    case single(PlannedContent)
    /// A list is merged by index, so the last value is all of it.
    case list(Range<Int>)
    /// A map with `entries`. One that was emptied before has no others.
    case map(isWhole: Bool)
    /// A collection that was emptied.
    case empty
  }

  init(first: Int) { members = [first] }

  mutating func add(_ member: Int) {
    assert(members[members.count - 1] < member, "A row that is repeated comes later.")
    members.append(member)
  }

  /// The content at a step from one of the members, as the members before it leave it.
  ///
  /// - Returns: nil when they leave alone what the store has there.
  mutating func content(at step: PlanStep, _ column: ColumnKey, in plan: InsertionPlan) -> PlannedContent? {
    while foldedCount < members.count, members[foldedCount] < step.parent {
      fold(members[foldedCount], plan)
      foldedCount += 1
    }
    switch (places[column], step.place) {
    case (.single(let content), .value): return content
    case (.list(let range), .index(let index)):
      return index < range.count ? plan.elements[range.lowerBound + index].content : .value(.null)
    case (.map(let isWhole), .key(let key)):
      return entries[column]?[IdenticalText(key)] ?? (isWhole ? .value(.null) : nil)
    case (.empty, _): return .value(.null)
    default: return nil
    }
  }

  private mutating func fold(_ member: Int, _ plan: InsertionPlan) {
    for cell in plan.cells[plan.rows[member].cells] {
      switch cell.content {
      case .value(let value) where value.linked == nil && !value.isNull: continue
      case .value, .row: places[cell.column] = .single(cell.content)
      case .cleared:
        places[cell.column] = .empty
        entries[cell.column] = nil
      case .elements(let range): fold(plan.elements[range], of: cell.column)
      }
    }
  }

  private mutating func fold(_ elements: ArraySlice<PlannedElement>, of column: ColumnKey) {
    switch (places[column], elements.first?.key) {
    // Without elements a map stays as it is. A list becomes empty, in which no map of the store is looked up.
    case (.map, nil) where elements.isEmpty, (.empty, nil) where elements.isEmpty: return
    case (_, nil): return places[column] = .list(elements.indices)
    case (.map, _): break
    case (.empty, _): places[column] = .map(isWhole: true)
    default: places[column] = .map(isWhole: false)
    }
    for element in elements { entries[column, default: [:]][IdenticalText(element.key ?? "")] = element.content }
  }
}
