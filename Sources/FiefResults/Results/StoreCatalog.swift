import FiefGraph
import FiefObjects
import FiefQueries
import FiefSessions

/// The meaning of names in a store: Swift names of properties, including linking objects; names of columns, if the
/// program has no class or no such property.
struct StoreCatalog: QueryCatalog {
  let store: Store
  /// The queried class, if it is already known.
  var asked: ClassBinding?

  var usesAllProcessors: Bool { store.options.parallelQueries }

  func property(_ name: String, of table: TableSchema) -> QueryProperty? {
    let binding = asked?.table == table.key ? asked : store.binding(of: table.key)
    if let binding, let number = binding.model.number(of: name) {
      if binding.model.properties[number].isStored { return .column(binding.columns[number]) }
      return binding.origin(number).map { .backlinks(origin: $0.table, column: $0.columns[$1]) }
    }
    return table.column(named: name).map { .column($0.key) }
  }

  func advice(on name: String, in table: TableSchema) -> String {
    store.binding(of: table.key)?.model.advice(on: name)
      ?? SchemaNames.advice(on: name, among: table.columns.map(\.name))
  }
}

extension PropertyPath {
  /// The operator with a name such as `@max`; nil for other names.
  private static func component(named name: String) -> Component? {
    guard name.hasPrefix("@") else { return nil }
    return name == "@length" ? .length : Aggregate(rawValue: String(name.dropFirst())).map(Component.aggregate)
  }

  /// Parses a path such as `owner.age`, `scores[chess]` or `dogs.@max.age`.
  init(text: String) {
    var components: [Component] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard let bracket = part.firstIndex(of: "["), part.last == "]" else {
        if part == "self" || part == "SELF" { continue }
        components.append(Self.component(named: part.lowercased()) ?? .property(String(part)))
        continue
      }
      components.append(.property(String(part[..<bracket])))
      components.append(.key(part[part.index(after: bracket)...].dropLast().trimmingCharacters(in: ["\"", "'"])))
    }
    self.init(components)
  }
}

extension QueryError {
  /// Ends the program with the error's message.
  func trap() -> Never { fatalError("Invalid query: \(description)") }

  /// Returns the result of a function. Ends the program with the message of the error that it throws.
  static func trapping<Result>(_ body: () throws -> Result) -> Result {
    do {
      return try body()
    } catch {
      (error as? QueryError)?.trap()
      fatalError("\(error)")
    }
  }

  /// The error as the library throws it.
  var asRealmError: Realm.Error { Realm.Error(.invalidInput, "Invalid query: \(description)") }
}
