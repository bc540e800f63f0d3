import Foundation

/// Room in the heap of the running thread.
///
/// glibc grows the heap of each thread but the main one by single pages, each with a system call that takes longer than
/// filling the page. A larger piece is one call, and the pages stay usable when the piece is given back. So a thread
/// that is about to make much asks for pieces first. Pages that are not used afterwards take no memory.
package enum HeapRoom {
  /// Less than what the allocator takes from the system directly.
  private static let pieceSize = 96 << 10

  /// Makes room for about as many bytes. Does nothing on the main thread, and where the heap grows otherwise.
  package static func make(_ bytes: Int) {
    #if canImport(Glibc)
      if Thread.isMainThread { return }
      let pieces = unsafe (0..<min(bytes, 32 << 20) / pieceSize).map { _ in
        UnsafeMutableRawPointer.allocate(byteCount: pieceSize, alignment: 16)
      }
      unsafe pieces.reversed().forEach { unsafe $0.deallocate() }
    #endif
  }
}
