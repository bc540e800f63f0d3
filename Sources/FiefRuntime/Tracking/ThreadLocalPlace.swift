import Foundation

/// A word among the thread-local variables of a module, which every thread has elsewhere.
///
/// Why this is right: `__tls_get_addr` takes the number of a module and an offset, and returns the address of the
/// calling thread's copy; it makes the copy first if necessary. The number comes from the dynamic linker, and the
/// offset lies within the size that the module's headers state (ELF Handling For Thread-Local Storage, section 3).
@safe
@frozen
@usableFromInline
package struct ThreadLocalPlace: @unchecked Sendable {
  /// The argument of `__tls_get_addr`.
  @frozen
  @usableFromInline
  struct Index {
    @usableFromInline let module: UInt
    @usableFromInline let offset: UInt
  }

  @usableFromInline typealias Finder = @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer?

  @usableFromInline let index: UnsafePointer<Index>
  @usableFromInline let finder: Finder

  /// A word of a module. It is made a few times in the life of a process, and never freed.
  init(module: UInt, offset: UInt, _ finder: Finder) {
    let index = UnsafeMutablePointer<Index>.allocate(capacity: 1)
    unsafe index.initialize(to: Index(module: module, offset: offset))
    unsafe self.index = unsafe UnsafePointer(index)
    unsafe self.finder = unsafe finder
  }

  /// `__tls_get_addr`; nil where it does not exist.
  static var finder: Finder? {
    #if os(Linux) && (arch(x86_64) || arch(arm64))
      unsafe RuntimeFunctions.find("__tls_get_addr").map { unsafe unsafeBitCast($0, to: Finder.self) }
    #else
      nil
    #endif
  }

  /// A place where each thread has the word of `TrackingScope.unknown`: a constant instead of a thread-local variable.
  static let ofUnknownScopes: ThreadLocalPlace = {
    let word = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
    unsafe word.initialize(to: TrackingScope.unknown.word)
    // The number of the module is the address of the word, which the function returns.
    return unsafe ThreadLocalPlace(module: UInt(bitPattern: word), offset: 0) { index in
      unsafe UnsafeRawPointer(bitPattern: index.assumingMemoryBound(to: UInt.self).pointee)
    }
  }()

  /// The address of the calling thread's word.
  @inlinable
  @inline(__always)
  package var address: UnsafePointer<UInt>? { unsafe finder(index)?.assumingMemoryBound(to: UInt.self) }

  /// The value of the calling thread's word.
  @inlinable
  @inline(__always)
  var value: UInt { unsafe address.unsafelyUnwrapped.pointee }
}
