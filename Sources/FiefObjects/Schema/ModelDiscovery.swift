import FiefRuntime

/// The model classes of a program.
package enum ModelDiscovery {
  /// Every class that derives from `ObjectBase`, in no particular order; nil where classes cannot be found.
  package static func models() -> [ObjectBase.Type]? { discovery.subclasses()?.compactMap { $0 as? ObjectBase.Type } }

  private static let discovery = ClassDiscovery(base: ObjectBase.self)
}
