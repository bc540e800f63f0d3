import FiefDurability

/// Opens the result of a crash, and judges it.
///
/// P1 to P3: the store holds, byte for byte, what was committed as version k, and *owed* <= k <= *started*.
struct Verdict {
  let oracle: Oracle
  /// The weakness of the file system, if it has one.
  var weakness: Weakness?

  /// What an opening found on a disk after a crash.
  enum Recovered {
    case unopened(String)
    /// A store: the bytes by which the oracle compares graphs, and the temporary files that were left behind.
    case store(version: UInt64, userVersion: UInt64, bytes: [UInt8], temporary: [String])
  }

  /// Returns the fault of the store on `disk`; nil if it has none.
  ///
  /// - Parameters:
  ///   - disk: The disk after the crash.
  ///   - point: The moment of the crash.
  ///   - found: Receives the version that was found.
  func fault(_ disk: SimulatedDisk, after point: CrashPoint, found: inout UInt64) -> String? {
    let recovered = recover(disk)
    if case .store(let version, _, _, _) = recovered { found = version }
    return fault(recovered, after: point)
  }

  /// Opens the store of a disk. The result depends on the disk alone, not on the moment of the crash.
  func recover(_ disk: SimulatedDisk) -> Recovered {
    let process = SimulatedProcess(disk, number: 99)
    defer { process.kill() }
    do {
      let (file, stored) = try StoreFile.open(StoryTeller.path, on: WeakSystem.on(process, weakness))
      defer { withExtendedLifetime(file) {} }
      return .store(
        version: stored.version, userVersion: stored.userVersion, bytes: Oracle.bytes(stored.graph),
        temporary: disk.files.keys.filter { $0.hasSuffix(".tmp") }.sorted())
    } catch {
      return .unopened("\(error)")
    }
  }

  /// Returns the fault of what was found after a crash at this moment; nil if it has none.
  func fault(_ recovered: Recovered, after point: CrashPoint) -> String? {
    switch recovered {
    case .unopened(let error): return "It cannot be opened: \(error)"
    case .store(let version, let userVersion, let bytes, let temporary):
      let (owed, started) = (point.owed, point.started)
      if version < owed { return "Version \(owed) was promised, and \(version) is there." }
      if version > started { return "Version \(started) was begun last, and \(version) is there." }
      guard oracle.holds(bytes: bytes, at: version, moment: point.moment) else {
        return "Version \(version) is not what was committed as such."
      }
      if userVersion != StoryTeller.userVersion(version) {
        return "Version \(version) has the application's number \(userVersion)."
      }
      if !temporary.isEmpty { return "Temporary files are left: \(temporary)." }
      return nil
    }
  }
}
