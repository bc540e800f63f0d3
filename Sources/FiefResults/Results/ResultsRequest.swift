import FiefObjects
import FiefQueries
import FiefRuntime

/// What a view asks of the elements of its base.
///
/// | request | asks | becomes |
/// | --- | --- | --- |
/// | `rows` | nothing of a whole table, which knows its count, its first and its last row | - |
/// | `elements` | nothing of another base | - |
/// | `value` | one value of one property, which an index may count | `query`, when more than a count is needed |
/// | `query` | a condition and its modifiers | - |
enum ResultsRequest {
  case rows
  case elements
  case value(SimpleEquality, at: Borrowed<ResolvedKeyPath>)
  case query(ResultsQuery)

  @inline(__always)
  init(_ query: ResultsQuery?, of base: ResultsSource) {
    if let query {
      self = .query(query)
    } else if case .table = base {
      self = .rows
    } else {
      self = .elements
    }
  }

  /// Whether the view shows all objects of a class.
  var isRows: Bool { if case .rows = self { true } else { false } }

  /// The query; nil when nothing is asked, or only a value.
  var query: ResultsQuery? { if case .query(let query) = self { query } else { nil } }
}
