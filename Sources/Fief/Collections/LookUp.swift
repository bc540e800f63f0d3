import FiefGraph
import FiefQueries

/// One value wanted of one property of a class, which is what most queries are: `where { $0.city == "Oslo" }`.
///
/// Counting it asks the index, and nothing is bound for that; whatever else is asked of it makes its query first.
struct LookUp {
  let binding: ClassBinding
  private let equality: SimpleEquality
  private let predicate: QueryPredicate

  /// A predicate as this; nil for all others, those with mistakes included.
  init?(_ predicate: QueryPredicate, of base: ResultsBase) {
    guard let binding = base.speaker, let (name, value) = SimpleEquality.parts(of: predicate),
      let number = binding.model.number(of: name), binding.leaves[number] >= 0,
      let equality = SimpleEquality(
        value, column: binding.columns[number], leaf: Int(binding.leaves[number]), type: binding.columnTypes[number])
    else { return nil }
    self.binding = binding
    self.equality = equality
    self.predicate = predicate
  }

  /// How many there are, if an index knows; nil otherwise.
  func count(in graph: borrowing Graph) -> Int? { graph[binding.table].flatMap { equality.count(by: $0) } }

  /// The same as a query.
  func query(_ base: ResultsBase, _ session: Session) -> ResultsQuery {
    do {
      return try ResultsQuery(ParsedQuery(predicate), base, session)
    } catch {
      error.trap()
    }
  }
}
