#if !(canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS))
  public import Observation

  /// The content of a wrapper: an object, a collection, or the results of a query. Its identity distinguishes wrappers.
  public class ViewSource: Observable, Hashable {
    /// The interface library that shows the views; not retained.
    ///
    ///     let screen = Screen()
    ///     ViewSource.host = screen
    @MainActor public static weak var host: (any ViewHost)?

    private let registrar = ObservationRegistrar()

    init() {}

    /// Records that a view takes the value.
    @MainActor final func noteRead() {
      registrar.access(self, keyPath: \.self)
      Self.host?.read(self)
    }

    /// Requests that the views which took the value are evaluated again.
    @MainActor final func announce() {
      registrar.withMutation(of: self, keyPath: \.self) {}
      Self.host?.willChange(self)
    }

    /// Whether both are the source of one wrapper.
    nonisolated public static func == (a: ViewSource, b: ViewSource) -> Bool { a === b }

    /// Hashes the identity.
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

#else
  public import SwiftUI

  /// The content of a wrapper, as the object that SwiftUI observes.
  public class ViewSource: ObservableObject {
    /// Publishes before the value becomes another.
    public let objectWillChange = ObservableObjectPublisher()

    init() {}

    /// SwiftUI knows by itself which view takes the value.
    @MainActor final func noteRead() {}

    /// Requests that the views which took the value are evaluated again.
    @MainActor final func announce() { objectWillChange.send() }
  }
#endif
