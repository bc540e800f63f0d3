import FiefGraph
import FiefQueries

/// One value wanted of one property of a class, which is what most queries are: `where { $0.city == "Oslo" }`.
///
/// Counting it asks the index, and nothing is bound for that; whatever else is asked of it makes its query first.
struct LookUp {
  private let way: Unmanaged<PropertyWay>
  private let column: ColumnKey
  private let value: StoredValue

  /// A value wanted at the end of a way; nil for what an index does not find by itself, mistakes included.
  ///
  /// - Parameter binding: the class that says what names mean in all rows of its table.
  @inline(__always)
  init?(_ value: consuming StoredValue, at way: Unmanaged<PropertyWay>, of binding: Unmanaged<ClassBinding>) {
    let column = binding._withUnsafeGuaranteedRef { binding -> ColumnKey? in
      guard let number = way._withUnsafeGuaranteedRef({ $0.number(in: binding.model) }), binding.leaves[number] >= 0,
        SimpleEquality.isSimple(value, in: binding.columnTypes[number])
      else { return nil }
      return binding.columns[number]
    }
    guard let column else { return nil }
    self.way = way
    self.column = column
    self.value = value
  }

  /// How many there are, if an index knows; nil otherwise.
  func count(in table: Table) -> Int? { SimpleEquality.count(of: value, in: column, by: table) }

  /// The same as a query.
  func query(_ base: ResultsBase, _ session: Session) -> ResultsQuery {
    do throws(QueryError) {
      return try ResultsQuery(ParsedQuery(QueryForm.predicate(way, .equal, value)), base, session)
    } catch {
      error.trap()
    }
  }
}
