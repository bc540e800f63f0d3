import FiefGraph
import FiefQueries
public import Foundation

/// A condition of a text, as a predicate of Foundation's: what `NSPredicate(format:)` makes, on all platforms but
/// Apple's.
///
///     let grown = try FormatPredicate(parsing: "age > %@ AND name BEGINSWITH[c] %@", 2, "r")
///     let dogs = realm.objects(Dog.self).filter(grown)
///
/// The text is parsed once, by the grammar of `filter(_:_:)`; `$NAME` stands for a variable, which is given a value
/// later. Whether its names and values fit is known when it is used: `filter` traps then for what does not, as it does
/// for a text.
public final class FormatPredicate: NSPredicate {
  /// The condition; each of its comparisons knows the stores of the objects that it names.
  let condition: QueryPredicate
  /// What it was made of, held: objects that are unmanaged are known by their addresses.
  private let arguments: [Any?]

  /// The condition of a text that may come from anywhere.
  ///
  /// - Parameters:
  ///   - format: the condition; `%@` stands for an argument, `%K` for one that names a property.
  ///   - args: the arguments: values, objects, collections of them, shapes, nil for null.
  /// - Throws: `Realm.Error` (`.invalidInput`) for a text that is no condition; it says where. Sorts and limits are
  ///   refused, too.
  public convenience init(parsing format: String, _ args: Any?...) throws {
    do throws(QueryError) {
      self.init(try Self.condition(format, args), holding: args)
    } catch {
      throw error.asRealmError
    }
  }

  /// The same of a text of the program's own, in which mistakes are its.
  convenience init(_ format: String, _ arguments: [Any?]) {
    do throws(QueryError) {
      self.init(try Self.condition(format, arguments), holding: arguments)
    } catch {
      error.trap()
    }
  }

  private init(_ condition: QueryPredicate, holding arguments: [Any?]) {
    self.condition = condition
    self.arguments = arguments
    super.init(value: true)
  }

  #if canImport(Darwin)
    /// Nil: a predicate is not kept in archives; its text is.
    public required init?(coder: NSCoder) { nil }
  #endif

  private static func condition(_ format: String, _ arguments: [Any?]) throws(QueryError) -> QueryPredicate {
    var origins: [UInt64] = []
    let constants = try QueryArguments.constants(arguments, &origins)
    let parsed = try ParsedQuery(format, arguments: constants, keepsVariables: true)
    guard parsed.arrangements.isEmpty else {
      throw QueryError(.unsupported, "A predicate has no order and no limit: sort and limit what it finds.")
    }
    return parsed.predicate.naming(origins)
  }

  /// Whether an object satisfies the condition, managed or not, or a value, which the condition speaks of as `SELF`.
  /// Traps for names that the object does not have, and for values that its properties are not compared with.
  public override func evaluate(with object: Any?) -> Bool { evaluate(with: object, substitutionVariables: nil) }

  /// The same, with values for the condition's variables.
  public override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    do {
      guard let bindings, !bindings.isEmpty else { return try ElementQuestion(condition).isTrue(of: object) }
      return try ElementQuestion(try Self.substituting(bindings, in: condition)).isTrue(of: object)
    } catch {
      error.trap()
    }
  }

  /// The condition with values for its variables. Traps for a variable without one.
  func substituting(_ variables: [String: Any]) -> FormatPredicate {
    do {
      return FormatPredicate(
        try Self.substituting(variables, in: condition), holding: arguments + Array(variables.values))
    } catch {
      error.trap()
    }
  }

  private static func substituting(
    _ variables: [String: Any], in condition: QueryPredicate
  ) throws(QueryError) -> QueryPredicate {
    var origins: [UInt64] = []
    var constants: [String: QueryConstant] = [:]
    for (name, value) in variables { constants[name] = try QueryArguments.constants([value], &origins)[0] }
    return try condition.substituting(constants).naming(origins)
  }

  /// The condition as a text, with the arguments written into it.
  public override var predicateFormat: String { condition.description }

  /// The condition as a text, with the arguments written into it.
  public override var description: String { condition.description }

  /// Whether another predicate of a format says the same.
  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? FormatPredicate else { return false }
    return other === self || other.condition == condition
  }

  /// By the text.
  public override var hash: Int { condition.description.hashValue }

  /// Itself: it never changes.
  public override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension QueryPredicate {
  /// The condition in which comparisons know which stores the objects among its constants may be of.
  fileprivate func naming(_ origins: [UInt64]) -> QueryPredicate {
    if origins.isEmpty { return self }
    return mappingComparisons { comparison in
      var comparison = comparison
      comparison.origins += origins.filter { !comparison.origins.contains($0) }
      return comparison
    }
  }
}
