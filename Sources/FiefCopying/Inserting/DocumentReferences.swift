package import FiefGraph

/// The references of a document of a store: the numbers by which they refer to each other,
/// and how it is to be read.
package final class DocumentReferences {
  private struct Number: Hashable {
    let table: TableKey
    let id: Int64
  }

  /// Whether names are skipped that a class does not have.
  package let ignoresUnknownNames: Bool
  private let classNamed: (String) -> RowClass?
  private var rows: [Number: ObjectKey] = [:]

  /// - Parameters:
  ///   - ignoresUnknownNames: whether names are skipped that a class does not have.
  ///   - classNamed: the class of the store that has a stored name.
  package init(ignoresUnknownNames: Bool, classNamed: @escaping (String) -> RowClass?) {
    self.ignoresUnknownNames = ignoresUnknownNames
    self.classNamed = classNamed
  }

  /// Notes the row of an object with an `$id`.
  ///
  /// - Returns: false when another object of the class has the number.
  package func note(_ id: Int64, of link: ObjectLink) -> Bool {
    rows.updateValue(link.key, forKey: Number(table: link.table, id: id)) == nil
  }

  func row(_ id: Int64, in table: TableKey) -> ObjectKey? { rows[Number(table: table, id: id)] }

  func rowClass(named name: String) -> RowClass? { classNamed(name) }
}
