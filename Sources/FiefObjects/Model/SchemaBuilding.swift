import FiefRuntime

/// The classes that are being described on a thread at this moment.
///
/// Describing a class creates an instance, and so runs an initializer of the application. An initializer that needs the
/// description of its own class would recurse without end. One that opens a realm could wait for itself. Both trap
/// instead.
package enum SchemaBuilding {
  private final class Described {
    var types: [ObjectBase.Type] = []
  }

  private static let slot = ThreadLocal()

  static func describing<Result>(_ type: ObjectBase.Type, _ body: () -> Result) -> Result {
    let described: Described
    if let present = slot.value {
      described = unsafe unsafeDowncast(present, to: Described.self)
    } else {
      described = Described()
      slot.value = described
    }
    if described.types.contains(where: { $0 == type }) {
      fatalError(
        "The initialiser of class '\(type.className())' uses its own properties by name while they are being found "
          + "out: set them directly.")
    }
    described.types.append(type)
    defer { described.types.removeLast() }
    return body()
  }

  /// Traps when a class is being described on this thread.
  package static func refuseOpening() {
    guard let described = slot.value.map({ unsafe unsafeDowncast($0, to: Described.self) }),
      let type = described.types.last
    else {
      return
    }
    fatalError(
      "The initialiser of class '\(type.className())' opens a realm while the schema is being built: open it outside "
        + "of init()."
    )
  }
}
