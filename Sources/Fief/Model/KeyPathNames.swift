import FiefRuntime
import Synchronization

/// Turns key paths of model classes into the names of properties.
///
/// A key path says nothing of names, so it is tried out: an unmanaged object in tracing state is made, the key path is
/// read on it, and every wrapper that is passed notes its property. Reading a property without a wrapper (`let dogs =
/// List<Dog>()`) calls nothing: it notes its name when it is asked for something, or when it is what the key path leads
/// to. What was found is kept.
enum KeyPathNames {
  /// The names that a key path passes, joined by dots; nil when it passes no kept property.
  static func name<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String? {
    name(of: keyPath, at: Root.self) { Root.tracing()[keyPath: keyPath] }
  }

  /// The same for a key path of a projection: what it passes of its root.
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
      // Key paths with subscripts (`\.dogs[number].name`) may be made without end; those still asked for come back.
      if known.count == limit { known.removeAll(keepingCapacity: true) }
      known[key] = name
    }
    return name
  }

  /// Notes that a property was passed.
  static func note(_ name: String) { trace?.names.append(name) }

  /// Notes that a property without a wrapper was passed, once for each field.
  ///
  /// - Parameters:
  ///   - field: the object that the field holds.
  ///   - owner: the object whose field it is; while a trace is under way it lives.
  static func note(_ field: AnyObject, of owner: Unmanaged<ObjectBase>, _ number: Int) {
    if meet(field) { owner._withUnsafeGuaranteedRef { $0.notePath(number) } }
  }

  /// Takes note that a field notes its name; false when it has done so before, and when no trace is under way.
  @discardableResult
  static func meet(_ field: AnyObject) -> Bool { trace?.fields.insert(ObjectIdentifier(field)).inserted ?? false }

  /// Keeps a tracing object alive until the trace is done: its fields refer to it, and do not hold it.
  fileprivate static func hold(_ object: ObjectBase) { trace?.objects.append(object) }

  /// How many key paths are kept at most.
  private static let limit = 4096

  private final class Trace {
    var names: [String] = []
    /// The fields that have noted their names.
    var fields: Set<ObjectIdentifier> = []
    var objects: [ObjectBase] = []
  }

  /// Key paths are immutable; comparing and hashing them is all that is done with them here.
  private struct Key: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
    let root: ObjectIdentifier
  }

  /// The trace of the running thread.
  private static var trace: Trace? { current.value.map { unsafeDowncast($0, to: Trace.self) } }

  private static let current = ThreadLocal()
  private static let known = Mutex<[Key: String]>([:])
}

/// What a property without a wrapper holds: it knows itself which property of a tracing object it is.
protocol TracedField {
  /// Notes that the property was passed, unless it is noted already.
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
  /// An object that notes what is read of it, for as long as the trace is under way.
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
/// Traps when the key path passes no kept property.
public func _name<T: ObjectBase>(for keyPath: PartialKeyPath<T>) -> String {
  if let name = KeyPathNames.name(of: keyPath) { return name }
  fatalError(
    "The key path \(keyPath) of '\(T.className())' passes no managed property: name one that is declared with @Persisted."
  )
}

extension ObjectBase {
  /// Notes that a property of a tracing object was read.
  final func notePath(_ index: Int) { KeyPathNames.note(layout.fields[index].name) }

  /// The value of an unmanaged property that holds none yet, or that is being traced. A default is made, and kept.
  @usableFromInline
  final func readUnset<Value: _Persistable>(_ type: Value.Type, _ index: Int) -> Value {
    if flags.contains(.tracing) { return Value._trace(self, index) }
    let wrapper = _FieldAccess.wrapper(type, address + layout.fields[index].offset)
    // Written past the getter that is running: the wrapper was loaded before, and nobody else has the object.
    if let storage = wrapper.pointee.storage { return Value._unwrap(storage) }
    let made = Value._makeDefault()
    wrapper.pointee.header.isSet = true
    Value._assign(made, to: &wrapper.pointee.storage, .passUnretained(self), index)
    return wrapper.pointee.storage.map(Value._unwrap) ?? made
  }
}
