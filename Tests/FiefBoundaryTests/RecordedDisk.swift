import Foundation

/// What a disk may hold after the power failed at some call of a record.
///
/// A change is *safe* when a synchronization that began after it ended well. All others are *pending*, and an image
/// decides about each by itself: kept, lost, cut, or replaced. What was pending when a synchronization failed stays in
/// doubt for good, as a system that could not write a page takes it for written. A synchronization that was only
/// interrupted changes nothing.
struct RecordedDisk {
  enum Change {
    case write(offset: Int, bytes: [UInt8])
    case resize(Int)
  }

  enum Safety { case pending, doubtful, safe }

  struct File {
    var changes: [(change: Change, safety: Safety)] = []
  }

  /// Names that lead to a file, or to nothing, from now on.
  typealias Naming = [(name: String, file: Int?)]

  private(set) var files: [File] = []
  private(set) var namings: [(naming: Naming, safety: Safety)] = []
  /// Inodes are given out again; files here are not.
  private var fileOfInode: [UInt64: Int] = [:]
  /// By the number of a synchronization under way: how many changes it is about.
  private var synchronizing: [Int: Int] = [:]
  private var folder: UInt64?

  /// What was there before the first call; all of it is safe.
  init(_ before: [String: [UInt8]] = [:]) {
    for (name, bytes) in before.sorted(by: { $0.key < $1.key }) {
      namings.append(([(name, files.count)], .safe))
      files.append(File(changes: [(.write(offset: 0, bytes: bytes), .safe)]))
    }
  }

  /// Goes on by a call.
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

  /// What a failed synchronization makes of what it was about. An interrupted one is made again. A file system that
  /// cannot synchronize folders says `EINVAL`; it takes care of names with files.
  private func safety(afterFailing call: RecordedCall) -> Safety {
    switch call.code {
    case EINTR: .pending
    case EINVAL where call.file == folder: .safe
    default: .doubtful
    }
  }

  /// The file that a call is about. One of before the first call is known by its name.
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
