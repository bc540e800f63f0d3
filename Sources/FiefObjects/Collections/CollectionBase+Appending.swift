import FiefGraph
import FiefRuntime
import FiefSessions

// How contents come into managed lists.

extension CollectionBase {
  /// Appends a content to a managed list.
  @usableFromInline
  final func append(content: _PropertyContent) {
    if let object = content.borrowedObject, object.with({ appendPlainLink(to: $0) }) { return }
    guard let location else { return }
    change(location) { transaction in
      // A value needs no new row.
      if let value = ShortCut.plainElements.attempt({ content.stored }) {
        return try transaction.append(value, toList: location.cell)
      }
      try put([content], at: transaction.count(of: location.cell), in: location, transaction)
    }
  }

  /// Appends an ordinary object of the session, when that needs no other change. No references are counted.
  ///
  /// - Returns: false when more is needed, or the object or this list is invalid; nothing was changed then.
  private final func appendPlainLink(to object: ObjectBase) -> Bool {
    guard let (session, cell, stamp) = place else { return false }
    return session.with { session in
      // The quick checks of those that an ordinary change makes; where one fails, that change says why.
      guard session.isKnownToBeHere, session.validity.isCurrent(stamp) else { return false }
      return session.appendPlainLink(to: object, cell)
    }
  }

  /// The session, the cell, and the moment at which the location was made. The location of a managed collection stays,
  /// and holds the session.
  private final var place: (session: Borrowed<Session>, cell: Cell, stamp: VersionStamp)? {
    guard let location else { return nil }
    return unsafe (Borrowed(location.session), location.cell, location.madeStamp)
  }

  /// Inserts contents into a managed list at a position, which is that after `emptying` has run.
  final func put(
    _ contents: [_PropertyContent], at position: Int, in location: CollectionLocation, _ transaction: Transaction,
    emptying: ((Transaction) throws -> Void)? = nil
  ) throws {
    try put(
      contents, in: location, transaction, emptying: emptying, position: { .inserted(at: position + $0) },
      one: { try $0.insert($1, at: position + $2, inList: location.cell) },
      all: { try $0.insert(contentsOf: $1, at: position, inList: location.cell) })
  }
}
