package import FiefGraph

/// A row that a plan makes or changes.
///
///     PlannedRow ─┬─ table, key        -1 while the row is not there
///                 ├─ primaryKey        nil in tables without one
///                 ├─ cells             its own stretch of the plan's cells
///                 └─ step              how it was reached, for messages
///
/// It holds no values, which are in its cells.
package struct PlannedRow {
  package let table: TableKey
  /// The key of the row, once the row exists.
  package var key: ObjectKey
  package var primaryKey: Value?
  /// The range of its cells in the plan's cells.
  package var cells: Range<Int> = 0..<0
  /// The index of the first row of the plan that stands for the same row of the store, if this one changes it again;
  /// otherwise -1.
  package var same = -1
  /// The step that first reached the row.
  package let step: PlanStep
  package var traits: PlannedRowTraits

  package init(
    _ table: TableKey, key: ObjectKey = ObjectKey(-1), primaryKey: Value? = nil, traits: PlannedRowTraits = [],
    _ step: PlanStep
  ) {
    assert(key.rawValue >= -1, "A row has a key, or -1 while it is not there.")
    self.table = table
    self.key = key
    self.primaryKey = primaryKey
    self.step = step
    self.traits = traits
  }

  /// Whether the row exists before the plan is applied, or an earlier row of the plan makes it. Cells that are not
  /// given then stay.
  package var isUpdate: Bool { traits.contains(.update) }
  /// Whether the cell of its owner makes the row.
  package var isOwned: Bool { traits.contains(.owned) }
}

/// Further properties of a planned row.
package struct PlannedRowTraits: OptionSet {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The row changes an existing row, or an earlier row of the plan.
  package static let update = PlannedRowTraits(rawValue: 1)
  /// The row is embedded, or is a collection inside an any-value.
  package static let owned = PlannedRowTraits(rawValue: 2)
  /// The row has cells that are set after its creation: links and collections.
  package static let deferred = PlannedRowTraits(rawValue: 4)
  /// The row was reached more than once.
  package static let shared = PlannedRowTraits(rawValue: 8)
}

package struct PlannedCell {
  package let column: ColumnKey
  /// The number of the property, for messages.
  package let number: Int32
  package let content: PlannedContent

  package init(_ column: ColumnKey, number: Int, _ content: PlannedContent) {
    assert(number >= -1, "A cell is that of a property, or of a collection in an any-value.")
    self.column = column
    self.number = Int32(truncatingIfNeeded: number)
    self.content = content
  }
}

/// The new content of a cell, or of an element of a collection.
package enum PlannedContent {
  /// A value. A link refers to a row that existed before.
  case value(Value)
  case row(Int)
  /// The elements of a list, set or dictionary, as a range of the plan's elements.
  case elements(Range<Int>)
  /// An empty collection, whatever the policy.
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

/// A step to a row: a property of an earlier row, and a position in it.
package struct PlanStep {
  /// The earlier row; -1 for the root value.
  package let parent: Int
  /// The number of the property; -1 if the owner is a collection itself.
  package let number: Int
  package let place: Place

  /// A position in a property.
  package enum Place {
    case value
    case index(Int)
    case key(String)

    /// The place of an entry of a dictionary, or of another element.
    package init(key: String?, index: Int) { self = key.map(Self.key) ?? .index(index) }

    /// The key of an entry; nil elsewhere.
    var key: String? { if case .key(let key) = self { key } else { nil } }
  }

  package init(_ parent: Int, _ number: Int, at place: Place = .value) {
    assert(parent >= -1 && number >= -1, "A step leads from a row, or from nothing.")
    self.parent = parent
    self.number = number
    self.place = place
  }

  package static let root = PlanStep(-1, -1)
}
