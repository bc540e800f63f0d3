public import Synchronization

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
  @inlinable package static var none: TrackingScope { TrackingScope(word: 0) }

  /// A scope may run, on a system where its word is unknown.
  @inlinable package static var unknown: TrackingScope { TrackingScope(word: .max) }

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
  package static var current: TrackingScope { place.map { TrackingScope(word: $0.value) } ?? .unknown }

  /// The place of each thread's word; nil where that is unknown.
  static let place: ThreadLocalPlace? = RuntimeFeature.trackingScopes.isSwitchedOff ? nil : TrackingScopeProbe.find()

  /// A way to the word of the running thread.
  @frozen
  @usableFromInline
  package struct Finder: ~Copyable, Sendable {
    /// The address of the word of the one thread that asks; 0 when any thread may ask.
    ///
    /// Why this is safe: it is the address of a thread-local variable, and only the thread itself asks, while it
    /// lives; or that of a constant.
    @usableFromInline let word: Atomic<UInt>
    /// The place of the current thread's word. Where that is unknown, each thread has the word of `unknown` there.
    @usableFromInline let place: ThreadLocalPlace

    private init(_ word: UInt) {
      self.word = Atomic(word)
      place = TrackingScope.place ?? .ofUnknownScopes
    }

    /// The way for code that always runs on the calling thread.
    package static var ofThisThread: Finder { unsafe Finder(UInt(bitPattern: TrackingScope.place?.address)) }

    /// The way for code that may run on any thread.
    package static var ofAnyThread: Finder { Finder(0) }

    /// The way for code that no scope concerns.
    package static var nothing: Finder { Finder(noWord) }

    /// Lets any thread ask from now on. The last thread that asked does so no more.
    package func openToAnyThread() { word.store(0, ordering: .relaxed) }

    /// The scope of the running thread.
    @inlinable
    @inline(__always)
    package var scope: TrackingScope {
      if let own = unsafe UnsafePointer<UInt>(bitPattern: word.load(ordering: .relaxed)) {
        return unsafe TrackingScope(word: own.pointee)
      }
      return TrackingScope(word: place.value)
    }

    /// The address of the word of a thread without scopes, for ever.
    private static let noWord: UInt = {
      let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
      unsafe word.initialize(to: 0)
      return UInt(bitPattern: word)
    }()
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
