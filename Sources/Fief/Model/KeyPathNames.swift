import Synchronization

/// Turns key paths of model classes into the names of properties.
///
/// A key path says nothing of names, so it is tried out: an unmanaged object in tracing state is made, the key path is read
/// on it, and every wrapper that is passed notes its property. What was found is kept.
enum KeyPathNames {
  /// The names that a key path passes, joined by dots; nil when it passes no kept property.
  static func name<Root: ObjectBase>(of keyPath: PartialKeyPath<Root>) -> String? {
    let key = Key(keyPath: keyPath, root: ObjectIdentifier(Root.self))
    if let name = known.withLock({ $0[key] }) { return name }
    let root = Root.init()
    root.flags.insert(.tracing)
    let trace = Trace()
    let outer = current.value
    current.value = trace
    _ = root[keyPath: keyPath]
    current.value = outer
    guard !trace.names.isEmpty else { return nil }
    let name = trace.names.joined(separator: ".")
    known.withLock { $0[key] = name }
    return name
  }

  /// The same for a key path of a projection: what it passes of its root.
  static func name<View: ProjectionObservable>(of keyPath: PartialKeyPath<View>) -> String? {
    let key = Key(keyPath: keyPath, root: ObjectIdentifier(View.self))
    if let name = known.withLock({ $0[key] }) { return name }
    let root = View.Root.init()
    root.flags.insert(.tracing)
    let trace = Trace()
    let outer = current.value
    current.value = trace
    _ = View(projecting: root)[keyPath: keyPath]
    current.value = outer
    guard !trace.names.isEmpty else { return nil }
    let name = trace.names.joined(separator: ".")
    known.withLock { $0[key] = name }
    return name
  }

  /// Notes that a property was passed.
  static func note(_ name: String) {
    if let trace = current.value { unsafeDowncast(trace, to: Trace.self).names.append(name) }
  }

  private final class Trace {
    var names: [String] = []
  }

  /// Key paths are immutable; comparing and hashing them is all that is done with them here.
  private struct Key: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
    let root: ObjectIdentifier
  }

  private static let current = ThreadSlot()
  private static let known = Mutex<[Key: String]>([:])
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
