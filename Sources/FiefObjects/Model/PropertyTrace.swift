import FiefCopying
import FiefRuntime

/// Records the properties that code passes when it reads a tracing object.
///
/// Every wrapper that the read passes records its property. Reading a property without a wrapper (`let dogs =
/// List<Dog>()`) calls no code of this library. Such a property records its name when one of its members is used, or
/// when the read ends at it.
enum PropertyTrace {
  /// The names of the properties that `read` passes, in their order. A trace inside of it is separate.
  static func names(readBy read: () -> Any) -> [String] {
    let trace = Trace()
    let outer = current.value
    current.value = trace
    defer { current.value = outer }
    (flattened(read()) as? any TracedField)?.notePassed()
    return trace.names
  }

  /// Records that a property was passed.
  static func note(_ name: String) { trace?.names.append(name) }

  /// Records that a property without a wrapper was passed, once for each field.
  ///
  /// - Parameters:
  ///   - field: the object in the field.
  ///   - owner: the object that contains the field; it lives while a trace is under way.
  static func note(_ field: AnyObject, of owner: Borrowed<ObjectBase>, _ number: Int) {
    if insert(field) { owner.with { $0.notePath(number) } }
  }

  /// Marks a field as recorded; false when it was marked already, and when no trace is under way.
  @discardableResult
  static func insert(_ field: AnyObject) -> Bool { trace?.fields.insert(ObjectIdentifier(field)).inserted ?? false }

  /// Retains a tracing object until the trace ends, since its fields refer to it without retaining it.
  fileprivate static func retain(_ object: ObjectBase) { trace?.objects.append(object) }

  private final class Trace {
    var names: [String] = []
    /// The fields that have recorded their names.
    var fields: Set<ObjectIdentifier> = []
    var objects: [ObjectBase] = []
  }

  private static var trace: Trace? { current.value.map { unsafe unsafeDowncast($0, to: Trace.self) } }

  private static let current = ThreadLocal()
}

/// The content of a property without a wrapper: it stores which property of a tracing object it is.
protocol TracedField {
  /// Records that the property was passed, unless that is recorded already.
  func notePassed()
}

extension ObjectBase: _ObjectRepresentable {
  /// The object itself.
  public var _object: ObjectBase { self }

  /// Makes an object that records reads until the trace ends.
  public static func _tracing() -> Self {
    let object = self.init()
    object.flags.insert(.tracing)
    let layout = object.layout
    for index in layout.legacy {
      let field = layout.fields[index]
      unsafe field.type.attach(object.address + field.offset, to: object, index)
    }
    PropertyTrace.retain(object)
    return object
  }
}

extension ObjectBase {
  /// Records that a property of a tracing object was read.
  final func notePath(_ index: Int) { PropertyTrace.note(layout.fields[index].name) }

  /// Records that a property of a tracing object was read, and returns a stand-in for its value.
  final func trace<Value: _Persistable>(_ type: Value.Type, _ index: Int) -> Value {
    notePath(index)
    guard let value = Value._standIn() else { hasNoDefault(type) }
    return value
  }

  /// The value of an unmanaged property that is unset or traced. An unset property gets its default, which stays in the
  /// wrapper.
  @usableFromInline
  final func readUnset<Value: _Persistable>(_ type: Value.Type, _ index: Int) -> Value {
    if flags.contains(.tracing) { return trace(type, index) }
    // Written through the address while the getter runs: the getter has already loaded the wrapper, and no other code
    // has access to the object.
    return unsafe Persisted<Value>.unmanaged(at: address + layout.fields[index].offset)
  }
}
