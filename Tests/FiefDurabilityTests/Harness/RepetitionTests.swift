import FiefDurability
import FiefGraph
import FiefRuntime
import FiefTestSupport
import Foundation
import Testing

@Suite(.leavesNoFileOpen, .alsoEncrypted) struct RepetitionTests {
  /// G21: replays a journal over every snapshot that already contains a beginning of it, and recovers recovered stores.
  @Test func replayingOverAnyBeginningGivesTheSame() throws {
    let count = Effort.of(debug: 64, release: 64, night: 1000)
    let disk = SimulatedDisk(isRecording: false)
    let store = try StageStore(SimulatedProcess(disk))
    var graphs = [store.graph]
    for _ in 0..<count {
      try store.commit()
      graphs.append(store.graph)
    }
    let files = disk.files
    let last = Oracle.bytes(store.graph)
    for (version, graph) in graphs.enumerated() {
      let header = SnapshotHeader(
        store: store.stored.store, generation: 1, version: UInt64(version), userVersion: version == 0 ? 0 : 3)
      var mixed = files
      mixed[StageStore.path] = try Snapshot.stored(graph, header)
      let disk = SimulatedDisk(files: mixed, isRecording: false)
      var before: [UInt8]?
      for round in 0..<3 {
        let process = SimulatedProcess(disk)
        let (file, stored) = try StoreFile.open(StageStore.path, on: process)
        withExtendedLifetime(file) {}
        process.kill()
        #expect(stored.version == UInt64(count), "snapshot of version \(version), round \(round)")
        #expect(Oracle.bytes(stored.graph) == last, "snapshot of version \(version), round \(round)")
        // From the second round on the records have the same bytes, under other generations.
        let records = disk.files[StageStore.journal]?.count
        if let before, version > 0 { #expect(before.count == records) }
        before = disk.files[StageStore.journal]
      }
    }
    Figures.report("G21: \(graphs.count) beginnings, each recovered three times")
  }

  /// G26: only the seed decides.
  @Test func equalSeedsGiveEqualFilesAndEqualTraces() throws {
    let seeds = Effort.of(debug: 10, release: 10, night: 1000)
    var events = 0
    for seed in Effort.seeds.prefix(seeds) {
      let disks = try (0..<2).map { _ in
        var random = seed.random
        let disk = SimulatedDisk(chance: seed.value)
        try StoryTeller(on: disk, seed: random.next()).tell(Step.story(count: 20, using: &random))
        return disk
      }
      #expect(disks[0].files == disks[1].files, "seed \(seed)")
      #expect(disks[0].events == disks[1].events, "seed \(seed)")
      #expect(disks[0].calls == disks[1].calls, "seed \(seed)")
      events += disks[0].events.count
    }
    Figures.report("G26: \(seeds) seeds twice, \(events) events each")
  }

  /// G24: the life of a store leaves the numbers of nodes, descriptors and threads unchanged.
  @Test func aStoreLeavesNothingBehind() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let path = folder.url.appendingPathComponent("leak.realm").path
      func live() throws {
        for round in 0..<3 {
          let store = try StageStore(path)
          for _ in 0..<10 { try store.commit(.relaxed) }
          try store.checkpoint()
          try store.commit()
          _ = StageStore.code { _ = try StoreFile.open(path) }
          // The last one is dropped without being closed.
          if round < 2 { try store.file.close() }
        }
        _ = try StoreFile.read(path)
      }
      try expectNoLeaks(of: { LiveNodes.count }) { try live() }
      #if os(Linux)
        func entries(_ folder: String) -> Int {
          (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
        }
        // A dropped store closes its files on a queue, and queues start and end threads.
        let (descriptors, threads) = (entries("/proc/self/fd"), entries("/proc/self/task"))
        for _ in 0..<8 { try live() }
        #expect(waits { entries("/proc/self/fd") <= descriptors })
        #expect(waits { entries("/proc/self/task") < threads + 8 })
      #endif
      withExtendedLifetime(folder) {}
    }
  }
}
