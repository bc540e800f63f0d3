import FiefGraph
import FiefQueries
import FiefValues
import Foundation

/// The simplest implementation of predicates, row by row: the oracle of the differential test.
///
/// It resolves names with `Graph`'s own reads, recurses over small predicates, and shares no code with FiefQueries.
struct NaiveQuery {
  let graph: Graph
  let catalog: StoredNames
  let predicate: QueryPredicate

  /// The objects at which paths can begin: the row, and the elements of the enclosing subqueries.
  typealias Frame = (variable: String?, object: ObjectLink)

  func matches(_ object: ObjectLink) -> Bool {
    var index = predicate.nodes.count - 1
    let tree = parse(&index)
    return tree([(nil, object)])
  }

  /// The condition that ends at `index`, as a function of the frames; `index` moves before its operands.
  private func parse(_ index: inout Int) -> ([Frame]) -> Bool {
    let node = predicate.nodes[index]
    index -= 1
    switch node {
    case .constant(let value): return { _ in value }
    case .comparison(let comparison): return { self.holds(comparison, $0) }
    case .not:
      let inner = parse(&index)
      return { !inner($0) }
    case .and:
      let (right, left) = (parse(&index), parse(&index))
      return { left($0) && right($0) }
    case .or:
      let (right, left) = (parse(&index), parse(&index))
      return { left($0) || right($0) }
    case .subquery(let subquery):
      let end = index
      let inner = parse(&index)
      // Each answer is kept, as deep nests ask for the same elements over and over.
      let used = variables(in: (index + 1)...end).union([subquery.collection.variable])
      let known = Answers()
      return { frames in
        // Of the elements that have one variable, the innermost is the one that it names.
        var seen: Set<String?> = []
        let key = frames.reversed().filter { used.contains($0.variable) && seen.insert($0.variable).inserted }
          .map(\.object)
        if let answer = known.answers[key] { return answer }
        let elements = self.values(subquery.collection, frames).compactMap(\.linked)
        let count = elements.count { inner(frames + [(subquery.variable, $0)]) }
        let answer = self.compare(.int(Int64(count)), subquery.relation, .int(subquery.count), [])
        known.answers[key] = answer
        return answer
      }
    }
  }

  /// The answers of one subquery, by the objects of the frames that it uses.
  private final class Answers {
    var answers: [[ObjectLink]: Bool] = [:]
  }

  /// The variables at which paths of some nodes begin; nil for the row of the query.
  private func variables(in nodes: ClosedRange<Int>) -> Set<String?> {
    var result: Set<String?> = []
    for node in predicate.nodes[nodes] {
      switch node {
      case .comparison(let comparison):
        if case .path(let path) = comparison.left { result.insert(path.variable) }
        if case .path(let path) = comparison.right { result.insert(path.variable) }
      case .subquery(let subquery): result.insert(subquery.collection.variable)
      default: break
      }
    }
    return result
  }

  private func holds(_ comparison: Comparison, _ frames: [Frame]) -> Bool {
    guard case .path(let left) = comparison.left else { fatalError("The oracle wants its path on the left.") }
    func one(_ value: Value) -> Bool {
      switch comparison.right {
      case .path(let right):
        let others = values(right, frames)
        return others.contains { compare(value, comparison.relation, $0, comparison.options) }
      case .constant(.value(let constant)):
        let orders: [Comparison.Operator] = [.less, .lessOrEqual, .greater, .greaterOrEqual]
        if constant.isNull, orders.contains(comparison.relation), isText(left) { return false }
        return compare(value, comparison.relation, typed(constant, left), comparison.options)
      case .constant(.list(let constants)):
        let typed = constants.map { self.typed($0, left) }
        if comparison.relation == .between {
          return compare(value, .greaterOrEqual, typed[0], []) && compare(value, .lessOrEqual, typed[1], [])
        }
        return typed.contains { compare(value, .equal, $0, comparison.options) }
      case .constant(.shape(let shape)): return point(value).map(shape.contains) ?? false
      case .constant(.name), .constant(.open), .constant(.nested), .constant(.nestedMembers), .constant(.members):
        return false
      }
    }
    let found = self.values(left, frames)
    switch comparison.quantifier {
    case .unquantified, .any: return found.contains(where: one)
    case .all: return found.allSatisfy(one)
    case .none: return !found.contains(where: one)
    }
  }

  /// Whether a path ends in texts that may be null, which are in no order with null.
  private func isText(_ path: PropertyPath) -> Bool {
    guard path.components.last != .length else { return false }
    return ["string", "stringN", "mapN"].contains(path.components.compactMap(\.propertyName).last)
  }

  /// Beside floats and decimals, and beside aggregates of them and of doubles, numbers are rounded to that kind first.
  private func typed(_ constant: Value, _ path: PropertyPath) -> Value {
    let operation = path.components.lazy.compactMap(\.aggregate).first { $0 != .count }
    guard path.components.last != .aggregate(.count), let name = path.components.compactMap(\.propertyName).last else {
      return constant
    }
    let (double, decimal): (Double, Decimal128)
    switch constant {
    case .int(let number): (double, decimal) = (Double(number), Decimal128(number))
    case .double(let number): (double, decimal) = (number, Decimal128(number))
    default: return constant
    }
    if name.hasPrefix("decimal") { return .decimal(decimal) }
    if name.hasPrefix("float"), operation != .sum, operation != .average {
      if case .int(let number) = constant { return .float(Float(number)) }
      let float = Float(double)
      // A number that no float can represent is compared as it is.
      return float.isInfinite && double.isFinite ? constant : .float(float)
    }
    let isRounded = operation != nil && (name.hasPrefix("float") || name.hasPrefix("double"))
    return isRounded ? .double(double) : constant
  }

  private func point(_ value: Value) -> GeoPoint? {
    guard let object = value.linked, case .string("Point")? = values(PropertyPath("type"), [(nil, object)]).first else {
      return nil
    }
    let numbers = values(PropertyPath("coordinates"), [(nil, object)]).compactMap { value -> Double? in
      if case .double(let number) = value { number } else { nil }
    }
    return numbers.count < 2 ? nil : GeoPoint(latitude: numbers[1], longitude: numbers[0])
  }

  // MARK: Relations

  private func compare(_ a: Value, _ relation: Comparison.Operator, _ b: Value, _ options: TextOptions) -> Bool {
    if case .string(let a) = a, case .string(let b) = b { return compare(a, relation, b, options) }
    let isSame = StoredOrder.compare(a, b) == 0
    switch relation {
    case .equal: return isSame
    case .notEqual: return !isSame
    case .less: return isOrdered(a, b) && StoredOrder.compare(a, b) < 0
    case .greater: return isOrdered(a, b) && StoredOrder.compare(a, b) > 0
    case .lessOrEqual: return a.isNull && b.isNull || isOrdered(a, b) && StoredOrder.compare(a, b) <= 0
    case .greaterOrEqual: return a.isNull && b.isNull || isOrdered(a, b) && StoredOrder.compare(a, b) >= 0
    default:
      guard case .data(let a) = a, case .data(let b) = b, !b.isEmpty, a.count >= b.count else { return false }
      switch relation {
      case .beginsWith: return Array(a).prefix(b.count) == Array(b)[...]
      case .endsWith: return Array(a).suffix(b.count) == Array(b)[...]
      case .contains: return (0...(a.count - b.count)).contains { Array(a)[$0..<($0 + b.count)] == Array(b)[...] }
      default: return false
      }
    }
  }

  private func isOrdered(_ a: Value, _ b: Value) -> Bool {
    let numbers: Set<ValueKind> = [.int, .float, .double, .decimal]
    guard let first = a.kind, let second = b.kind else { return false }
    if numbers.contains(first) { return numbers.contains(second) }
    return first == second && [.string, .data, .date, .bool, .objectId, .uuid].contains(first)
  }

  private func compare(_ a: String, _ relation: Comparison.Operator, _ b: String, _ options: TextOptions) -> Bool {
    if relation == .fullText { return hasWords(a, b) }
    if relation == .like { return like(Array(a)[...], Array(b)[...], options) }
    let (a, b) = (folded(a, options), folded(b, options))
    switch relation {
    case .equal: return a == b
    case .notEqual: return a != b
    case .less: return a.lexicographicallyPrecedes(b)
    case .greater: return b.lexicographicallyPrecedes(a)
    case .lessOrEqual: return !b.lexicographicallyPrecedes(a)
    case .greaterOrEqual: return !a.lexicographicallyPrecedes(b)
    default:
      guard !b.isEmpty, a.count >= b.count else { return false }
      switch relation {
      case .beginsWith: return a.prefix(b.count) == b[...] && !isMark(a, at: b.count, options)
      case .endsWith: return a.suffix(b.count) == b[...]
      case .contains:
        return (0...(a.count - b.count)).contains {
          a[$0..<($0 + b.count)] == b[...] && !isMark(a, at: $0 + b.count, options)
        }
      default: return false
      }
    }
  }

  private func hasWords(_ text: String, _ search: String) -> Bool {
    func words(_ text: String) -> [String] {
      String(decoding: folded(text, [.caseInsensitive, .diacriticInsensitive]), as: UTF8.self)
        .components(separatedBy: CharacterSet.lowercaseLetters.inverted).filter { !$0.isEmpty }
    }
    let present = words(text)
    var isAsked = false
    for part in search.components(separatedBy: " ") {
      var wanted = words(part)
      if wanted.isEmpty { continue }
      isAsked = true
      let prefix = part.hasSuffix("*") ? wanted.removeLast() : nil
      let holds =
        wanted.allSatisfy(present.contains)
        && (prefix.map { prefix in present.contains { $0.hasPrefix(prefix) } } ?? true)
      if holds == part.hasPrefix("-") { return false }
    }
    return isAsked
  }

  /// Whether a mark follows the end of a match, if that matters: when case is folded and marks are not.
  private func isMark(_ text: [UInt8], at index: Int, _ options: TextOptions) -> Bool {
    options == .caseInsensitive && text.dropFirst(index).starts(with: "\u{301}".utf8)
  }

  /// The bytes of a string of the tests' letters, folded by a table.
  func folded(_ text: String, _ options: TextOptions) -> [UInt8] {
    if options.isEmpty { return Array(text.utf8) }
    var result: [UInt8] = []
    for scalar in text.unicodeScalars {
      var letters: [Unicode.Scalar] =
        switch scalar {
        case "\u{E9}": ["e", "\u{301}"]
        case "\u{C9}": ["E", "\u{301}"]
        default: [scalar]
        }
      if options.contains(.diacriticInsensitive) { letters.removeAll { $0 == "\u{301}" } }
      if options.contains(.caseInsensitive) {
        letters = letters.map { ["A": "a", "B": "b", "E": "e"][$0] ?? $0 }
      }
      result += letters.flatMap { Array(String(Character($0)).utf8) }
    }
    return result
  }

  private func like(_ text: ArraySlice<Character>, _ pattern: ArraySlice<Character>, _ options: TextOptions) -> Bool {
    guard let sign = pattern.first else { return text.isEmpty }
    switch sign {
    case "*":
      return like(text, pattern.dropFirst(), options) || !text.isEmpty && like(text.dropFirst(), pattern, options)
    case "?": return !text.isEmpty && like(text.dropFirst(), pattern.dropFirst(), options)
    case "\\" where pattern.count > 1:
      return same(text.first, pattern.dropFirst().first, options)
        && like(text.dropFirst(), pattern.dropFirst(2), options)
    default: return same(text.first, sign, options) && like(text.dropFirst(), pattern.dropFirst(), options)
    }
  }

  private func same(_ a: Character?, _ b: Character?, _ options: TextOptions) -> Bool {
    guard let a, let b else { return false }
    return folded(String(a), options) == folded(String(b), options)
  }

  // MARK: Paths

  /// The value of a path to one value in a row.
  func value(_ path: PropertyPath, _ object: ObjectLink) -> Value { values(path, [(nil, object)]).first ?? .null }

  private func values(_ path: PropertyPath, _ frames: [Frame]) -> [Value] {
    let frame = frames.last { $0.variable == path.variable } ?? frames[0]
    return values(Array(path.components), of: .link(frame.object))
  }

  /// The values of a path that begins at a value. A null link stands for a missing row, whose properties are all null.
  private func values(_ path: [PropertyPath.Component], of value: Value) -> [Value] {
    guard let step = path.first else { return [value] }
    let rest = Array(path.dropFirst())
    switch step {
    case .property(let name):
      if value.isNull { return isMany(rest.isEmpty ? [step] : path) ? emptyOrNull(path) : [missing(path)] }
      guard let object = value.linked, let schema = graph[object.table]?.schema else { return [] }
      switch catalog.property(name, of: schema) {
      case .backlinks(let origin, let column)?:
        var sources: [Value] = []
        graph[object.table]?.backlinks(to: object.key, from: origin, column)?.forEach {
          sources.append(.link(ObjectLink(origin, $0)))
        }
        return collection(sources, rest)
      case .column(let key)?:
        let cell = Cell(object.table, object.key, key)
        guard let type = schema.column(key)?.type else { return [] }
        if !type.isCollection { return values(rest, of: graph.value(cell) ?? .null) }
        if type.shape == .dictionary {
          let contents = graph.collection(cell) as? StoredDictionary
          switch rest.first {
          case .key(let key): return values(Array(rest.dropFirst()), of: contents?[key] ?? .null)
          case .allKeys:
            return contents?.entries.flatMap { values(Array(rest.dropFirst()), of: .string($0.key)) } ?? []
          case .allValues, .anyElement:
            return contents?.entries.flatMap { values(Array(rest.dropFirst()), of: $0.value) } ?? []
          default: return collection(contents?.entries.map(\.value) ?? [], rest)
          }
        }
        var elements: [Value] = []
        graph.collection(cell)?.forEach(as: type) {
          elements.append($0)
          return true
        }
        return collection(elements, rest)
      case nil: return []
      }
    case .index(let index):
      guard let elements = nested(value, .nestedLists), index < elements.count else { return [.null] }
      return values(rest, of: elements[index])
    case .length:
      switch value {
      case .string(let text): return [.int(Int64(Array(text).count))]
      case .data(let bytes): return [.int(Int64(Array(bytes).count))]
      default: return [.null]
      }
    case .key(let key):
      guard let object = value.linked, object.table == .nestedDictionaries,
        let contents = graph.collection(Cell(object.table, object.key, .nestedElements)) as? StoredDictionary
      else { return [.null] }
      return values(rest, of: contents[key] ?? .null)
    case .anyElement:
      let elements = nested(value, .nestedLists) ?? nested(value, .nestedDictionaries) ?? []
      return elements.flatMap { values(rest, of: $0) }
    default: return []
    }
  }

  private func nested(_ value: Value, _ table: TableKey) -> [Value]? {
    guard let object = value.linked, object.table == table else { return nil }
    var elements: [Value] = []
    graph.collection(Cell(object.table, object.key, .nestedElements))?.forEach(as: ColumnType(.any, shape: .list)) {
      elements.append($0)
      return true
    }
    return elements
  }

  private func collection(_ elements: [Value], _ rest: [PropertyPath.Component]) -> [Value] {
    switch rest.first {
    case .aggregate(.count): return [.int(Int64(elements.count))]
    case .aggregate(let operation):
      return [aggregate(operation, elements.flatMap { values(Array(rest.dropFirst()), of: $0) }.filter { !$0.isNull })]
    default: return elements.flatMap { values(rest, of: $0) }
    }
  }

  private func aggregate(_ operation: PropertyPath.Aggregate, _ values: [Value]) -> Value {
    switch operation {
    case .minimum: return values.min { StoredOrder.compare($0, $1) < 0 } ?? .null
    case .maximum:
      // Among equal values, the first.
      return values.reduce(.null) { $0.isNull || StoredOrder.compare($1, $0) > 0 ? $1 : $0 }
    default: break
    }
    let ints = values.compactMap { if case .int(let number) = $0 { number } else { nil } }
    let doubles = values.compactMap { value -> Double? in
      switch value {
      case .double(let number): number
      case .float(let number): Double(number)
      default: nil
      }
    }
    let decimals = values.compactMap { if case .decimal(let number) = $0 { number } else { nil } }
    if operation == .sum {
      if !doubles.isEmpty { return .double(doubles.reduce(0, +)) }
      if !decimals.isEmpty { return .decimal(decimals.reduce(Decimal128(), +)) }
      let sum = ints.reduce(Int128(0)) { $0 + Int128($1) }
      return Int64(exactly: sum).map { .int($0) } ?? .decimal(Decimal128(sum))
    }
    if values.isEmpty { return .null }
    if !doubles.isEmpty { return .double(doubles.reduce(0, +) / Double(doubles.count)) }
    if !decimals.isEmpty { return .decimal(decimals.reduce(Decimal128(), +) / Decimal128(decimals.count)) }
    return .double(Double(ints.reduce(Int128(0)) { $0 + Int128($1) }) / Double(ints.count))
  }

  /// Whether a path leads over a collection, by the names in the tests' schema.
  private func isMany(_ path: [PropertyPath.Component]) -> Bool {
    path.contains {
      if case .property(let name) = $0 {
        [
          "others", "things", "otherMap", "owned", "linkers", "holders", "listers", "ints", "intNs", "strings",
          "doubles",
          "dates", "tags", "map", "mapN", "anys", "anyMap", "decimals", "numbers", "coordinates",
        ].contains(name)
      } else {
        $0 == .anyElement
      }
    }
  }

  /// The values behind a null link: no elements, but an aggregate of no values, or null under a key.
  private func emptyOrNull(_ path: [PropertyPath.Component]) -> [Value] {
    var path = path
    // To-one names before the collection still read as null rows.
    while case .property(let name)? = path.first, !isMany([.property(name)]) { path.removeFirst() }
    guard path.count > 1 else { return [] }
    switch path[1] {
    case .aggregate(.count), .aggregate(.sum): return [.int(0)]
    case .aggregate: return [.null]
    case .key: return path.contains(.anyElement) ? [] : [.null]
    default: return []
    }
  }

  private func missing(_ path: [PropertyPath.Component]) -> Value { .null }
}

extension PropertyPath.Component {
  fileprivate var aggregate: PropertyPath.Aggregate? {
    if case .aggregate(let aggregate) = self { aggregate } else { nil }
  }
  fileprivate var propertyName: String? { if case .property(let name) = self { name } else { nil } }
}
