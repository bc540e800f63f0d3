import FiefGraph
import FiefSessions

/// Adds what properties and collections are given and cannot store themselves: unmanaged objects, and nested
/// collections.
///
/// It is called after the plain way has refused, so its cost is that of a plan.
package protocol Importer: SendableMetatype {
  /// Adds for the session of a write.
  init(_ session: Session)

  /// Adds all unmanaged objects that contents reach, and stores one content after another in a cell.
  ///
  /// - Parameters:
  ///   - contents: the contents to store.
  ///   - cell: the cell to store them in.
  ///   - emptying: removes what the contents replace, once they are known to fit; nil if they stand beside the others,
  ///     or each takes the place of one. What is refused later brings it back.
  ///   - position: the position in the cell at which embedded objects and nested collections are made, by the content's
  ///     index in `contents`.
  ///   - store: stores a value; if it is a link, its row exists.
  func insert(
    _ contents: [_PropertyContent], into cell: Cell, _ transaction: Transaction,
    emptying: ((Transaction) throws -> Void)?, position: (Int) -> OwnedPosition?,
    store: (Transaction, StoredValue, Int) throws -> Void
  ) throws

  /// Stores a link in a single cell. An unmanaged ordinary target is added first; an embedded target is made in the
  /// cell.
  func setLink(_ target: ObjectBase?, _ cell: Cell, path: () -> String)
}
