import FiefDurability

/// Opens the result of a crash, and judges it.
///
/// P1 to P3: the store holds, byte for byte, what was committed as version k, and *owed* <= k <= *started*.
struct Verdict {
  let oracle: Oracle
  let barriers: Barriers

  /// Returns the fault of the store on `disk`; nil if it has none.
  ///
  /// - Parameters:
  ///   - disk: The disk after the crash.
  ///   - point: The moment of the crash.
  ///   - found: Receives the version that was found.
  func fault(_ disk: SimulatedDisk, after point: CrashPoint, found: inout UInt64) -> String? {
    let (owed, started) = (point.owed, point.started)
    let process = SimulatedProcess(disk, number: 99)
    do {
      let system: any FileSystem = barriers.contains(.recordsAreChecked) ? process : CredulousSystem(system: process)
      let (file, stored) = try StoreFile.open(StoryTeller.path, on: system, barriers: barriers)
      defer { process.kill() }
      _ = file
      found = stored.version
      if stored.version < owed { return "Version \(owed) was promised, and \(stored.version) is there." }
      if stored.version > started { return "Version \(started) was begun last, and \(stored.version) is there." }
      guard oracle.holds(stored.graph, at: stored.version, moment: point.moment) else {
        return "Version \(stored.version) is not what was committed as such."
      }
      if stored.userVersion != StoryTeller.userVersion(stored.version) {
        return "Version \(stored.version) has the application's number \(stored.userVersion)."
      }
      let left = disk.files.keys.filter { $0.hasSuffix(".tmp") }
      if !left.isEmpty { return "Temporary files are left: \(left.sorted())." }
      return nil
    } catch {
      process.kill()
      return "It cannot be opened: \(error)"
    }
  }
}
