import Dispatch
import Foundation
import Synchronization

/// Gives free memory back to the system after much of it was released: by a large delete, a rollback, the end of a
/// version, the release of many objects.
///
/// glibc gives back by itself what is free at the end of its heap. One small object that lives there keeps all that is
/// free before it, and this stays resident until `malloc_trim` is called. Other systems have heaps that need no call.
/// What is free at the end of the heap of another thread than the main one stays below glibc's own limit, which is
/// 128 KB, and up to 64 MB in a program that has released large blocks.
///
///     held     an estimate of the pages in use, which clusters and objects count as they come and go
///     peak     the most that was held since the last trim
///
///     held falls below the peak by 16 MB and by a quarter ──▶ a second later, is it still so? ──▶ trim, peak = held
///
/// A trim walks all that is free, and holds the heap's locks meanwhile. So it runs on a background queue, and a second
/// later, when the work that released the memory is over. As the fall is in proportion to the peak, each trim has as
/// much work behind it that made and released what it gives back. After a trim that took long, because the application
/// has a large heap, the next one waits a hundred times as long.
@usableFromInline
package final class HeapTrimming: Sendable {
  /// That of the process.
  @usableFromInline package static let shared = HeapTrimming { delay, work in
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(delay), execute: work)
  } trim: {
    #if canImport(Glibc)
      _ = mallocTrim?(0)
    #endif
  }

  /// The least number of pages, of 4 KB, that is given back.
  package static let least = 4096

  private let held = Atomic<Int>(0)
  private let peak = Atomic<Int>(0)
  private let isPlanned = Atomic<Bool>(false)
  /// The milliseconds from a large release to the look whether a trim is due.
  private let delay = Atomic<Int>(1000)
  private let later: Later
  private let trim: @Sendable () -> Void

  /// Runs work in the background when some milliseconds have passed.
  package typealias Later = @Sendable (_ delay: Int, _ work: @escaping @Sendable () -> Void) -> Void

  /// - Parameter trim: gives free memory back.
  package init(later: @escaping Later, trim: @escaping @Sendable () -> Void) {
    self.later = later
    self.trim = trim
  }

  /// Counts pages that come into use. Any thread may call it.
  @usableFromInline
  package func add(_ pages: Int) {
    let held = self.held.add(pages, ordering: .relaxed).newValue
    if held > peak.load(ordering: .relaxed) { peak.max(held, ordering: .relaxed) }
  }

  /// Counts pages that were released. Any thread may call it.
  @usableFromInline
  package func remove(_ pages: Int) {
    let held = self.held.subtract(pages, ordering: .relaxed).newValue
    guard isDue(held), !isPlanned.exchange(true, ordering: .relaxed) else { return }
    later(delay.load(ordering: .relaxed)) { self.trimIfDue() }
  }

  @inline(__always)
  private func isDue(_ held: Int) -> Bool {
    let peak = self.peak.load(ordering: .relaxed)
    return peak - held >= Self.least && peak - held >= peak / 4
  }

  private func trimIfDue() {
    isPlanned.store(false, ordering: .relaxed)
    let held = self.held.load(ordering: .relaxed)
    // What was released may be in use again.
    guard isDue(held) else { return }
    peak.store(held, ordering: .relaxed)
    let start = ContinuousClock.now
    trim()
    delay.store(max(1000, 100 * Int((ContinuousClock.now - start) / .milliseconds(1))), ordering: .relaxed)
  }

  #if canImport(Glibc)
    /// `malloc_trim(3)`, which glibc has but does not export to Swift; nil in programs that are linked without it. The
    /// cast is right because the manual gives the function this type: int (size_t).
    private static let mallocTrim: (@convention(c) (UInt) -> Int32)? = unsafe dlsym(nil, "malloc_trim").map {
      unsafe unsafeBitCast($0, to: (@convention(c) (UInt) -> Int32).self)
    }
  #endif
}

// MARK: - What is counted

extension HeapTrimming {
  /// Counts a cluster that comes into use. A column of its rows takes a page or less.
  @inlinable
  @inline(__always)
  package static func noteCluster(columns: Int) {
    #if canImport(Glibc)
      shared.add(columns)
    #endif
  }

  /// Counts a cluster that was released.
  @inlinable
  @inline(__always)
  package static func noteRelease(ofClusterWithColumns columns: Int) {
    #if canImport(Glibc)
      shared.remove(columns)
    #endif
  }

  /// Counts an object of the application that comes into use.
  ///
  /// - Parameter address: where it is. Only the objects in one page of 256 are counted, each for 256 objects. An object
  ///   takes some 128 bytes, so these take eight pages.
  @inlinable
  @inline(__always)
  package static func noteObject(at address: UInt) {
    #if canImport(Glibc)
      if _slowPath(address & 0xFF000 == 0) { shared.add(8) }
    #endif
  }

  /// Counts an object of the application that is released.
  @inlinable
  @inline(__always)
  package static func noteRelease(ofObjectAt address: UInt) {
    #if canImport(Glibc)
      if _slowPath(address & 0xFF000 == 0) { shared.remove(8) }
    #endif
  }
}
