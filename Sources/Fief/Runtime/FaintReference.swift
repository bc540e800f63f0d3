/// A reference that does not keep its object alive, and costs the object nothing.
///
/// Swift's `weak` gives the object a side table, through which every retain and release goes from then on: some twenty
/// nanoseconds instead of five, for as long as it lives. Sessions and stores are retained by every accessor, and are
/// looked up seldom, so they are referenced like this instead. Where the runtime's function cannot be found (programs
/// that contain the runtime and do not export it) it is a weak reference after all: slower, and as right.
///
/// Why this is right: the unowned reference keeps the object's memory (not the object) until this value goes; the
/// runtime's `swift_tryRetain` then either retains the object or says that it is being destroyed, atomically.
enum FaintReference<Object: AnyObject>: @unchecked Sendable {
  case pinned(Pinned)
  case weak(Weak)

  /// An object's memory, and how to ask for the object.
  struct Pinned {
    let pointer: UnsafeMutableRawPointer
    unowned let memory: Object
    let tryRetain: TryRetain
  }

  struct Weak {
    weak var object: Object?
    let identity: ObjectIdentifier
  }

  init(_ object: Object) {
    if let tryRetain = Self.tryRetain {
      self = .pinned(
        Pinned(
          pointer: Unmanaged.passUnretained(object).toOpaque(), memory: object, tryRetain: tryRetain))
    } else {
      self = .weak(Weak(object: object, identity: ObjectIdentifier(object)))
    }
  }

  /// The object, unless it is gone or going.
  var object: Object? {
    switch self {
    case .pinned(let pinned):
      pinned.tryRetain(pinned.pointer).map { Unmanaged<Object>.fromOpaque($0).takeRetainedValue() }
    case .weak(let reference): reference.object
    }
  }

  /// Whether the reference was made of this very object.
  func refers(to object: Object) -> Bool {
    switch self {
    case .pinned(let pinned): pinned.pointer == Unmanaged.passUnretained(object).toOpaque()
    case .weak(let reference): reference.identity == ObjectIdentifier(object)
    }
  }

  typealias TryRetain = @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?

  private static var tryRetain: TryRetain? { RuntimeFunctions.tryRetain }
}
