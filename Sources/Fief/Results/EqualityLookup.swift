import FiefGraph
import FiefQueries
import FiefRuntime
import FiefSessions

/// A comparison of one property of a class with one value: `where { $0.city == "Oslo" }`, the most frequent query.
///
/// Counting the matches reads the index, and binds no query. Every other operation makes the query first.
struct EqualityLookup {
  private let resolved: Borrowed<ResolvedKeyPath>
  private let column: ColumnKey
  private let value: StoredValue

  /// Makes the lookup of a value at the end of a path; nil when an index alone cannot find it, which includes invalid
  /// arguments.
  ///
  /// - Parameter binding: the class that defines the property names for all rows of its table.
  @inline(__always)
  init?(_ value: consuming StoredValue, at resolved: Borrowed<ResolvedKeyPath>, of binding: Borrowed<ClassBinding>) {
    let column = binding.with { binding -> ColumnKey? in
      guard let number = resolved.with({ $0.number(in: binding.model) }), binding.leaf(number) >= 0,
        SimpleEquality.isSimple(value, in: binding.columnTypes[number])
      else { return nil }
      return binding.columns[number]
    }
    guard let column else { return nil }
    self.resolved = resolved
    self.column = column
    self.value = value
  }

  /// The number of matches, if an index has it; nil otherwise.
  func count(in table: Table) -> Int? { SimpleEquality.count(of: value, in: column, by: table) }

  /// The lookup as a query.
  func query(_ base: ResultsSource, _ session: Session) -> ResultsQuery {
    do throws(QueryError) {
      return try ResultsQuery(ParsedQuery(QueryForm.predicate(resolved, .equal, value)), base, session)
    } catch {
      error.trap()
    }
  }
}
