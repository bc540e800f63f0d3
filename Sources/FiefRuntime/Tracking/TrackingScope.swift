/// The innermost `withObservationTracking` whose closure is running on a thread.
///
///     thread ─▶ word ─▶ access list ─▶ dictionary of registrars
///               │ 0 outside of scopes  │ 0 before the first access
///
/// The library keeps the word in a thread-local variable, and offers no question that has it for an answer. Without the
/// word, every read of a property would have to call a registrar, although hardly ever anything is tracked.
///
/// A value is the word of a moment. It names a scope only while that scope runs: later ones may have equal words.
@frozen
@usableFromInline
package struct TrackingScope: Equatable, Sendable {
  @usableFromInline let word: UInt

  @inlinable
  @inline(__always)
  init(word: UInt) { self.word = word }

  /// No scope runs.
  @inlinable
  package static var none: TrackingScope { TrackingScope(word: 0) }

  /// A scope may run, on a system where its word is unknown.
  @inlinable
  package static var unknown: TrackingScope { TrackingScope(word: .max) }

  /// Whether no scope runs.
  @inlinable
  @inline(__always)
  package var isNone: Bool { word == 0 }

  /// The address of the dictionary in the access list; 0 before the first access. For a known scope that runs.
  ///
  /// Why this is safe: the word is the address of a variable of a function that returns when the scope has run.
  @inlinable
  @inline(__always)
  package var accesses: UInt { unsafe UnsafePointer<UInt>(bitPattern: word)?.pointee ?? 0 }

  /// Whether the words of scopes can be found.
  package static var isKnown: Bool { place != nil }

  /// The calling thread's scope: `none` outside of scopes, and `unknown` where words are.
  package static var current: TrackingScope {
    place.map { TrackingScope(word: $0.value) } ?? .unknown
  }

  /// Where each thread has its word; nil where that is unknown.
  static let place: ThreadLocalPlace? =
    RuntimeFeature.trackingScopes.isSwitchedOff ? nil : TrackingScopeProbe.find()

  /// A way to the word of the running thread.
  @frozen
  @usableFromInline
  package enum Finder {
    /// The word of one thread, where it always is.
    case thread(ThreadWord)
    /// The word of the thread that asks.
    case place(ThreadLocalPlace)

    /// The way for code that always runs on the calling thread.
    package static var ofThisThread: Finder { .thread(TrackingScope.place?.word ?? .unknown) }

    /// The way for code that may run on any thread.
    package static var ofAnyThread: Finder { TrackingScope.place.map { .place($0) } ?? .thread(.unknown) }

    /// The way for code that no scope concerns.
    package static var nothing: Finder { .thread(.none) }

    /// The scope of the running thread.
    @inlinable
    @inline(__always)
    package var scope: TrackingScope {
      switch self {
      case .thread(let word): TrackingScope(word: word.value)
      case .place(let place): TrackingScope(word: place.value)
      }
    }
  }

  /// A thread's word.
  ///
  /// Why this is safe: the address is that of a thread-local variable, and only the thread itself asks, while it lives;
  /// or that of a constant.
  @safe
  @frozen
  @usableFromInline
  package struct ThreadWord: @unchecked Sendable {
    @usableFromInline let address: UnsafePointer<UInt>

    init(_ address: UnsafePointer<UInt>) { unsafe self.address = address }

    private init(_ value: UInt) {
      let address = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
      unsafe address.initialize(to: value)
      unsafe self.address = unsafe UnsafePointer(address)
    }

    static let none = ThreadWord(0)
    static let unknown = ThreadWord(.max)

    @inlinable
    @inline(__always)
    var value: UInt { unsafe address.pointee }
  }

  /// Keeps the address of a dictionary of accesses from being used again, without keeping the dictionary.
  package struct Kept {
    private unowned let dictionary: AnyObject

    /// The dictionary of a known scope that runs; nil before the first access.
    package init?(_ scope: TrackingScope) {
      guard let address = unsafe UnsafeRawPointer(bitPattern: scope.accesses) else { return nil }
      // A native dictionary is one reference to an object of the language. The probe has found an object there.
      dictionary = unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    }
  }
}

extension ThreadLocalPlace {
  /// The word of the calling thread.
  fileprivate var word: TrackingScope.ThreadWord? { unsafe address.map { unsafe TrackingScope.ThreadWord($0) } }
}
