import Dispatch
import Foundation

/// Watches one file for changes by any process, by the events of the system: `inotify(7)` on Linux and Android, the
/// events of vnodes on Darwin.
///
/// An event wakes a thread of Dispatch. While nothing happens, watching costs nothing. Events of one kind that were not
/// read yet are one event, so a process that writes much wakes watchers no more often than they look.
final class FileWatch: @unchecked Sendable {
  // `@unchecked Sendable` is correct because any thread may use a source.

  private let source: any DispatchSourceProtocol
  private let queue: DispatchQueue
  /// The descriptor of the events.
  private let events: Int32
  private let notify: @Sendable () -> Void

  /// The time after an event for which further events wait: a burst of commits wakes a watcher a hundred times a second.
  static let pause = DispatchTimeInterval.milliseconds(10)

  /// Begins to watch; nil where the system reports no events.
  init?(_ path: String, _ notify: @escaping @Sendable () -> Void) {
    queue = DispatchQueue(label: "fief.watch", qos: .userInitiated)
    self.notify = notify
    #if canImport(Glibc) || canImport(Musl) || canImport(Android)
      events = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard events >= 0 else { return nil }
      let kinds = UInt32(IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
      guard unsafe inotify_add_watch(events, path, kinds) >= 0 else {
        _ = System.close(events)
        return nil
      }
      source = DispatchSource.makeReadSource(fileDescriptor: events, queue: queue)
    #elseif canImport(Darwin)
      events = System.open(path, isWriting: false)
      guard events >= 0 else { return nil }
      source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: events, eventMask: [.write, .extend, .attrib, .delete, .rename], queue: queue)
    #else
      return nil
    #endif
    #if canImport(Glibc) || canImport(Musl) || canImport(Android) || canImport(Darwin)
      source.setEventHandler { [weak self] in self?.answer() }
      source.setCancelHandler { [events] in _ = System.close(events) }
      source.activate()
    #endif
  }

  deinit { source.cancel() }

  private func answer() {
    #if canImport(Glibc) || canImport(Musl) || canImport(Android)
      // The events say nothing that the file does not say. They are read so that the next one wakes again.
      var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      while unsafe withUnsafeMutableBytes(of: &bytes, { unsafe read(events, $0.baseAddress, $0.count) }) > 0 {}
    #endif
    notify()
    source.suspend()
    // The source is resumed in any case: one that is suspended must not be released.
    queue.asyncAfter(deadline: .now() + Self.pause) { self.source.resume() }
  }
}
