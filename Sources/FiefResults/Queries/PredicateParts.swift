import FiefCopying
import FiefObjects
import FiefQueries
import Foundation

/// The parts of a predicate of Foundation: formats, constants, blocks, and compounds of these.
///
/// Work lists process compounds, whatever their depth.
struct PredicateParts {
  private let root: NSPredicate

  init(_ predicate: NSPredicate) { root = predicate }

  /// A compound whose parts are known.
  private struct Compound {
    let kind: NSCompoundPredicate.LogicalType
    let members: [NSPredicate]

    /// Nil for a predicate that is not a compound, and for a class of the application, which may use its parts freely.
    init?(_ predicate: NSPredicate) {
      guard let compound = predicate as? NSCompoundPredicate else { return nil }
      kind = compound.compoundPredicateType
      #if canImport(Darwin)
        let members = compound.subpredicates.compactMap { $0 as? NSPredicate }
      #else
        guard type(of: compound) == NSCompoundPredicate.self else { return nil }
        let members = compound.subpredicates
      #endif
      self.members = kind == .not ? Array(members.prefix(1)) : members
    }
  }

  /// The condition of a predicate that is not a compound; nil if the program has to evaluate it.
  private static func condition(of predicate: NSPredicate) -> QueryPredicate? {
    if let format = predicate as? FormatPredicate { return format.condition }
    #if canImport(Darwin)
      if predicate.predicateFormat.contains("BLOCKPREDICATE") { return nil }
      return QueryError.trapping { try ParsedQuery(predicate.predicateFormat).predicate }
    #else
      // Of Foundation's own predicates, only those with a constant result equal another instance.
      guard type(of: predicate) == NSPredicate.self else { return nil }
      for value in [true, false] where predicate.isEqual(NSPredicate(value: value)) { return QueryPredicate(value) }
      return nil
    #endif
  }

  /// The whole as a condition that stores evaluate; nil if the program has to evaluate a part of it. Linear. Traps for
  /// compounds that are shared so often that the condition would be out of proportion (see `ContainerPaths`).
  var condition: QueryPredicate? {
    var paths = ContainerPaths()
    return QueryPredicate(tree: root) { predicate in
      guard let compound = Compound(predicate) else { return Self.condition(of: predicate).map { .condition($0) } }
      if (try? paths.enter(ContainerIdentity(predicate, count: compound.members.count), below: -1)) == nil {
        fatalError("A compound predicate contains the same predicates too often to be asked: join each once.")
      }
      if compound.members.isEmpty { return .condition(QueryPredicate(compound.kind != .or)) }
      return .joined(compound.kind == .and ? .and : compound.kind == .or ? .or : .not, compound.members)
    }
  }

  /// The condition that stores evaluate, and the rest, which the program evaluates; both must hold. Nested ANDs are
  /// split at any depth.
  var split: (condition: QueryPredicate, rest: PredicateParts?) {
    if let condition { return (condition, nil) }
    var conditions: [QueryPredicate] = []
    var rest: [NSPredicate] = []
    var work = [root]
    while let next = work.popLast() {
      if let compound = Compound(next), compound.kind == .and {
        work += compound.members.reversed()
      } else if let condition = PredicateParts(next).condition {
        conditions.append(condition)
      } else {
        rest.append(next)
      }
    }
    let left = rest.count == 1 ? rest[0] : NSCompoundPredicate(andPredicateWithSubpredicates: rest)
    return (.all(of: conditions), PredicateParts(left))
  }

  /// Whether an element satisfies the predicate. Parts are evaluated in order, until the result is known.
  func isTrue(of element: Any?) -> Bool {
    var open: [(compound: Compound, next: Int)] = []
    var asked: NSPredicate? = root
    while true {
      var answer: Bool?
      if let predicate = asked {
        asked = nil
        if let compound = Compound(predicate) {
          open.append((compound, 0))
        } else {
          answer = predicate.evaluate(with: element)
        }
      }
      // Each answer may decide the compounds around it.
      while let (compound, next) = open.last {
        if let known = answer {
          switch compound.kind {
          case .not: answer = !known
          case .or: answer = known ? true : nil
          default: answer = known ? nil : false
          }
        }
        if answer == nil, next < compound.members.count {
          asked = compound.members[next]
          open[open.count - 1].next = next + 1
          break
        }
        open.removeLast()
        answer = answer ?? (compound.kind != .or)
      }
      if asked == nil, let answer { return answer }
    }
  }

  /// The predicate with values for the variables of all its formats.
  func substituting(_ variables: [String: Any]) -> NSPredicate {
    var made: [ObjectIdentifier: NSPredicate] = [:]
    var waiting: [(predicate: NSPredicate, isEntered: Bool)] = [(root, false)]
    while let (next, isEntered) = waiting.popLast() {
      if !isEntered && made[ObjectIdentifier(next)] != nil { continue }
      if let format = next as? FormatPredicate {
        made[ObjectIdentifier(next)] = format.substituting(variables)
      } else if let compound = Compound(next) {
        if isEntered {
          made[ObjectIdentifier(next)] = NSCompoundPredicate(
            type: compound.kind, subpredicates: compound.members.map { made[ObjectIdentifier($0)] ?? $0 })
        } else {
          waiting.append((next, true))
          waiting += compound.members.map { ($0, false) }
        }
      }
    }
    return made[ObjectIdentifier(root)] ?? root
  }
}
