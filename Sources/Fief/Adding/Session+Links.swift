import FiefGraph

extension Session {
  /// Stores a link to an object of this session, or none, where that takes nothing but storing. References are not
  /// counted on this way.
  ///
  /// - Returns: false when it takes more, or something is wrong; nothing has happened then.
  func setPlainLink(_ target: ObjectBase?, _ cell: Cell) -> Bool {
    guard let writing else { return false }
    var link: ObjectLink?
    var isKnown = false
    if let target {
      guard let session = target.session, session.toOpaque() == Unmanaged.passUnretained(self).toOpaque(),
        isCurrent(target.stamp), let table = target.binding?._withUnsafeGuaranteedRef({ $0.table })
      else { return false }
      link = ObjectLink(table, target.key)
      isKnown = target.isKnown(to: self)
    }
    guard writing._withUnsafeGuaranteedRef({ $0.setPlainLink(link, cell, isKnown: isKnown) }) else { return false }
    touch()
    return true
  }

  /// Stores a link in a single cell. An unmanaged ordinary target is added first; an embedded one is made there.
  func setLink(_ target: ObjectBase?, _ cell: Cell, path: () -> String) {
    perform { transaction in
      guard let target else { return try transaction.set(.null, cell) }
      if let link = target.link, target.heldSession === self {
        if target is EmbeddedObject {
          // The very object that is there already may be assigned; no other, as it has an owner.
          if transaction.value(cell) == .link(link) { return }
          throw Realm.Error(
            .invalidValue,
            "The embedded object assigned to '\(path())' is managed already, by its owner: copy it with "
              + "'\(type(of: target).className())(value:)'.")
        }
        // Whether the row is there is seen by the transaction anyway; an accessor that asked first would look for it
        // twice.
        if isCurrent(target.stamp) {
          do { return try transaction.set(.link(link), cell) } catch  where target.hasRow { throw error } catch {}
        }
      }
      var adder = Adder(self, transaction, .error)
      try adder.bring([.object(target)], to: cell, spot: { _ in .value }) { transaction, value, _ in
        try transaction.set(value, cell)
      }
    }
  }
}
