import FiefQueries
import Foundation

/// A predicate of Foundation's as what it is made of: texts, constants, blocks, and compounds of such.
///
/// Compounds are worked off by a list, whatever their depth.
struct PredicateParts {
  private enum Part {
    case condition(QueryPredicate)
    case foreign(NSPredicate)
    /// Joins as many parts before it.
    case compound(NSCompoundPredicate, count: Int)
  }

  /// In postfix order, as the nodes of conditions.
  private let parts: [Part]
  private let root: NSPredicate

  init(_ predicate: NSPredicate) {
    root = predicate
    var parts: [Part] = []
    var waiting = [predicate]
    // Found the wrong way round, and turned.
    while let next = waiting.popLast() {
      if let compound = next as? NSCompoundPredicate, Self.isPlain(compound) {
        let members = Self.members(compound)
        parts.append(.compound(compound, count: members.count))
        waiting += members
      } else {
        parts.append(Self.condition(of: next).map { .condition($0) } ?? .foreign(next))
      }
    }
    self.parts = parts.reversed()
  }

  /// A class of the application's own may mean anything by what it is made of.
  private static func isPlain(_ compound: NSCompoundPredicate) -> Bool {
    #if canImport(Darwin)
      return true
    #else
      return type(of: compound) == NSCompoundPredicate.self
    #endif
  }

  private static func members(_ compound: NSCompoundPredicate) -> [NSPredicate] {
    #if canImport(Darwin)
      let members = compound.subpredicates.compactMap { $0 as? NSPredicate }
    #else
      let members = compound.subpredicates
    #endif
    return compound.compoundPredicateType == .not ? Array(members.prefix(1)) : members
  }

  /// What a predicate that is no compound asks; nil for what the program evaluates.
  private static func condition(of predicate: NSPredicate) -> QueryPredicate? {
    if let format = predicate as? FormatPredicate { return format.condition }
    #if canImport(Darwin)
      if predicate.predicateFormat.contains("BLOCKPREDICATE") { return nil }
      do throws(QueryError) {
        return try ParsedQuery(predicate.predicateFormat).predicate
      } catch {
        error.trap()
      }
    #else
      // Of Foundation's own predicates only those that always say one thing equal another.
      guard type(of: predicate) == NSPredicate.self else { return nil }
      for value in [true, false] where predicate.isEqual(NSPredicate(value: value)) { return QueryPredicate(value) }
      return nil
    #endif
  }

  /// The whole as a condition that stores answer; nil when a part of it has to be evaluated by the program.
  var condition: QueryPredicate? {
    var stack: [QueryPredicate] = []
    for part in parts {
      switch part {
      case .foreign: return nil
      case .condition(let condition): stack.append(condition)
      case .compound(let compound, let count):
        let members = Array(stack.suffix(count))
        stack.removeLast(count)
        switch compound.compoundPredicateType {
        case .not: stack.append(members.first.map { !$0 } ?? QueryPredicate(true))
        case .or: stack.append(QueryPredicate.any(of: members))
        default: stack.append(QueryPredicate.all(of: members))
        }
      }
    }
    return stack.last
  }

  /// What stores answer of it, and what is left for the program; both must hold.
  var split: (condition: QueryPredicate, rest: NSPredicate?) {
    if let condition { return (condition, nil) }
    guard let compound = root as? NSCompoundPredicate, Self.isPlain(compound), compound.compoundPredicateType == .and
    else { return (QueryPredicate(true), root) }
    var conditions: [QueryPredicate] = []
    var rest: [NSPredicate] = []
    for member in Self.members(compound) {
      if let condition = PredicateParts(member).condition { conditions.append(condition) } else { rest.append(member) }
    }
    return (.all(of: conditions), NSCompoundPredicate(andPredicateWithSubpredicates: rest))
  }

  /// The predicate with values for the variables of all its texts.
  func substituting(_ variables: [String: Any]) -> NSPredicate {
    // The parts in their order say nothing of the texts' own objects; so they are made anew from the predicates.
    var made: [ObjectIdentifier: NSPredicate] = [:]
    var waiting: [(predicate: NSPredicate, isEntered: Bool)] = [(root, false)]
    while let (next, isEntered) = waiting.popLast() {
      if let format = next as? FormatPredicate {
        made[ObjectIdentifier(next)] = format.substituting(variables)
      } else if let compound = next as? NSCompoundPredicate, Self.isPlain(compound) {
        let members = Self.members(compound)
        if isEntered {
          made[ObjectIdentifier(next)] = NSCompoundPredicate(
            type: compound.compoundPredicateType, subpredicates: members.map { made[ObjectIdentifier($0)] ?? $0 })
        } else {
          waiting.append((next, true))
          waiting += members.map { ($0, false) }
        }
      }
    }
    return made[ObjectIdentifier(root)] ?? root
  }
}
