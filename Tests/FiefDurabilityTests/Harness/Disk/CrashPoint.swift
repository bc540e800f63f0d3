/// The safe and the pending changes at one moment, when the power fails.
///
///     events  e0 e1 e2 … e(n-1) │ e(n) …
///                               ▲
///        safe files and names ──┤── pending writes of each file, pending changes of names
///
/// `advance` moves it through the events of a disk, so walking all moments costs each event once. An image results from
/// giving every pending item a fate (`CrashPoint+Images.swift`).
struct CrashPoint {
  /// A pending change of a file's bytes.
  enum Change: Hashable {
    case wrote(offset: Int, bytes: [UInt8])
    case truncated(size: Int)
  }

  /// A pending change of names.
  enum NameChange: Hashable {
    case named(path: String, file: Int)
    case renamed(path: String, newPath: String, file: Int)
    case removed(path: String)
  }

  /// The safe bytes of each file.
  private(set) var safe: [Int: [UInt8]] = [:]
  /// The pending changes of each file, in order.
  private(set) var pending: [Int: [Change]] = [:]
  /// The safe names.
  private(set) var names: [String: Int] = [:]
  /// The pending changes of names, in order.
  private(set) var pendingNames: [NameChange] = []
  /// The names as the system shows them.
  private var shownNames: [String: Int] = [:]
  /// The bytes of files without names: the blocks of new files may hold them before they are written.
  private(set) var formerBytes: [[UInt8]] = []

  /// The last commit that was begun before this moment.
  private(set) var started: UInt64 = 0
  /// The last commit that was reported as durable before this moment, or returned by an opening.
  private(set) var owed: UInt64 = 0

  /// The number of events before this moment.
  private(set) var moment = 0

  /// The number of pending items.
  var countOfPending: Int { pending.values.reduce(pendingNames.count) { $0 + $1.count } }

  /// Advances over one event.
  mutating func advance(_ event: DiskEvent) {
    moment += 1
    switch event {
    case .wrote(let file, let offset, let bytes):
      pending[file, default: []].append(.wrote(offset: offset, bytes: bytes))
    case .truncated(let file, let size): pending[file, default: []].append(.truncated(size: size))
    case .named(let path, let file):
      shownNames[path] = file
      pendingNames.append(.named(path: path, file: file))
    case .renamed(let path, let newPath):
      guard let file = shownNames.removeValue(forKey: path) else { return }
      if let replaced = shownNames.updateValue(file, forKey: newPath) { retire(replaced) }
      pendingNames.append(.renamed(path: path, newPath: newPath, file: file))
    case .removed(let path):
      if let file = shownNames.removeValue(forKey: path) { retire(file) }
      pendingNames.append(.removed(path: path))
    case .synchronized(let file):
      for change in pending.removeValue(forKey: file) ?? [] { change.apply(to: &safe[file, default: []]) }
    case .synchronizedFolder:
      for change in pendingNames { change.apply(to: &names) }
      pendingNames = []
    case .lost(let file): pending[file] = nil
    case .lostFolder: pendingNames = []
    case .mark(.started(let version)): started = version
    case .mark(.acknowledged(let version)): owed = max(owed, version)
    case .mark(.seen(let version)):
      // An opening continues from the version that it found.
      owed = max(owed, version)
      started = version
    case .mark(.delivered): break
    case .mark(.refused(let version)): started = min(started, version - 1)
    }
  }

  private mutating func retire(_ file: Int) {
    if let bytes = safe[file], !bytes.isEmpty { formerBytes = formerBytes.suffix(7) + [bytes] }
  }
}

extension CrashPoint.Change {
  /// Applies the change.
  func apply(to bytes: inout [UInt8]) {
    switch self {
    case .wrote(let offset, let new): bytes.place(new, at: offset)
    case .truncated(let size): bytes.resize(to: size)
    }
  }
}

extension CrashPoint.NameChange {
  /// Applies the change. The old name of a rename may never have been safe itself.
  func apply(to names: inout [String: Int]) {
    switch self {
    case .named(let path, let file): names[path] = file
    case .renamed(let path, let newPath, let file):
      if names[path] == file { names[path] = nil }
      names[newPath] = file
    case .removed(let path): names[path] = nil
    }
  }
}
