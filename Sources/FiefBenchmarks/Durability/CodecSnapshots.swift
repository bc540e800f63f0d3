import FiefDurability
import FiefGraph
import Foundation

// Snapshots and their parts, in memory and on disk.

extension Workload {
  /// The workloads of the codec.
  static let codec = [
    Workload("codec_snapshot_encode", "A snapshot of N dogs encoded to memory; one op is a row.") { run in
      let store = try KernelStore(dogs: run.n)
      try run.time {
        var total = 0
        try Snapshot.write(store.graph, .benchmark) { total += $0.count }
        try expect(total > run.n, true, as: "bytes")
        return run.n
      }
    },
    Workload("codec_snapshot_decode", "A snapshot of N dogs decoded from memory to a graph; one op is a row.") { run in
      let store = try KernelStore(dogs: run.n)
      let bytes = Snapshot.bytes(store.graph, .benchmark)
      try run.time(fresh: { Graph.empty }) { graph in
        graph = try bytes.withUnsafeBytes { try Snapshot(reading: $0).graph }
        return run.n
      } check: { graph in
        try expect(graph == store.graph, true, as: "equality")
      }
    },
    Workload("codec_snapshot_size", "How many bytes a row of a snapshot of N dogs has, in the place of nanoseconds.") {
      run in
      run.record(Double(Snapshot.bytes(try KernelStore(dogs: run.n).graph, .benchmark).count), ops: run.n)
    },
    Workload("codec_file_plain", "The bytes of a snapshot of N dogs written and synced; one op is a row.") { run in
      let bytes = Snapshot.bytes(try KernelStore(dogs: run.n).graph, .benchmark)
      try run.time {
        try withFile { file in try bytes.withUnsafeBytes { try file.write(contentsOf: Data($0)) } }
        return run.n
      }
    },
    Workload("codec_file_snapshot", "A snapshot of N dogs encoded, written and synced; one op is a row.") { run in
      let store = try KernelStore(dogs: run.n)
      try run.time {
        try withFile { file in
          try Snapshot.write(store.graph, .benchmark) { try file.write(contentsOf: Data($0)) }
        }
        return run.n
      }
    },
    Workload("codec_crc32c", "CRC-32C of 16 MiB; one op is a byte.") { run in
      try ofBytes(run) { CRC32C.checksum($0) != 0 }
    },
    Workload("codec_xxh64", "XXH64 of 16 MiB; one op is a byte.") { run in try ofBytes(run) { XXH64.digest($0) != 0 } },
  ]

  private static func ofBytes(_ run: Run, _ body: (UnsafeRawBufferPointer) -> Bool) throws {
    let bytes = [UInt8](repeating: 0xA7, count: 16 << 20)
    try run.time {
      try expect(bytes.withUnsafeBytes(body), true, as: "a checksum")
      return bytes.count
    }
  }

  private static func withFile(_ body: (FileHandle) throws -> Void) throws {
    let url = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("fief-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: url.path, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
    defer { try? FileManager.default.removeItem(at: url) }
    let file = try FileHandle(forWritingTo: url)
    try body(file)
    try file.synchronize()
    try file.close()
  }
}

extension SnapshotHeader {
  fileprivate static let benchmark = SnapshotHeader(
    store: UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)), generation: 1, version: 1, userVersion: 0
  )
}
