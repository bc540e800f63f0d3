package import FiefGraph

/// A value on its way into a store or a plan, as the module of the classes gives it.
package enum SourceValue {
  /// A value without links.
  case stored(Value)
  /// A link to an object, managed or not.
  case object(AnyObject)
  /// A list, set or map, managed or not: that of a property, or a list or map inside an any-value.
  case collection(AnyObject)
}

/// An element of a collection, or an entry of a dictionary.
package typealias SourceElement = (key: String?, value: SourceValue)

/// The cell of a managed collection, in the view that shows it.
package struct SourceCell {
  package let reader: any RowReader
  package let cell: Cell
  package let type: ColumnType

  package init(_ reader: any RowReader, _ cell: Cell, type: ColumnType) {
    assert(type.isCollection, "The cell of a collection is of its type.")
    self.reader = reader
    self.cell = cell
    self.type = type
  }
}

package enum SourceContents {
  /// Those of a managed collection: its cell.
  case cell(SourceCell)
  /// Those of an unmanaged one. `isNestedList` is nil unless it may stand inside an any-value; else it is true for a
  /// list and false for a map.
  case elements([SourceElement], isNestedList: Bool?)
  /// None: a managed collection that was deleted, or invalidated.
  case gone
}

/// The home of an object.
package enum SourceState {
  /// In no store. `mark` is the number that a planner has given it; nil for an object without a mark. `fault` is the
  /// error of an object that was made from an invalid value; a `CopyError`, which names no property, of one that stands
  /// for the value of a property.
  case unmanaged(mark: Int?, fault: (any Error)?)
  /// In a row of a view, which may be gone.
  case row(any RowReader, RowClass, ObjectKey)
}
