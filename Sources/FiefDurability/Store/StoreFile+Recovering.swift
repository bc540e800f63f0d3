import FiefGraph
import FiefRuntime

extension StoreFile {
  /// Saves the readable part of a damaged store into a new one, and reports the rest.
  ///
  /// If the snapshot is whole, the new store gets its version and the commits of the journal up to the first damaged
  /// one. Otherwise the new store gets the rows of the whole blocks: in tables of the same names and columns, with new
  /// keys, and with the links between them. The damaged store is not changed.
  ///
  /// - Parameters:
  ///   - source: The path of the damaged store. It must not be open for writing.
  ///   - target: The path of the new store. No file may be there.
  ///   - key: The key of both; nil for plain ones.
  ///   - system: The file system.
  /// - Returns: the saved and the lost data.
  /// - Throws: `fileExists`; `damaged` when no data can be saved; `fileNotFound`, `invalidDatabase` and similar errors
  ///   when `source` is not a store of this library; errors of the system.
  /// - Complexity: linear in the files.
  package static func recover(
    from source: String, to target: String, key: FileKey? = nil, on system: any FileSystem = RealFileSystem()
  ) throws(StoreError) -> RecoveryReport {
    let system = PatientFileSystem(system: system, key: key)
    let paths = try StorePaths(resolving: source, system)
    guard try paths.checkOurs(system) else { throw StoreError.noStore(at: paths.snapshot) }
    let (found, journalBytes) = try paths.contents(system)
    let snapshotBytes = found ?? []
    WorkMeter.current?.begin(.reading, of: snapshotBytes.count + (journalBytes?.count ?? 0), passes: 2)
    var report = RecoveryReport()
    var graph: Graph
    do throws(CodecError) {
      let snapshot = try unsafe snapshotBytes.withUnsafeBytesThrowing { bytes throws(CodecError) in
        try unsafe Snapshot(reading: bytes, key: system.key)
      }
      (graph, report.userVersion) = (snapshot.graph, snapshot.header.userVersion)
      if let journalBytes {
        graph = replay(journalBytes, over: snapshot, system.key, &report)
      } else if snapshot.header.generation != Generation.alone {
        report.losses.append("The journal is missing: commits after version \(graph.version) are lost with it.")
      }
    } catch {
      if error.code == .wrongKey { throw StoreError(error, in: paths.snapshot) }
      graph = try salvage(snapshotBytes, at: paths.snapshot, system.key, &report)
      report.lostCommits = journalBytes.flatMap { try? StoredJournal(withoutKey: $0).commits } ?? 0
      if report.lostCommits > 0 {
        report.losses.append(
          "The \(report.lostCommits) commits of the journal go on from a snapshot that is not whole: they are lost.")
      }
    }
    report.version = graph.version
    report.tables = graph.allTables.filter { !$0.schema.key.isNested || $0.count > 0 }.map {
      StoreInfo.Table(name: $0.schema.name, rows: $0.count)
    }
    try writeCopy(of: graph, version: graph.version, userVersion: report.userVersion, to: target, on: system)
    return report
  }

  /// Applies the commits of a journal up to the first that cannot be read.
  private static func replay(
    _ bytes: [UInt8], over snapshot: Snapshot, _ key: FileKey?, _ report: inout RecoveryReport
  ) -> Graph {
    let transaction = Transaction(snapshot.graph)
    var version = snapshot.header.version
    let all = bytes.count
    let meter = WorkMeter.current
    unsafe bytes.withUnsafeBytes { bytes in
      do {
        var scanner = try unsafe JournalScanner(bytes, key: key)
        guard scanner.header.store == snapshot.header.store, scanner.header.base <= version else {
          report.losses.append("The journal does not go on from the snapshot: its commits are lost.")
          return
        }
        while let record = unsafe scanner.next(bytes) {
          defer { meter?.advance(by: 2 * record.range.count) }
          guard record.kind == .commit && record.commit > version else { continue }
          let change = try unsafe record.change(in: bytes)
          try transaction.apply(change.delta)
          (version, report.userVersion) = (record.commit, change.userVersion)
        }
        report.lostCommits = unsafe scanner.commitsBehind(bytes)
        if case .torn(_, let commits) = scanner.end {
          report.losses.append(StoredVersion.CutOff(bytes: all - scanner.length, commits: commits).description)
        }
        if case .damaged(let error) = scanner.end {
          report.losses.append(
            "\(error) The commits after version \(version) are lost, in the last \(all - scanner.length) bytes.")
        }
      } catch {
        report.losses.append("The commits after version \(version) are lost: \(error)")
      }
    }
    return transaction.graph.numbered(version)
  }

  /// Builds a graph from the rows of the whole blocks of a snapshot.
  private static func salvage(
    _ bytes: [UInt8], at path: String, _ key: FileKey?, _ report: inout RecoveryReport
  ) throws(StoreError) -> Graph {
    let scan = unsafe bytes.withUnsafeBytes { unsafe SnapshotScan($0, key: key) }
    report.losses = scan.damages.map(\.description)
    report.userVersion = scan.header?.userVersion ?? 0
    guard scan.delta.schema != nil else {
      throw StoreError(
        .damaged, "Nothing can be saved of \(path): neither copy of its schema can be read.", file: path, offset: 0)
    }
    let salvage = try asStoreError("The rows could not be saved", at: path) { try Salvage(scan.delta) }
    (report.lostRows, report.lostLinks) = (salvage.lostRows, salvage.lostLinks)
    report.losses.append(
      "\(scan.blockCount - scan.soundBlockCount) of \(scan.blockCount) blocks are lost, with the rows in them; of the "
        + "rows that are left \(salvage.lostRows) could not be saved, and \(salvage.lostLinks) links led to lost rows.")
    return salvage.graph.numbered(scan.header?.version ?? 1)
  }
}

extension [UInt8] {
  /// Calls `withUnsafeBytes` with a body that throws one type of error.
  fileprivate func withUnsafeBytesThrowing<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe withUnsafeBytes { bytes in Swift.Result { () throws(Failure) in try unsafe body(bytes) } }.get()
  }
}
