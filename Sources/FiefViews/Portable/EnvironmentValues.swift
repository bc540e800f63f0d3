#if !(canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS))

  /// A key of a value that views inherit from the views around them.
  ///
  ///     enum AccentKey: EnvironmentKey {
  ///       static var defaultValue: String { "blue" }
  ///     }
  public protocol EnvironmentKey {
    /// The type of the value.
    associatedtype Value
    /// The value where no view sets one.
    static var defaultValue: Value { get }
  }

  /// The values that a view inherits from the views around it.
  ///
  ///     var values = EnvironmentValues.current
  ///     values.realmConfiguration = .inMemory()
  ///     values.during { show(DogsList()) }
  ///
  /// An interface library makes the values of a view current while it evaluates that view. A wrapper without a
  /// configuration of its own then opens the realm of `realmConfiguration`. It keeps this realm until the next
  /// evaluation, so what the handler of an event reads and changes through it belongs to the view.
  ///
  /// This type exists where SwiftUI does not.
  public struct EnvironmentValues {
    private var values: [ObjectIdentifier: Any] = [:]

    /// Values that are all at their defaults.
    ///
    ///     var values = EnvironmentValues()
    ///     values.realmConfiguration = .inMemory()
    public init() {}

    /// The value of a key.
    ///
    ///     extension EnvironmentValues {
    ///       var accent: String {
    ///         get { self[AccentKey.self] }
    ///         set { self[AccentKey.self] = newValue }
    ///       }
    ///     }
    ///
    /// - Parameter key: the type that identifies the value.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
      get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
      set { values[ObjectIdentifier(key)] = newValue }
    }

    /// The values of the view that is being evaluated; all defaults outside an evaluation.
    ///
    ///     let configuration = EnvironmentValues.current.realmConfiguration
    @MainActor public static var current: EnvironmentValues { evaluated ?? EnvironmentValues() }

    /// The values of the evaluation that is under way.
    @MainActor private(set) static var evaluated: EnvironmentValues?

    /// Makes these values current while a closure runs.
    ///
    ///     var values = EnvironmentValues.current
    ///     values.realmConfiguration = .inMemory()
    ///     let count = values.during { DogsList().dogs.count }
    ///
    /// - Parameter body: evaluates a view.
    /// - Returns: the result of the closure.
    /// - Throws: the error of the closure.
    @MainActor
    public func during<Result>(_ body: () throws -> Result) rethrows -> Result {
      let outer = Self.evaluated
      Self.evaluated = self
      defer { Self.evaluated = outer }
      return try body()
    }
  }

  /// Reads a value that the view inherits.
  ///
  ///     @MainActor struct AddButton {
  ///       @Environment(\.realm) var realm
  ///       func add() throws { try realm.write { realm.add(Dog()) } }
  ///     }
  @propertyWrapper
  public struct Environment<Value> {
    private let keyPath: KeyPath<EnvironmentValues, Value>

    /// Reads the value at a key path.
    ///
    ///     @Environment(\.realmConfiguration) var configuration
    ///
    /// - Parameter keyPath: a path from the values of the environment.
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

    /// The present value; the default outside an evaluation.
    @MainActor public var wrappedValue: Value { EnvironmentValues.current[keyPath: keyPath] }
  }

#endif
