import FiefRuntime

/// Which classes are being described on a thread at this moment.
///
/// Describing a class makes an instance of it, and so runs the application's initialiser. One that asks for the
/// description of its own class, or opens a realm, would go round for ever, or wait for itself; it hears of it instead.
enum SchemaBuilding {
  private final class Described {
    var types: [ObjectBase.Type] = []
  }

  private static let slot = ThreadLocal()

  static func describing<Result>(_ type: ObjectBase.Type, _ body: () -> Result) -> Result {
    let described: Described
    if let present = slot.value {
      described = unsafeDowncast(present, to: Described.self)
    } else {
      described = Described()
      slot.value = described
    }
    if described.types.contains(where: { $0 == type }) {
      fatalError(
        "The initialiser of class '\(type.className())' uses its own properties by name while they are being found out: "
          + "set them directly.")
    }
    described.types.append(type)
    defer { described.types.removeLast() }
    return body()
  }

  /// Traps when a class is being described on this thread.
  static func refuseOpening() {
    guard let described = slot.value.map({ unsafeDowncast($0, to: Described.self) }), let type = described.types.last
    else {
      return
    }
    fatalError(
      "The initialiser of class '\(type.className())' opens a realm while the schema is being built: open it outside of init()."
    )
  }
}
