import FiefRuntime

/// Which classes override `isEqual(_:)` or `hash`, found without calling them.
package enum EqualityOverrides {
  /// Whether a class has another `isEqual(_:)` or `hash` than `ObjectBase`. True where that cannot be found out.
  package static func exist(in type: ObjectBase.Type) -> Bool { methods.exist(in: type) }

  /// The two methods.
  package static let methods = MethodOverrides(
    base: ObjectBase.self, plain: PlainSubclass.self, overriding: ComparingSubclass.self, count: 2)

  private class PlainSubclass: ObjectBase {
    override class func _realmIgnoreClass() -> Bool { true }
  }

  private final class ComparingSubclass: ObjectBase {
    override class func _realmIgnoreClass() -> Bool { true }
    override func isEqual(_ object: Any?) -> Bool { false }
    override var hash: Int { 0 }
  }
}
