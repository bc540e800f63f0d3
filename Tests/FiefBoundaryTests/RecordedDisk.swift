import Foundation

/// The possible contents of a disk after a power failure at some call of a record.
///
/// A change is *safe* when a synchronization that began after it succeeded. All others are *pending*, and an image
/// decides about each independently: kept, lost, cut, or replaced. Changes that were pending when a synchronization
/// failed stay doubtful forever, because a system that could not write a page treats it as written. A synchronization
/// that was only interrupted changes nothing.
struct RecordedDisk {
  enum Change {
    case write(offset: Int, bytes: [UInt8])
    case resize(Int)
  }

  enum Safety { case pending, doubtful, safe }

  struct File {
    var changes: [(change: Change, safety: Safety)] = []
  }

  /// Names that refer to a file, or to no file, from now on.
  typealias Naming = [(name: String, file: Int?)]

  private(set) var files: [File] = []
  private(set) var namings: [(naming: Naming, safety: Safety)] = []
  /// The system reuses inodes; the files here are not reused.
  private var fileOfInode: [UInt64: Int] = [:]
  /// The number of changes that a synchronization under way covers, by the number of its call.
  private var synchronizing: [Int: Int] = [:]
  private var folder: UInt64?

  /// The files before the first call, all of which are safe.
  init(_ before: [String: [UInt8]] = [:]) {
    for (name, bytes) in before.sorted(by: { $0.key < $1.key }) {
      namings.append(([(name, files.count)], .safe))
      files.append(File(changes: [(.write(offset: 0, bytes: bytes), .safe)]))
    }
  }

  /// Applies a call.
  mutating func apply(_ call: RecordedCall) {
    if call.failed {
      if call.kind == "sync" { settle(call, safety(afterFailing: call)) }
      return
    }
    switch call.kind {
    case "create":
      fileOfInode[call.file] = files.count
      namings.append(([(call.name, files.count)], .pending))
      files.append(File())
    case "empty": change(call, .resize(0))
    case "write": change(call, .write(offset: call.offset, bytes: call.bytes))
    case "lost-write": change(call, .write(offset: call.offset, bytes: call.bytes), .doubtful)
    case "truncate": change(call, .resize(call.offset))
    case "rename": namings.append(([(call.name, nil), (call.otherName, file(call, call.name))], .pending))
    case "link": namings.append(([(call.otherName, file(call, call.name))], .pending))
    case "unlink": namings.append(([(call.name, nil)], .pending))
    case "open" where call.name == ".": folder = call.file
    case "open": _ = file(call, call.name)
    case "begin-sync":
      synchronizing[call.number] = call.file == folder ? namings.count : files[file(call)].changes.count
    case "sync": settle(call, .safe)
    default: break
    }
  }

  /// The safety of changes after a failed synchronization. An interrupted one is repeated. A file system that cannot
  /// synchronize folders returns `EINVAL`; it synchronizes names with files.
  private func safety(afterFailing call: RecordedCall) -> Safety {
    switch call.code {
    case EINTR: .pending
    case EINVAL where call.file == folder: .safe
    default: .doubtful
    }
  }

  /// The file of a call. A file that existed before the first call is identified by its name.
  private mutating func file(_ call: RecordedCall, _ name: String? = nil) -> Int {
    if let known = fileOfInode[call.file] { return known }
    let known = namings.reversed().lazy.flatMap(\.naming).first { $0.name == name }?.file
    let file = known ?? files.count
    if known == nil { files.append(File()) }
    fileOfInode[call.file] = file
    return file
  }

  private mutating func change(_ call: RecordedCall, _ change: Change, _ safety: Safety = .pending) {
    files[file(call)].changes.append((change, safety))
  }

  private mutating func settle(_ call: RecordedCall, _ safety: Safety) {
    let count = synchronizing.removeValue(forKey: call.number) ?? 0
    if call.file == folder {
      for index in 0..<count where namings[index].safety == .pending { namings[index].safety = safety }
    } else {
      let file = file(call)
      for index in 0..<count where files[file].changes[index].safety == .pending {
        files[file].changes[index].safety = safety
      }
    }
  }
}
