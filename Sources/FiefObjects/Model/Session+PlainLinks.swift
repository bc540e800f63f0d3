import FiefGraph
import FiefRuntime
import FiefSessions

extension Session {
  /// Stores a link to an object of this session, or null, when that needs no other change. No references are counted.
  ///
  /// - Returns: false when more is needed, or the link is invalid; nothing was changed then.
  func setPlainLink(_ target: ObjectBase?, _ cell: Cell) -> Bool {
    guard let writing else { return false }
    var link: ObjectLink?
    var isKnown = false
    if let target {
      guard let session = target.session, session.refers(to: self),
        validity.isCurrent(target.rowStamp.stamp), let table = target.binding?.with({ $0.table })
      else { return false }
      link = ObjectLink(table, target.key)
      isKnown = target.isKnown(to: self)
    }
    let isDone: Void? = writing.with { writing in
      writing.attempt(.plainLinks) { writing.setPlainLink(link, cell, isKnown: isKnown) ? () : nil }
    }
    guard isDone != nil else { return false }
    noteChanges()
    return true
  }
}
