package import FiefGraph

/// A row that a plan makes or changes.
///
///     PlannedRow ─┬─ table, key        -1 while the row is not there
///                 ├─ primaryKey        nil in tables without one
///                 ├─ cells             its own stretch of the plan's cells
///                 └─ step              how it was reached, for messages
///
/// It holds no values: those are in its cells.
package struct PlannedRow {
  package let table: TableKey
  /// The row, when it is there already or was made.
  package var key: ObjectKey
  package var primaryKey: Value?
  /// Where its cells lie among the plan's.
  package var cells: Range<Int> = 0..<0
  /// An earlier row of the plan that brings the same new primary key: this one changes it; -1 for none.
  package var same = -1
  /// How it was reached.
  package let step: PlanStep
  package var traits: PlannedRowTraits

  package init(
    _ table: TableKey, key: ObjectKey = ObjectKey(-1), primaryKey: Value? = nil, traits: PlannedRowTraits = [],
    _ step: PlanStep
  ) {
    self.table = table
    self.key = key
    self.primaryKey = primaryKey
    self.step = step
    self.traits = traits
  }

  /// Whether it is there before the plan is applied, or is an earlier row of it: then cells that are not given stay.
  package var isUpdate: Bool { traits.contains(.update) }
  /// Whether it is made by its owner's cell.
  package var isOwned: Bool { traits.contains(.owned) }
}

/// What there is to know of a planned row besides its parts.
package struct PlannedRowTraits: OptionSet {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It changes a row that is there, or an earlier one of the plan.
  package static let update = PlannedRowTraits(rawValue: 1)
  /// It is embedded, or a collection inside an any-value.
  package static let owned = PlannedRowTraits(rawValue: 2)
  /// It has cells that a new row cannot be filled with: links and collections.
  package static let joins = PlannedRowTraits(rawValue: 4)
  /// It was reached more than once.
  package static let shared = PlannedRowTraits(rawValue: 8)
}

/// One cell of a planned row: what is to be there.
package struct PlannedCell {
  package let column: ColumnKey
  /// The property's number, for messages.
  package let number: Int32
  package let content: PlannedContent

  package init(_ column: ColumnKey, number: Int, _ content: PlannedContent) {
    self.column = column
    self.number = Int32(truncatingIfNeeded: number)
    self.content = content
  }
}

/// What is to be in a cell, or an element of a collection.
package enum PlannedContent {
  /// A value; a link is one to a row that was there before.
  case value(Value)
  /// A row of the plan.
  case row(Int)
  /// The elements of a list, set or dictionary: their place among the plan's.
  case elements(Range<Int>)
  /// A collection without elements, whatever the policy.
  case cleared
}

/// An element of a collection, or an entry of a dictionary.
package struct PlannedElement {
  package let key: String?
  package let content: PlannedContent

  package init(_ content: PlannedContent, key: String? = nil) {
    self.key = key
    self.content = content
  }
}

/// How a row was reached: the property of an earlier row, and the place in it.
package struct PlanStep {
  /// The earlier row; -1 for what the caller gave.
  package let parent: Int
  /// The property's number; -1 where a collection is its own owner.
  package let number: Int
  package let spot: Spot

  /// A place in a property.
  package enum Spot {
    case value
    case index(Int)
    case key(String)
  }

  package init(_ parent: Int, _ number: Int, _ spot: Spot = .value) {
    self.parent = parent
    self.number = number
    self.spot = spot
  }

  /// The way to what the caller gave.
  package static let root = PlanStep(-1, -1)
}
