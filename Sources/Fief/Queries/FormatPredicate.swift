import FiefGraph
import FiefQueries
public import Foundation

/// A condition of a text that may come from anywhere, as a predicate of Foundation's: what `NSPredicate(format:)` is on Apple's platforms,
/// on all of them, with errors instead of traps.
///
///     let grown = try FormatPredicate(parsing: "age > %@ AND name BEGINSWITH[c] %@", 2, "r")
///     let dogs = realm.objects(Dog.self).filter(grown)
///
/// The text is parsed once, by the grammar of `filter(_:_:)`. Whether its names and values fit is known when it is used: `filter` traps then
/// for what does not, as it does for a text.
public final class FormatPredicate: NSPredicate {
  let parsed: ParsedQuery
  /// The stores whose objects are among the arguments.
  private let origins: [UInt64]

  /// The condition of a text.
  ///
  /// - Parameters:
  ///   - format: the condition; `%@` stands for an argument, `%K` for one that names a property.
  ///   - args: the arguments: values, objects, collections of them, shapes, nil for null.
  /// - Throws: `Realm.Error` (`.invalidInput`) for a text that is no condition; it says where. Sorts and limits are refused, too.
  public init(parsing format: String, _ args: Any?...) throws {
    do throws(QueryError) {
      var origins: [UInt64] = []
      parsed = try ParsedQuery(format, arguments: try QueryArguments.constants(args, &origins))
      self.origins = origins
      guard parsed.arrangements.isEmpty else {
        throw QueryError(.unsupported, "A predicate has no order and no limit: sort and limit what it finds.")
      }
    } catch {
      throw error.asRealmError
    }
    super.init(value: true)
  }

  /// Nil: a predicate is not kept in archives; its text is.
  public required init?(coder: NSCoder) { nil }

  /// Whether a managed object satisfies the condition. Traps for anything else, and for names that the object does not have.
  public override func evaluate(with object: Any?) -> Bool {
    guard let object = object.flatMap(flattened) as? ObjectBase, let session = object.heldSession,
      let link = object.link
    else { fatalError("A FormatPredicate can only be asked about managed objects.") }
    session.checkConfinement()
    do {
      try session.check(origins: origins)
      let query = try BoundQuery(
        parsed, of: link.table, in: session.layout, catalog: StoreCatalog(store: session.store))
      return session.read { query.matches(link.key, in: $0) }
    } catch {
      error.trap()
    }
  }

  /// The condition, for a session that its arguments are good in.
  func condition(for session: Session) throws(QueryError) -> QueryPredicate {
    try session.check(origins: origins)
    return parsed.predicate
  }

  /// Itself: it never changes.
  public override func copy(with zone: NSZone? = nil) -> Any { self }
}
