/// A parsed format string: a condition, and the modifiers of its result.
///
///     try ParsedQuery("age > %@ AND name BEGINSWITH[c] 'r' SORT(age DESC) LIMIT(10)", arguments: [3])
///
/// The grammar is that of Realm's format strings, with `ALL`, `SORT`, `DISTINCT` and `LIMIT` of Realm's query language.
/// Parsing takes linear time and keeps its own stack, so no string can overflow the call stack by its length or depth.
package struct ParsedQuery: Equatable, Sendable {
  package var predicate: QueryPredicate
  package var modifiers: [QueryModifier]

  package init(_ predicate: QueryPredicate, _ modifiers: [QueryModifier] = []) {
    self.predicate = predicate
    self.modifiers = modifiers
  }

  /// Parses a format string.
  ///
  /// - Parameters:
  ///   - format: the format string.
  ///   - arguments: the values for `%@`, `%K`, `%d` and other placeholders, in order, and for `$0`, `$1` by number.
  ///   - keepsVariables: whether variables without a value stay in the condition, for
  ///     `QueryPredicate.substituting(_:)`.
  /// - Throws: `QueryError`, with the position, for a string that is not a query.
  package init(
    _ format: String, arguments: [QueryConstant] = [], keepsVariables: Bool = false
  ) throws(QueryError) {
    do throws(QueryError) {
      var parser = try PredicateParser(format, arguments: arguments, keepsVariables: keepsVariables)
      self = try parser.query()
    } catch { throw error.quoting(format) }
  }
}

extension QueryPredicate {
  /// Parses a format string that consists of a condition only.
  ///
  ///     try QueryPredicate("age > %@ AND ANY dogs.name ==[c] %@", arguments: [3, "rex"])
  ///
  /// - Throws: `QueryError`, with the position, for a string that is not a condition.
  package init(_ format: String, arguments: [QueryConstant] = []) throws(QueryError) {
    let query = try ParsedQuery(format, arguments: arguments)
    guard query.modifiers.isEmpty else {
      throw QueryError(.syntax, "A predicate alone takes no SORT, DISTINCT or LIMIT.")
    }
    self = query.predicate
  }
}

extension ParsedQuery: CustomStringConvertible {
  /// The query as a format string without placeholders.
  package var description: String {
    var text = predicate.description
    for modifier in modifiers {
      switch modifier {
      case .sort(let keys):
        text += " SORT(\(keys.map(\.description).joined(separator: ", ")))"
      case .distinct(let paths): text += " DISTINCT(\(paths.map(\.description).joined(separator: ", ")))"
      case .limit(let count, let offset): text += offset == 0 ? " LIMIT(\(count))" : " LIMIT(\(count), \(offset))"
      }
    }
    return text
  }
}

extension SortKey: CustomStringConvertible {
  /// The key as formats spell it: `name ASC`, `name FOLDED[cd] ASC`, `name LOCALE "sv" DESC`.
  package var description: String {
    var text = path.description
    switch collation {
    case .bytes: break
    case .folded(let options): text += " FOLDED\(options.spelling)"
    case .locale(let identifier): text += " LOCALE \(Spelling.quoted(identifier))"
    }
    return text + (ascending ? " ASC" : " DESC")
  }
}
