import FiefGraph
import FiefObjects
import FiefQueries
public import Foundation

/// The condition of a format string, as a predicate of Foundation. On all platforms but Apple's, `NSPredicate(format:)`
/// makes one.
///
///     let grown = try FormatPredicate(parsing: "age > %@ AND name BEGINSWITH[c] %@", 2, "r")
///     let dogs = realm.objects(Dog.self).filter(grown)
///
/// The format is parsed once, by the grammar of `filter(_:_:)`; `$NAME` stands for a variable, which gets a value
/// later. Its names and values are checked at each use: `filter` traps for those that do not fit, as for a format.
public final class FormatPredicate: NSPredicate {
  /// The condition; each of its comparisons records the stores of its objects.
  let condition: QueryPredicate
  /// The arguments, held because the condition identifies unmanaged objects by their addresses.
  private let arguments: [Any?]

  /// The condition of a format that may come from outside the program.
  ///
  ///     do {
  ///       print(dogs.filter(try FormatPredicate(parsing: text)).count)
  ///     } catch {
  ///       print("Not a condition: \(error)")
  ///     }
  ///
  /// - Parameters:
  ///   - format: the condition; `%@` stands for an argument, `%K` for one that names a property.
  ///   - args: the arguments: values, objects, collections of them, shapes, nil for null.
  /// - Throws: `Realm.Error` (`.invalidInput`) for a format that is not a condition; the message names the position.
  ///   Sorts and limits are refused, too.
  public convenience init(parsing format: String, _ args: Any?...) throws {
    do throws(QueryError) {
      self.init(try Self.condition(format, args), holding: args)
    } catch {
      throw error.asRealmError
    }
  }

  /// The condition of a format that is part of the program. Traps for mistakes in it.
  convenience init(_ format: String, _ arguments: [Any?]) {
    let condition = QueryError.trapping { try Self.condition(format, arguments) }
    self.init(condition, holding: arguments)
  }

  private init(_ condition: QueryPredicate, holding arguments: [Any?]) {
    self.condition = condition
    self.arguments = arguments
    super.init(value: true)
  }

  #if canImport(Darwin)
    /// Nil: archives can hold the format of a predicate, but not the predicate.
    public required init?(coder: NSCoder) { nil }
  #endif

  private static func condition(_ format: String, _ arguments: [Any?]) throws(QueryError) -> QueryPredicate {
    var origins: [UInt64] = []
    let constants = try QueryArguments.constants(arguments, &origins)
    let parsed = try ParsedQuery(format, arguments: constants, keepsVariables: true)
    guard parsed.modifiers.isEmpty else {
      throw QueryError(.unsupported, "A predicate has no order and no limit: sort and limit what it finds.")
    }
    return parsed.predicate.naming(origins)
  }

  /// Whether an object, managed or not, satisfies the condition, or a value, which the condition calls `SELF`.
  ///
  ///     let isGrown = try FormatPredicate(parsing: "age > 2").evaluate(with: dog)
  ///
  /// Traps for names that the object does not have, for values that cannot be compared with its properties, and for a
  /// variable without a value; also for an object outside a store whose subqueries or paths lead to more than a million
  /// objects.
  ///
  /// - Parameter object: an object, a value, or nil for null.
  public override func evaluate(with object: Any?) -> Bool { evaluate(with: object, substitutionVariables: nil) }

  /// Whether an object or a value satisfies the condition, with values for the condition's variables.
  ///
  ///     let older = try FormatPredicate(parsing: "age > $LIMIT")
  ///     print(older.evaluate(with: dog, substitutionVariables: ["LIMIT": 9]))
  ///
  /// - Parameters:
  ///   - object: an object, a value, or nil for null.
  ///   - bindings: the values, by the names of the variables without `$`.
  public override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    QueryError.trapping {
      guard let bindings, !bindings.isEmpty else { return try ElementCondition(condition).isTrue(of: object) }
      return try ElementCondition(try Self.substituting(bindings, in: condition)).isTrue(of: object)
    }
  }

  /// The condition with values for its variables. Traps for a variable without a value.
  func substituting(_ variables: [String: Any]) -> FormatPredicate {
    let made = QueryError.trapping { try Self.substituting(variables, in: condition) }
    return FormatPredicate(made, holding: arguments + Array(variables.values))
  }

  private static func substituting(
    _ variables: [String: Any], in condition: QueryPredicate
  ) throws(QueryError) -> QueryPredicate {
    var origins: [UInt64] = []
    var constants: [String: QueryConstant] = [:]
    for (name, value) in variables { constants[name] = try QueryArguments.constants([value], &origins)[0] }
    return try condition.substituting(constants).naming(origins)
  }

  /// The condition as a string, with the arguments written into it.
  ///
  ///     print(try FormatPredicate(parsing: "age > %@", 2).predicateFormat)          // age > 2
  public override var predicateFormat: String { condition.description }

  /// The condition as a string, with the arguments written into it.
  public override var description: String { condition.description }

  /// Whether another predicate of a format has an equal condition.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? FormatPredicate else { return false }
    return other === self || other.condition == condition
  }

  /// The hash value of the condition's string.
  public override var hash: Int { condition.description.hashValue }

  /// The predicate itself, because it never changes.
  public override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension QueryPredicate {
  /// The condition, each of whose comparisons also records these stores as possible origins of its objects.
  fileprivate func naming(_ origins: [UInt64]) -> QueryPredicate {
    if origins.isEmpty { return self }
    return mappingComparisons { comparison in
      var comparison = comparison
      comparison.origins += origins.filter { !comparison.origins.contains($0) }
      return comparison
    }
  }
}
