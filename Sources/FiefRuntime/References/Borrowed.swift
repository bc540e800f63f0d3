/// A reference to an object that is not counted, because something else retains the object for as long as this is used.
///
/// The place that makes one says what retains the object. Making it is the unsafe step; using it is not. The object
/// must not leave `with`: `counted` is the reference that may. A borrowed reference is one word.
///
/// A build with `FIEF_CHECKED_BORROWING` defined keeps an `unowned` reference instead, so that a use after the release
/// of the object traps.
@frozen
@usableFromInline
@safe
package struct Borrowed<Object: AnyObject>: @unchecked Sendable {
  // Sendable like a key: a word that any thread may pass on. The holder of the object decides who may use it.
  #if FIEF_CHECKED_BORROWING
    @usableFromInline unowned let object: Object
  #else
    @usableFromInline let reference: Unmanaged<Object>
  #endif

  /// - Parameter object: an object that something else retains as long as this is used.
  @unsafe
  @inlinable
  @inline(__always)
  package init(_ object: Object) {
    #if FIEF_CHECKED_BORROWING
      self.object = object
    #else
      unsafe reference = .passUnretained(object)
    #endif
  }

  /// - Parameter address: the address of an object of the type, which the structure that contains the address retains.
  @unsafe
  @inlinable
  @inline(__always)
  package init(at address: UnsafeRawPointer) {
    let found = unsafe Unmanaged<Object>.fromOpaque(address)
    #if FIEF_CHECKED_BORROWING
      object = unsafe found.takeUnretainedValue()
    #else
      unsafe reference = found
    #endif
  }

  /// Calls `body` with the object, which must not outlive the call.
  @inlinable
  @inline(__always)
  package func with<Result>(_ body: (Object) throws -> Result) rethrows -> Result {
    #if FIEF_CHECKED_BORROWING
      try body(object)
    #else
      try unsafe reference._withUnsafeGuaranteedRef(body)
    #endif
  }

  /// The object with a reference of its own, for uses that may outlive its holder.
  @inlinable
  @inline(__always)
  package var counted: Object {
    #if FIEF_CHECKED_BORROWING
      object
    #else
      unsafe reference.takeUnretainedValue()
    #endif
  }

  /// The reference as one to another class, which the object must have.
  @unsafe
  @inlinable
  @inline(__always)
  package func cast<Other: AnyObject>(to type: Other.Type) -> Borrowed<Other> {
    with { unsafe Borrowed<Other>(unsafeDowncast($0, to: type)) }
  }

  /// Whether it refers to an object.
  @inlinable
  @inline(__always)
  package func refers(to other: Object) -> Bool { with { $0 === other } }
}

extension Borrowed: Equatable {
  @inlinable
  @inline(__always)
  package static func == (a: Borrowed, b: Borrowed) -> Bool { a.with { a in b.with { b in a === b } } }
}
