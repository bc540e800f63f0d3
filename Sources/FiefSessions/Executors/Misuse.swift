import Foundation

/// Traps for programming errors. Each message is one sentence that states the mistake and its remedy.
@usableFromInline
package enum Misuse {
  static func wrongThread(_ confinement: Confinement) -> Never {
    fatalError(
      "Realm accessed from incorrect thread: it belongs to \(confinement.label) and was used on "
        + "\(Confinement.threadName); open it where it is used, or hand objects over frozen or by ThreadSafeReference.")
  }

  @usableFromInline
  package static func notInWrite(_ what: String) -> Never {
    fatalError("\(what) outside of a write transaction: call it inside realm.write { }.")
  }

  @usableFromInline
  package static func frozen(_ what: String) -> Never {
    fatalError("\(what) while frozen: thaw the realm, object or collection first, because a frozen one is immutable.")
  }

  @usableFromInline
  package static func unmanaged(_ what: String) -> Never {
    fatalError("\(what) is only available for managed objects and collections: add the object to a realm first.")
  }
}
