import FiefGraph
import FiefQueries

/// One value wanted of one property of a class, which is what most queries are: `where { $0.city == "Oslo" }`.
///
/// Counting it asks the index, and nothing is bound for that; whatever else is asked of it makes its query first.
struct LookUp {
  private let way: Unmanaged<PropertyWay>
  private let equality: SimpleEquality

  /// A value wanted at the end of a way; nil for what an index does not find by itself, mistakes included.
  ///
  /// - Parameter binding: the class that says what names mean in all rows of its table.
  init?(_ value: StoredValue, at way: Unmanaged<PropertyWay>, of binding: Unmanaged<ClassBinding>) {
    let equality = binding._withUnsafeGuaranteedRef { binding -> SimpleEquality? in
      // Another class's way is one that goes out from what that inherits from; its numbers are its own.
      guard let place = way._withUnsafeGuaranteedRef({ $0.place }), place.model === binding.model,
        binding.leaves[place.number] >= 0
      else { return nil }
      return SimpleEquality(
        value, column: binding.columns[place.number], leaf: Int(binding.leaves[place.number]),
        type: binding.columnTypes[place.number])
    }
    guard let equality else { return nil }
    self.way = way
    self.equality = equality
  }

  /// How many there are, if an index knows; nil otherwise.
  func count(in table: Table) -> Int? { equality.count(by: table) }

  /// The same as a query.
  func query(_ base: ResultsBase, _ session: Session) -> ResultsQuery {
    do {
      return try ResultsQuery(ParsedQuery(QueryForm.predicate(way, .equal, equality.value)), base, session)
    } catch {
      error.trap()
    }
  }
}
