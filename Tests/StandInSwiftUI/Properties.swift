// The names are those of Apple's modules, which document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Combine

/// A property that views read while they are evaluated.
public protocol DynamicProperty {
  mutating func update()
}

extension DynamicProperty {
  public mutating func update() {}
}

@propertyWrapper
public struct State<Value>: DynamicProperty, Installed {
  final class Cell {
    var value: Value
    var changed: (() -> Void)?
    init(_ value: Value) { self.value = value }
  }
  private final class Place { var cell: Cell? }

  private let initial: Value
  private let place = Place()

  public init(wrappedValue value: Value) { initial = value }
  public init(initialValue value: Value) { initial = value }

  private var cell: Cell {
    if let cell = place.cell { return cell }
    let cell = Cell(initial)
    place.cell = cell
    return cell
  }

  public var wrappedValue: Value {
    get { cell.value }
    nonmutating set {
      cell.value = newValue
      cell.changed?()
    }
  }

  public var projectedValue: Binding<Value> {
    nonisolated(unsafe) let state = self
    return Binding(get: { state.wrappedValue }, set: { state.wrappedValue = $0 })
  }

  func install(_ scope: _Scope) {
    let cell = scope.host.keep(scope.path) { Cell(initial) }
    cell.changed = { [weak host = scope.host] in MainActor.assumeIsolated { host?.outdate() } }
    place.cell = cell
  }
}

extension State where Value: ExpressibleByNilLiteral {
  public init() { self.init(wrappedValue: nil) }
}

@propertyWrapper
@dynamicMemberLookup
public struct Binding<Value>: DynamicProperty {
  private let read: @Sendable () -> Value
  private let write: @Sendable (Value) -> Void

  @preconcurrency
  public init(get: @escaping @Sendable () -> Value, set: @escaping @Sendable (Value) -> Void) {
    read = get
    write = set
  }

  public init(projectedValue: Binding<Value>) { self = projectedValue }

  public static func constant(_ value: Value) -> Binding<Value> {
    nonisolated(unsafe) let value = value
    return Binding(get: { value }, set: { _ in })
  }

  public var wrappedValue: Value {
    get { read() }
    nonmutating set { write(newValue) }
  }

  public var projectedValue: Binding<Value> { self }

  public subscript<Subject>(dynamicMember keyPath: WritableKeyPath<Value, Subject>) -> Binding<Subject> {
    nonisolated(unsafe) let keyPath = keyPath
    nonisolated(unsafe) let base = self
    return Binding<Subject>(
      get: { base.wrappedValue[keyPath: keyPath] }, set: { base.wrappedValue[keyPath: keyPath] = $0 })
  }
}

extension Binding: @unchecked Sendable where Value: Sendable {}

@propertyWrapper
public struct ObservedObject<ObjectType: ObservableObject>: DynamicProperty, Installed {
  private let object: ObjectType

  public init(wrappedValue: ObjectType) { object = wrappedValue }

  @MainActor public var wrappedValue: ObjectType { object }

  func install(_ scope: _Scope) { scope.host.observe(wrappedValue) }
}

@propertyWrapper
public struct StateObject<ObjectType: ObservableObject>: DynamicProperty, Installed {
  private final class Place { var object: ObjectType? }

  private let make: () -> ObjectType
  private let place = Place()

  public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) { make = thunk }

  @MainActor public var wrappedValue: ObjectType {
    if let object = place.object { return object }
    let object = make()
    place.object = object
    return object
  }

  func install(_ scope: _Scope) {
    place.object = scope.host.keep(scope.path) { wrappedValue }
    scope.host.observe(wrappedValue)
  }
}

public protocol EnvironmentKey {
  associatedtype Value
  static var defaultValue: Value { get }
}

public struct EnvironmentValues {
  private var values: [ObjectIdentifier: Any] = [:]

  public init() {}

  public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
    get { values[ObjectIdentifier(key)] as? Key.Value ?? Key.defaultValue }
    set { values[ObjectIdentifier(key)] = newValue }
  }
}

@propertyWrapper
public struct Environment<Value>: DynamicProperty, Installed {
  private final class Place { var values = EnvironmentValues() }

  private let keyPath: KeyPath<EnvironmentValues, Value>
  private let place = Place()

  public init(_ keyPath: KeyPath<EnvironmentValues, Value>) { self.keyPath = keyPath }

  public var wrappedValue: Value { place.values[keyPath: keyPath] }

  func install(_ scope: _Scope) { place.values = scope.environment }
}

extension View {
  public func environment<Value>(_ keyPath: WritableKeyPath<EnvironmentValues, Value>, _ value: Value) -> some View {
    InEnvironment(content: self) { $0[keyPath: keyPath] = value }
  }
}
