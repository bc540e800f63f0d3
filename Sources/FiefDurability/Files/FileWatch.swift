import Dispatch
import Foundation

/// Watches one file for changes by any process, by the events of the system: `inotify(7)` on Linux and Android, the
/// events of vnodes on Darwin.
///
/// An event wakes a thread of Dispatch. While nothing happens, watching costs nothing. Events of one kind that were not
/// read yet are one event, so a process that writes much wakes watchers no more often than they look.
final class FileWatch: @unchecked Sendable {
  // `@unchecked Sendable` is correct because any thread may use a source.

  /// The time after an event for which further events wait: a burst of commits wakes a watcher a hundred times a
  /// second.
  static let pause = DispatchTimeInterval.milliseconds(10)

  #if canImport(Glibc) || canImport(Musl) || canImport(Android)
    private let number: FileEvents.Number

    /// Begins to watch; nil where the system reports no events.
    init?(_ path: String, _ notify: @escaping @Sendable () -> Void) {
      guard let number = FileEvents.shared?.add(path, notify) else { return nil }
      self.number = number
    }

    deinit { FileEvents.shared?.remove(number) }
  #elseif canImport(Darwin)
    private let source: any DispatchSourceFileSystemObject

    /// Begins to watch; nil where the system reports no events.
    init?(_ path: String, _ notify: @escaping @Sendable () -> Void) {
      let file = System.open(path, isWriting: false)
      guard file >= 0 else { return nil }
      source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: file, eventMask: [.write, .extend, .attrib, .delete, .rename], queue: .global())
      source.setEventHandler { notify() }
      source.setCancelHandler { _ = System.close(file) }
      source.activate()
    }

    deinit { source.cancel() }
  #else
    /// Nil: the system reports no events.
    init?(_ path: String, _ notify: @escaping @Sendable () -> Void) { return nil }
  #endif
}

#if canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// The events of all watched files of this process. The system allows few queues of events to a user, so there is
  /// one.
  final class FileEvents: @unchecked Sendable {
    // `@unchecked Sendable` is correct because `state` has a lock, and any thread may use the source.

    /// Identifies a watch.
    struct Number: Hashable {
      fileprivate let file: Int32
      fileprivate let call: UInt64
    }

    /// The events of this process; nil where the system reports none, and in a fork of a process that has them. A fork
    /// has a copy of its parent's queue of events, and must end none of its watches. It has no thread that answers.
    static var shared: FileEvents? { opened?.process == System.processIdentifier ? opened : nil }

    private static let opened = FileEvents()

    /// The process that opened the queue of events.
    private let process = System.processIdentifier
    private let events: Int32
    private let source: any DispatchSourceRead
    private let queue = DispatchQueue(label: "fief.watch", qos: .userInitiated)
    private let state = Locked(State())

    private struct State {
      /// The functions to call, by the system's number of the file. Two paths of one file have one number.
      var calls: [Int32: [UInt64: @Sendable () -> Void]] = [:]
      var next: UInt64 = 0
    }

    /// Writing, and what happens to a file that loses its name.
    private static let kinds = UInt32(IN_MODIFY | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

    private init?() {
      events = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard events >= 0 else { return nil }
      source = DispatchSource.makeReadSource(fileDescriptor: events, queue: queue)
      source.setEventHandler { [weak self] in self?.answer() }
      source.activate()
    }

    func add(_ path: String, _ notify: @escaping @Sendable () -> Void) -> Number? {
      state.withLock { state in
        let file = unsafe inotify_add_watch(events, path, Self.kinds)
        guard file >= 0 else { return nil }
        state.next += 1
        state.calls[file, default: [:]][state.next] = notify
        return Number(file: file, call: state.next)
      }
    }

    func remove(_ number: Number) {
      // Released after the lock.
      let call = state.withLock { state in
        let call = state.calls[number.file]?.removeValue(forKey: number.call)
        if state.calls[number.file]?.isEmpty ?? false {
          state.calls[number.file] = nil
          inotify_rm_watch(events, number.file)
        }
        return call
      }
      withExtendedLifetime(call) {}
    }

    private func answer() {
      var files: Set<Int32> = []
      var bytes = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(events, $0.baseAddress, $0.count) }
        if count <= 0 { break }
        // An event begins with the number of the file, and has the length of the name behind it at byte 12.
        var position = 0
        while position + 16 <= count {
          let (file, length) = unsafe bytes.withUnsafeBytes { bytes in
            unsafe (
              bytes.loadUnaligned(fromByteOffset: position, as: Int32.self),
              bytes.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self)
            )
          }
          files.insert(file)
          position += 16 + Int(length)
        }
      }
      // The number -1 is that of lost events: then anything may have happened.
      let calls = state.withLock { state in
        state.calls.filter { files.contains($0.key) || files.contains(-1) }.flatMap(\.value.values)
      }
      for call in calls { call() }
      source.suspend()
      // The source is resumed in any case: one that is suspended must not be released.
      queue.asyncAfter(deadline: .now() + FileWatch.pause) { self.source.resume() }
    }
  }
#endif
