import FiefGraph
import FiefQueries

/// A condition bound to a table, as the kernel has it.
typealias BoundQuery = FiefQueries.Query

/// What names mean in a store: Swift names of properties, linking objects included; the names of columns where the
/// program has no class or no such property.
struct StoreCatalog: QueryCatalog {
  let store: Store
  /// The class that is asked most of, found already.
  var asked: ClassBinding?

  func property(_ name: String, of table: TableSchema) -> QueryProperty? {
    let binding = asked?.table == table.key ? asked : store.binding(of: table.key)
    if let binding, let number = binding.model.number(of: name) {
      if binding.model.properties[number].isStored { return .column(binding.columns[number]) }
      return binding.origin(number).map { .backlinks(origin: $0.table, column: $0.columns[$1]) }
    }
    return table.column(named: name).map { .column($0.key) }
  }
}

extension PropertyPath {
  /// What stands for a number that is worked out of a collection.
  private static let operators: [String: Component] = [
    "@count": .count, "@min": .minimum, "@max": .maximum, "@sum": .sum, "@avg": .average,
  ]

  /// The path that a text like `owner.age`, `scores[chess]` or `dogs.@max.age` stands for.
  init(text: String) {
    var components: [Component] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard let bracket = part.firstIndex(of: "["), part.last == "]" else {
        if part == "self" || part == "SELF" { continue }
        components.append(Self.operators[part.lowercased()] ?? .property(String(part)))
        continue
      }
      components.append(.property(String(part[..<bracket])))
      components.append(.key(part[part.index(after: bracket)...].dropLast().trimmingCharacters(in: ["\"", "'"])))
    }
    self.init(components)
  }
}

extension QueryError {
  /// Ends the program: what is asked is a mistake in it.
  func trap() -> Never { fatalError("Invalid query: \(description)") }

  /// The same as what the library throws.
  var asRealmError: Realm.Error { Realm.Error(.invalidInput, "Invalid query: \(description)") }
}
