import FiefGraph
import FiefQueries
import FiefTestSupport
import FiefValues

/// Makes predicates that fit the tests' schema.
struct RandomPredicate {
  var random: SeededRandom
  let world: World

  /// A predicate of up to `size` comparisons over `thing`, or over the element of a subquery.
  mutating func predicate(_ size: Int, variable: String? = nil, isOther: Bool = false, depth: Int = 0) -> QueryPredicate
  {
    if size <= 1 {
      if random.bool(0.03) { return QueryPredicate(random.bool()) }
      if random.bool(0.08), depth < 2 {
        let (name, elementsAreOther) =
          isOther
          ? random.element(of: [("holders", false), ("listers", false)])
          : random.element(of: [("others", true), ("things", false), ("owned", true), ("linkers", false)])
        let inner = predicate(
          1 + random.below(2), variable: "v\(depth)", isOther: elementsAreOther, depth: depth + 1)
        return QueryPredicate(
          QueryPredicate.Subquery(
            PropertyPath([.property(name)], variable: variable), variable: "v\(depth)",
            count: random.element(of: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]),
            Int64(random.below(3))), where: inner)
      }
      let comparison = comparison(variable, isOther)
      return random.bool(0.2) ? !QueryPredicate(comparison) : QueryPredicate(comparison)
    }
    let left = 1 + random.below(size - 1)
    let a = predicate(left, variable: variable, isOther: isOther, depth: depth)
    let b = predicate(size - left, variable: variable, isOther: isOther, depth: depth)
    let joined = random.bool(0.6) ? a && b : a || b
    return random.bool(0.2) ? !joined : joined
  }

  /// Alternatives, each of which an index or the primary key may answer.
  mutating func alternatives() -> QueryPredicate {
    (0..<(1 + random.below(3))).reduce(indexable()) { joined, _ in joined || indexable() }
  }

  /// One or two comparisons that an index or the primary key may answer.
  mutating func indexable() -> QueryPredicate {
    if random.bool(0.15) {
      let last = Int(world.graph[world.thing]?.nextKey ?? 1)
      let ids = (0..<(1 + random.below(12))).map { _ in Value.int(Int64(random.below(last))) }
      return QueryPredicate(
        random.bool()
          ? Comparison(.path(PropertyPath("id")), .equal, .constant(.value(ids[0])))
          : Comparison(.path(PropertyPath("id")), .in, .constant(.list(ids))))
    }
    let columns: [(String, ValueKind)] = [
      ("bool", .bool), ("int", .int), ("intN", .int), ("double", .double), ("floatN", .float), ("string", .string),
      ("stringN", .string), ("date", .date), ("oidN", .objectId), ("uuid", .uuid), ("decimalN", .decimal),
      ("any", .any),
      ("dataN", .data),
    ]
    if random.bool(0.15) {
      let (one, two, kinds): (String, String, (ValueKind, ValueKind)) = random.element(of: [
        ("int", "string", (.int, .string)), ("stringN", "intN", (.string, .int)), ("bool", "date", (.bool, .date)),
      ])
      let leading = Comparison(.path(PropertyPath(one)), .equal, .constant(.value(random.value(kinds.0))))
      return QueryPredicate(leading) && QueryPredicate(scalar(PropertyPath(two), kinds.1, false, mayBeNull: false))
    }
    let (name, kind) = random.element(of: columns)
    let first = QueryPredicate(scalar(PropertyPath(name), kind, false, mayBeNull: name.hasSuffix("N") || kind == .any))
    if random.bool(0.6) { return first }
    let (other, otherKind) = random.element(of: columns)
    return first
      && QueryPredicate(
        scalar(PropertyPath(other), otherKind, false, mayBeNull: other.hasSuffix("N") || otherKind == .any))
  }

  private mutating func comparison(_ variable: String?, _ isOther: Bool) -> Comparison {
    // Within a subquery, some paths begin at the row of the query itself, without a variable.
    let asksRow = variable != nil && random.bool(0.1)
    var path = PropertyPath([], variable: asksRow ? nil : variable)
    var isOther = asksRow ? false : isOther
    var isMany = false
    var isBehindLink = false
    for _ in 0..<random.weighted([(0, 6), (1, 3), (2, 1)]) {
      let (name, toOther, many): (String, Bool, Bool) =
        isOther
        ? random.element(of: [("owner", false, false), ("holders", false, true), ("listers", false, true)])
        : random.element(of: [
          ("link", false, false), ("other", true, false), ("others", true, true), ("things", false, true),
          ("owned", true, true), ("linkers", false, true), ("otherMap", true, true),
        ])
      path.components.append(.property(name))
      isOther = toOther
      isMany = isMany || many
      isBehindLink = isBehindLink || !many || name == "otherMap"
    }
    return end(path, isOther, isMany, isBehindLink)
  }

  private mutating func quantifier(_ isMany: Bool) -> Comparison.Quantifier {
    isMany ? random.element(of: [.unquantified, .any, .all, .none]) : .unquantified
  }

  private mutating func end(_ path: PropertyPath, _ isOther: Bool, _ isMany: Bool, _ isBehindLink: Bool) -> Comparison {
    if isOther {
      switch random.below(5) {
      case 0: return scalar(path.appending(.property("int")), .int, isMany, mayBeNull: isBehindLink)
      case 1: return scalar(path.appending(.property("string")), .string, isMany, mayBeNull: isBehindLink)
      case 2: return scalar(path.appending(.property("doubleN")), .double, isMany, mayBeNull: true)
      case 3: return scalar(path.appending(.property("numbers")), .int, true, mayBeNull: false)
      default: return aggregate(path.appending(.property("numbers")), .int, nil, isMany)
      }
    }
    switch random.below(20) {
    case 0..<10:
      let (kind, name) = random.element(of: World.kinds)
      let isOptional = random.bool()
      let full = path.appending(.property(isOptional ? name + "N" : name))
      if random.bool(0.08) {
        let relation: Comparison.Operator =
          [.bool, .objectId, .uuid].contains(kind)
          ? random.element(of: [.equal, .notEqual])
          : random.element(of: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual])
        return Comparison(
          .path(full), relation, .path(PropertyPath(random.bool() ? name : name + "N")), quantifier: quantifier(isMany))
      }
      return scalar(full, kind, isMany, mayBeNull: isOptional || isBehindLink)
    case 10, 11:
      let (name, type) = random.element(of: World.collections)
      let full = path.appending(.property(name))
      if type.shape == .dictionary {
        switch random.below(4) {
        case 0: return scalar(full.appending(.key(random.element(of: World.keys))), type.kind, isMany, mayBeNull: true)
        case 1: return scalar(full.appending(.allKeys), .string, true, mayBeNull: false)
        case 2: return scalar(full.appending(.allValues), type.kind, true, mayBeNull: type.allowsNull)
        default: break
        }
      }
      return scalar(full, type.kind, true, mayBeNull: type.allowsNull)
    case 12, 13: return scalar(path.appending(.property("any")), .any, isMany, mayBeNull: true)
    case 14:
      let step = random.element(of: [
        PropertyPath.Component.index(random.below(3)), .key(random.element(of: World.keys)), .anyElement,
      ])
      return scalar(
        path.appending(.property("any")).appending(step), .any, isMany || step == .anyElement, mayBeNull: true)
    case 15, 16:
      let (name, kind, inner): (String, ValueKind, String?) = random.element(of: [
        ("ints", .int, nil), ("intNs", .int, nil), ("doubles", .double, nil), ("dates", .date, nil), ("map", .int, nil),
        ("decimals", .decimal, nil), ("others", .int, "int"), ("owned", .double, "doubleN"), ("things", .date, "date"),
        ("linkers", .float, "floatN"), ("strings", .string, nil),
      ])
      return aggregate(path.appending(.property(name)), kind, inner, isMany)
    case 17:
      return Comparison(
        .path(path.appending(.property("link"))), random.element(of: [.equal, .notEqual]),
        .constant(random.bool(0.3) ? .null : .value(someThing())), quantifier: quantifier(isMany))
    case 18:
      return Comparison(
        .path(path), .in, .constant(.list([someThing(), someThing(), someThing()])), quantifier: quantifier(isMany))
    default:
      let low = (Double(random.int(in: -80...0)), Double(random.int(in: -170...0)))
      let box = GeoBox(bottomLeft: low, topRight: (low.0 + 60, low.1 + 120))
      let circle = GeoCircle(center: low, radiusInRadians: random.unit() * 2)
      guard let box, let circle else { return Comparison(.path(path), .equal, .constant(.value(someThing()))) }
      return Comparison(
        .path(path.appending(.property("place"))), .within,
        .constant(.shape(random.bool() ? .box(box) : .circle(circle))),
        quantifier: quantifier(isMany))
    }
  }

  private mutating func someThing() -> Value {
    .link(ObjectLink(world.thing, ObjectKey(Int64(random.below(Int(world.graph[world.thing]?.nextKey ?? 1))))))
  }

  private mutating func aggregate(
    _ path: PropertyPath, _ kind: ValueKind, _ inner: String?, _ isMany: Bool
  ) -> Comparison {
    if kind == .string || random.bool(0.3) {
      return scalar(path.appending(.aggregate(.count)), .int, isMany, mayBeNull: false, isAggregate: true)
    }
    let operation: PropertyPath.Aggregate =
      kind == .date
      ? random.element(of: [.minimum, .maximum]) : random.element(of: [.sum, .average, .minimum, .maximum])
    var full = path.appending(.aggregate(operation))
    if let inner { full = full.appending(.property(inner)) }
    return scalar(full, kind, isMany, mayBeNull: operation != .sum, isAggregate: true)
  }

  /// A comparison of a path with a constant, by a relation that its kind supports.
  private mutating func scalar(
    _ path: PropertyPath, _ kind: ValueKind, _ isMany: Bool, mayBeNull: Bool, isAggregate: Bool = false
  ) -> Comparison {
    // Sometimes the length of a text.
    if [.string, .data, .any].contains(kind) && path.components.last != .length && random.bool(0.08) {
      return scalar(path.appending(.length), .int, isMany, mayBeNull: mayBeNull)
    }
    let quantifier = quantifier(isMany)
    func number(_ random: inout SeededRandom) -> Value {
      random.bool(0.3)
        ? .double(random.element(of: [0.1, 0.2, 0.3, 0.5, 1.5]))
        : random.value(random.element(of: [.int, .int, .double]))
    }
    func constant(_ kind: ValueKind, _ random: inout SeededRandom) -> Value {
      if mayBeNull && random.bool(0.12) { return .null }
      if isAggregate && kind != .date { return number(&random) }
      if kind == .float && random.bool(0.3) { return .double(random.element(of: [0.1, 0.5, 1.5])) }
      if kind == .decimal && random.bool(0.3) { return .double(random.element(of: [0.1, 0.5, 1.5])) }
      return random.value(kind)
    }
    var relations: [(value: Comparison.Operator, weight: Int)] = [
      (.equal, 3), (.notEqual, 2), (.in, isAggregate ? 0 : 2),
    ]
    if ![.bool, .objectId, .uuid, .link].contains(kind) {
      relations += [(.less, 1), (.lessOrEqual, 1), (.greater, 1), (.greaterOrEqual, 1)]
    }
    if [.int, .float, .double, .decimal, .date].contains(kind) { relations.append((.between, 2)) }
    if kind == .string || kind == .any { relations += [(.beginsWith, 2), (.endsWith, 1), (.contains, 2), (.like, 2)] }
    if kind == .string { relations.append((.fullText, 3)) }
    if kind == .data { relations += [(.beginsWith, 1), (.endsWith, 1), (.contains, 1)] }
    let relation = random.weighted(relations)
    var options: TextOptions = []
    let folding: [Comparison.Operator] = [.equal, .notEqual, .in, .beginsWith, .endsWith, .contains, .like]
    if (kind == .string || kind == .any) && folding.contains(relation) {
      if random.bool(0.4) { options.insert(.caseInsensitive) }
      if random.bool(0.3) && relation != .like { options.insert(.diacriticInsensitive) }
    }
    let right: QueryConstant
    switch relation {
    case .in: right = .list((0..<random.below(5)).map { _ in constant(kind, &random) })
    case .between:
      func end(_ random: inout SeededRandom) -> Value {
        while true {
          let value = constant(kind, &random)
          if !value.isNull { return value }
        }
      }
      right = .list([end(&random), end(&random)])
    case .fullText:
      let words = ["a", "ab", "A", "e", "\u{C9}", "ee", "b", "ss", "ass", "k", "c", "a?b", ""]
      right = .value(
        .string(
          (0..<random.below(4)).map { _ in
            (random.bool(0.3) ? "-" : "") + random.element(of: words) + (random.bool(0.4) ? "*" : "")
          }.joined(separator: " ")))
    case .like where random.bool(0.7):
      let signs = ["*", "?", "a", "A", "b", "e", "\\*"]
      right = .value(.string((0..<random.below(5)).map { _ in random.element(of: signs) }.joined()))
    case .beginsWith, .endsWith, .contains, .like:
      right = .value(random.value(kind == .any ? random.element(of: [.string, .data]) : kind))
    default: right = .value(constant(kind, &random))
    }
    return Comparison(.path(path), relation, .constant(right), options: options, quantifier: quantifier)
  }
}
