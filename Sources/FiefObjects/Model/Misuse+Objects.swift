import FiefSessions

extension Misuse {
  package static func invalidated(_ object: ObjectBase) -> Never {
    fatalError(
      "Object of class '\(type(of: object).className())' has been deleted or invalidated and cannot be used: "
        + "ask isInvalidated first.")
  }
}
