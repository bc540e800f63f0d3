import FiefRuntime
import Synchronization

/// Turns key paths of model classes into the names of properties.
///
/// A key path does not expose names, so this makes an unmanaged object in the tracing state and reads the key path on
/// it. Every wrapper that the read passes records its property. Reading a property without a wrapper (`let dogs =
/// List<Dog>()`) calls no code of this library. Such a property records its name when one of its members is used, or
/// when the key path ends at it. Results are cached.
enum KeyPathNames {
  /// The names that a key path passes, joined by dots; nil when it passes no persisted property.
  static func name<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String? {
    name(of: keyPath, at: Root.self) { Root.tracing()[keyPath: keyPath] }
  }

  /// The names that a key path of a projection passes on its root, joined by dots; nil when it passes no persisted
  /// property.
  static func name<View: ProjectionObservable>(of keyPath: PartialKeyPath<View>) -> String? {
    name(of: keyPath, at: View.self) { View(projecting: View.Root.tracing())[keyPath: keyPath] }
  }

  private static func name(of keyPath: AnyKeyPath, at root: Any.Type, _ read: () -> Any) -> String? {
    let key = Key(keyPath: keyPath, root: ObjectIdentifier(root))
    if let name = known.withLock({ $0[key] }) { return name }
    let trace = Trace()
    let outer = current.value
    current.value = trace
    (flattened(read()) as? any TracedField)?.notePassed()
    current.value = outer
    guard !trace.names.isEmpty else { return nil }
    let name = trace.names.joined(separator: ".")
    known.withLock { known in
      // A program can make any number of key paths with subscripts (`\.dogs[number].name`). Key paths that are still in
      // use are added again.
      if known.count == limit { known.removeAll(keepingCapacity: true) }
      known[key] = name
    }
    return name
  }

  /// Records that a property was passed.
  static func note(_ name: String) { trace?.names.append(name) }

  /// Records that a property without a wrapper was passed, once for each field.
  ///
  /// - Parameters:
  ///   - field: the object in the field.
  ///   - owner: the object that contains the field; it lives while a trace is under way.
  static func note(_ field: AnyObject, of owner: Unmanaged<ObjectBase>, _ number: Int) {
    if meet(field) { owner._withUnsafeGuaranteedRef { $0.notePath(number) } }
  }

  /// Marks a field as recorded; false when it was marked already, and when no trace is under way.
  @discardableResult
  static func meet(_ field: AnyObject) -> Bool { trace?.fields.insert(ObjectIdentifier(field)).inserted ?? false }

  /// Retains a tracing object until the trace ends, since its fields refer to it without retaining it.
  fileprivate static func hold(_ object: ObjectBase) { trace?.objects.append(object) }

  /// The maximum number of cached key paths.
  private static let limit = 4096

  private final class Trace {
    var names: [String] = []
    /// The fields that have recorded their names.
    var fields: Set<ObjectIdentifier> = []
    var objects: [ObjectBase] = []
  }

  /// `Sendable` holds because key paths are immutable, and the key only compares and hashes them.
  private struct Key: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
    let root: ObjectIdentifier
  }

  /// The trace of the current thread.
  private static var trace: Trace? { current.value.map { unsafeDowncast($0, to: Trace.self) } }

  private static let current = ThreadLocal()
  private static let known = Mutex<[Key: String]>([:])
}

/// The content of a property without a wrapper: it stores which property of a tracing object it is.
protocol TracedField {
  /// Records that the property was passed, unless that is recorded already.
  func notePassed()
}

extension CollectionBase: TracedField {
  func notePassed() {
    if shown != nil { return refreshShown() }
    if isTracing, let owner { KeyPathNames.note(self, of: owner, number) }
  }
}

extension LinkingObjects: TracedField {
  func notePassed() { handle?.notePassed() }
}

extension ObjectBase {
  /// Makes an object that records reads until the trace ends.
  static func tracing() -> Self {
    let object = self.init()
    object.flags.insert(.tracing)
    let layout = object.layout
    for index in layout.older {
      let field = layout.fields[index]
      field.type._fieldAccess.trace(object.address + field.offset, object, index)
    }
    KeyPathNames.hold(object)
    return object
  }
}

/// The name of the property, or the path of names, that a key path stands for.
///
///     _name(for: \Person.dog?.name)   // "dog.name"
///
/// Traps when the key path passes no persisted property.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String {
  if let name = KeyPathNames.name(of: keyPath) { return name }
  fatalError(
    "The key path \(keyPath) of '\(T.className())' passes no managed property: name one that is declared with @Persisted."
  )
}

extension ObjectBase {
  /// Records that a property of a tracing object was read.
  final func notePath(_ index: Int) { KeyPathNames.note(layout.fields[index].name) }

  /// The value of an unmanaged property that is unset or traced. An unset property gets its default, which stays in the
  /// wrapper.
  @usableFromInline
  final func readUnset<Value: _Persistable>(_ type: Value.Type, _ index: Int) -> Value {
    if flags.contains(.tracing) { return Value._trace(self, index) }
    let wrapper = _FieldAccess.wrapper(type, address + layout.fields[index].offset)
    // Written through the address while the getter runs: the getter has already loaded the wrapper, and no other code
    // has access to the object.
    if let storage = wrapper.pointee.storage { return Value._unwrap(storage) }
    let made = Value._makeDefault()
    wrapper.pointee.header.isSet = true
    Value._assign(made, to: &wrapper.pointee.storage, .passUnretained(self), index)
    return wrapper.pointee.storage.map(Value._unwrap) ?? made
  }
}
