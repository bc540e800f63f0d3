#if !(canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS))

  /// The part of SwiftUI's protocol that the wrappers declare.
  protocol DynamicProperty {}

  /// Holds the source of a wrapper that is given its value.
  @propertyWrapper
  struct ObservedObject<Source: ViewSource> {
    let wrappedValue: Source
  }

  /// Holds the source of a wrapper that makes its own value, when it is first used.
  @propertyWrapper
  struct StateObject<Source: ViewSource> {
    private final class Made {
      let make: () -> Source
      lazy var source = make()

      init(_ make: @escaping () -> Source) { self.make = make }
    }

    private let made: Made

    init(wrappedValue make: @autoclosure @escaping () -> Source) { made = Made(make) }

    @MainActor var wrappedValue: Source { made.source }
  }

#endif
