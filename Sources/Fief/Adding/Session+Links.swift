import FiefGraph
import FiefSessions

extension Session {
  /// Stores a link in a single cell. An unmanaged ordinary target is added first; an embedded target is made in the
  /// cell.
  func setLink(_ target: ObjectBase?, _ cell: Cell, path: () -> String) {
    perform { transaction in
      guard let target else { return try transaction.set(.null, cell) }
      if let link = target.link, target.retainedSession === self {
        if target.isOwned {
          // Assigning the embedded object that is already there is permitted. Any other one has an owner.
          if transaction.value(cell) == .link(link) { return }
          throw Realm.Error(
            .invalidValue,
            "The embedded object assigned to '\(path())' is managed already, by its owner: copy it with "
              + "'\(type(of: target).className())(value:)'.")
        }
        // The transaction checks whether the row exists, so a check through the accessor would look it up twice.
        if validity.isCurrent(target.rowStamp.stamp) {
          do { return try transaction.set(.link(link), cell) } catch  where target.hasRow { throw error } catch {}
        }
      }
      try Adder(self, transaction, .error).insert([.object(target)], into: cell, spot: { _ in .value }) {
        transaction, value, _ in
        try transaction.set(value, cell)
      }
    }
  }
}
