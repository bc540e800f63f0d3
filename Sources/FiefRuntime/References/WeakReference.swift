/// A reference that does not keep its object alive, and leaves the object without a side table.
///
/// Swift's `weak` gives the object a side table, through which every retain and release goes from then on: some twenty
/// nanoseconds instead of five, for the rest of its life. This reference costs the object nothing, so it suits objects
/// that are retained often and looked up seldom. Where `swift_tryRetain` cannot be used it is a `weak` reference.
///
/// Why this is right: the unowned reference keeps the object's memory (not the object) as long as this value lives; the
/// runtime's `swift_tryRetain` then either retains the object or refuses because it is being destroyed, atomically. Any
/// thread may use the reference: its parts are constant, and the runtime counts references atomically.
@frozen
@usableFromInline
package enum WeakReference<Object: AnyObject>: @unchecked Sendable {
  case pinned(Pinned)
  case weak(Weak)

  /// An object's memory, and how to ask for the object.
  @safe  // The unowned reference keeps the memory at the pointer allocated.
  @frozen
  @usableFromInline
  package struct Pinned {
    @usableFromInline let pointer: UnsafeMutableRawPointer
    @usableFromInline unowned let memory: Object
    @usableFromInline let tryRetain: RuntimeFunctions.TryRetain

    @inlinable
    init(pointer: UnsafeMutableRawPointer, memory: Object, tryRetain: @escaping RuntimeFunctions.TryRetain) {
      unsafe self.pointer = pointer
      self.memory = memory
      unsafe self.tryRetain = tryRetain
    }
  }

  /// A reference of the language.
  @frozen
  @usableFromInline
  package struct Weak {
    @usableFromInline weak var object: Object?
    @usableFromInline let identity: ObjectIdentifier

    @inlinable
    init(object: Object, identity: ObjectIdentifier) {
      self.object = object
      self.identity = identity
    }
  }

  /// A reference to an object that lives.
  @inlinable
  package init(_ object: Object) {
    if let tryRetain = unsafe RuntimeFunctions.tryRetain {
      self = unsafe .pinned(
        Pinned(pointer: Unmanaged.passUnretained(object).toOpaque(), memory: object, tryRetain: tryRetain))
    } else {
      self = .weak(Weak(object: object, identity: ObjectIdentifier(object)))
    }
  }

  /// The object; nil from the moment in which its destruction begins.
  @inlinable
  package var object: Object? {
    switch self {
    case .pinned(let pinned):
      unsafe pinned.tryRetain(pinned.pointer).map { unsafe Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
    case .weak(let reference): reference.object
    }
  }

  /// Whether the reference was made of this object.
  @inlinable
  package func refers(to object: Object) -> Bool {
    switch self {
    case .pinned(let pinned): unsafe pinned.pointer == Unmanaged.passUnretained(object).toOpaque()
    case .weak(let reference): reference.identity == ObjectIdentifier(object)
    }
  }
}
