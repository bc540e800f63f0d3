import FiefGraph
import FiefRuntime
import Foundation

/// The version that a store's snapshot holds, as seen by the history beside it.
struct HistoryAnchor: Sendable {
  /// The store.
  var store: UUID
  /// The version of the snapshot.
  var version: UInt64
  /// The generation of the snapshot.
  var generation: UInt64
  /// Whether the journal says that there is a history.
  var isExpected: Bool
}

/// The part of a history that leads back from a version, read and found sound.
///
///     version 12 ──record──▶ 11 ──record──▶ 10 ──▶ …
struct StoredHistory: Sendable {
  /// All bytes of the file.
  let bytes: [UInt8]
  /// The records of the versions before the anchor, the newest first.
  let records: [HistoryRecord]
  /// Why no further records are there, as a sentence; nil if the file has no more.
  let loss: String?

  /// Reads the history of a store.
  ///
  /// It belongs to the anchor if it was written with its snapshot. It may also be newer: then a crash came before the
  /// snapshot, or this is not the first checkpoint since the anchor was seen. It must then pass through the anchor, and
  /// state the time at which that was replaced. Numbers alone would not do: files from a backup may beside a newer
  /// history lead to other versions of the same numbers.
  ///
  /// - Parameters:
  ///   - time: when the anchor's version was replaced; nil if it is the latest or its time is not known.
  ///   - isLocked: Whether the contents are not looked at, because the key is not known.
  /// - Throws: the system's error. Damage is not thrown but a loss.
  init(
    _ paths: StorePaths, on system: any FileSystem, _ anchor: HistoryAnchor, replacedAt time: UInt64?,
    isLocked: Bool = false
  ) throws(FileFailure) {
    let bytes: [UInt8]
    do throws(FileFailure) {
      let kind = try system.entry(at: paths.history)?.kind
      // A link is refused each time, so it is no failure that may be over later.
      if let obstacle = kind == .link ? "a symbolic link, which is not followed here" : kind?.obstacle {
        self.init(loss: "what has its name is \(obstacle)")
        return
      }
      let file = try system.open(paths.history, for: .reading)
      defer { file.close() }
      bytes = try file.readWhole(path: paths.history)
    } catch {
      guard error.meaning == .fileNotFound else { throw error }
      self.init(loss: anchor.isExpected ? "the file is missing" : nil)
      return
    }
    do throws(CodecError) {
      let result = unsafe bytes.withUnsafeBytes { raw in
        Result { () throws(CodecError) in
          isLocked ? try unsafe HistoryScanner(withoutKey: raw) : try unsafe HistoryScanner(raw, key: system.key)
        }
      }
      var scanner = try result.get()
      let header = scanner.header
      guard header.store == anchor.store else {
        self.init(loss: "the file is of another store")
        return
      }
      guard
        header.version > anchor.version || header.version == anchor.version && header.generation == anchor.generation
      else {
        self.init(loss: "the file leads back from another version \(header.version)")
        return
      }
      var records: [HistoryRecord] = []
      var isOther = false
      unsafe bytes.withUnsafeBytes { raw in
        while let record = unsafe scanner.next(raw) {
          if record.version < anchor.version { records.append(record) }
          if record.version == anchor.version && record.time != time && !isLocked {
            isOther = true
            return
          }
        }
      }
      if isOther {
        self.init(loss: "the file leads back through another version \(anchor.version)")
        return
      }
      self.init(bytes: bytes, records: records, loss: scanner.fault.map { "\($0)" })
    } catch {
      self.init(loss: "\(error)")
    }
  }

  private init(bytes: [UInt8] = [], records: [HistoryRecord] = [], loss: String?) {
    self.bytes = bytes
    self.records = records
    self.loss = loss
  }

  /// The consequence of a loss, as a sentence.
  static func describe(_ loss: String, _ paths: StorePaths, from version: UInt64) -> String {
    "The history \(paths.history) ends at version \(version): \(loss). Earlier versions are not known; no data is lost."
  }
}

/// The versions before the snapshot of an opened store, which are read when they are asked for.
package struct EarlierVersions: Sendable {
  let paths: StorePaths
  let system: any FileSystem
  let anchor: HistoryAnchor

  /// The version that they lead back from.
  package var version: UInt64 { anchor.version }

  /// Reads the versions within limits.
  ///
  /// - Parameters:
  ///   - graph: the graph of `version`.
  ///   - time: when it was replaced; nil if it is the latest.
  ///   - count: the number of kept versions from `version` on.
  ///   - limits: how many versions are kept.
  /// - Returns: the versions, the newest first, and what is lost, as a sentence.
  /// - Complexity: linear in the history file and in the changes.
  package func load(
    before graph: Graph, replacedAt time: UInt64?, _ count: Int, _ limits: HistoryLimits
  ) -> (versions: [KeptVersion], loss: String?) {
    assert(graph.version == version, "A history leads back from the snapshot.")
    let stored: StoredHistory
    do throws(FileFailure) { stored = try StoredHistory(paths, on: system, anchor, replacedAt: time) } catch {
      return ([], StoredHistory.describe("\(error)", paths, from: version))
    }
    let now = system.now
    var versions: [KeptVersion] = []
    var graph = graph
    var schema = graph.schema
    var loss = stored.loss
    let meter = WorkMeter.current
    meter?.begin(.reading, of: stored.bytes.count)
    unsafe stored.bytes.withUnsafeBytes { raw in
      for record in stored.records {
        guard limits.keep(count + versions.count, laterThan: record.time, at: now) else {
          loss = nil
          return
        }
        defer { meter?.advance(by: record.payload.count) }
        do {
          let delta = try unsafe record.delta(in: raw)
          graph = try graph.applying(delta).numbered(record.version)
          if delta.schema != nil {
            let older = graph.schema
            guard schema.keepsTables(of: older) else { return }
            schema = older
          }
        } catch {
          loss = "\(error)"
          return
        }
        versions.append(KeptVersion(graph: graph, time: record.time))
      }
    }
    let oldest = versions.last?.graph.version ?? version
    return (versions, loss.map { StoredHistory.describe($0, paths, from: oldest) })
  }
}
