import FiefRuntime

extension Session {
  /// A frozen session of an empty store. Values that consist of a session and a place in it can refer to it while they
  /// belong to no session; nothing is read there.
  package static var placeholder: Session { empty.value }

  private static let empty: UncheckedBox<Session> = {
    do {
      let store = try Store(.memory("placeholder"), StoreOptions()) { _ in PreparedStore(NoClasses(), changed: nil) }
      return UncheckedBox(Session(store, .frozen, options: NoOptions(), frozenAt: .empty))
    } catch { fatalError("An empty store in memory cannot be made: \(error).") }
  }()

  private final class NoClasses: StoreClient {
    func explain(_ error: any Error) -> any Error { error }
  }

  private final class NoOptions: SessionOptions {
    var isReadOnly: Bool { true }
    let outbox = OutboxLine(name: "", limit: 0, handler: nil)
  }
}
