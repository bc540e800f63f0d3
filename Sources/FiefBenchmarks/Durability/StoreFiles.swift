import FiefDurability
import FiefGraph
import Foundation

// Stores in files on a real disk: opening, snapshots and small commits, and the cost of each without a store.

extension Workload {
  /// The workloads of files.
  static let files = [
    Workload(
      "kernel_open_file", "A closed store of N dogs is opened, the dogs counted, the last one read. One op is a dog.",
      modes: [.disk]
    ) { run in try measureOpening(run, key: nil) },
    Workload(
      "kernel_open_file.encrypted",
      "The same with files that a stand-in for a cipher has encrypted. It costs less than a real one.", modes: [.disk]
    ) { run in try measureOpening(run, key: standIn()) },
    Workload("kernel_snapshot_write", "A checkpoint of N dogs, with its syncs. One op is a dog.", modes: [.disk]) {
      run in
      try measureSnapshots(run) { checkpoint, _ in checkpoint }
    },
    Workload(
      "kernel_snapshot_write.encrypted", "The same with a stand-in for a cipher. One op is a dog.", modes: [.disk]
    ) { run in
      try measureSnapshots(run, key: standIn()) { checkpoint, _ in checkpoint }
    },
    Workload(
      "kernel_snapshot_write.plain",
      "As many bytes as that snapshot has, written to a new file and synced, in turn with checkpoints. One op is a "
        + "dog.",
      modes: [.disk]
    ) { run in
      try measureSnapshots(run) { _, plain in plain }
    },
    Workload(
      "kernel_snapshot_write.percent",
      "Both in turn: how many percent of the plain file's speed a checkpoint has, in the place of nanoseconds.",
      modes: [.disk]
    ) { run in
      try measureSnapshots(run) { checkpoint, plain in plain / checkpoint * 100 * Double(run.n) }
    },
    Workload(
      "kernel_journal_replay",
      "A store of N dogs that was left with 20000 commits in its journal is opened. One op is a commit.",
      modes: [.disk]
    ) { run in
      try withStore { path in
        let store = try KernelStore(dogs: run.n)
        let dogs = Random.numbers(20_000, below: run.n, seed: 5)
        let disk = try StoreOnDisk(store, at: path)
        for (number, dog) in dogs.enumerated() { try disk.commit(age: 100 + number, ofDog: dog, .relaxed) }
        let sum = KernelStore(disk.graph, store.tables).sumOfAges
        try disk.file.close()
        try run.time {
          let (file, stored) = try StoreFile.open(path)
          try expect(stored.version, 20_001, as: "version")
          try expect(KernelStore(stored.graph, store.tables).sumOfAges, sum, as: "sum of ages")
          try file.close()
          return dogs.count
        }
      }
    },
    Workload(
      "kernel_file_bytes", "The size of all files of a store of N dogs, in the place of nanoseconds. One op is a dog.",
      modes: [.disk]
    ) { run in
      try withStore { path in
        try StoreOnDisk.make(try KernelStore(dogs: run.n), at: path)
        let info = try StoreFile.info(path)
        run.record(Double(info.snapshotSize + info.journalSize), ops: run.n)
      }
    },
    Workload(
      "kernel_small_write_txn",
      "500 transactions on N dogs, each setting one age, durable before the next. One op is a transaction.",
      modes: [.disk]
    ) { run in try measureCommits(run, key: nil) },
    Workload(
      "kernel_small_write_txn.encrypted", "The same with a stand-in for a cipher. One op is a transaction.",
      modes: [.disk]
    ) { run in try measureCommits(run, key: standIn()) },
    Workload(
      "kernel_small_write_txn.plain",
      "500 bare writes of as many bytes as such a commit has, at the end of a file, each synced.",
      modes: [.disk]
    ) { run in
      try withStore { path in
        let size = try StoreOnDisk.sizeOfSmallCommit()
        let plain = try PlainFile(path)
        let bytes = Data(repeating: 7, count: size)
        try run.time {
          for _ in 0..<500 { try plain.write(bytes) }
          return 500
        }
        try expect(try Data(contentsOf: URL(fileURLWithPath: path)).count, 500 * size * run.runs, as: "bytes")
      }
    },
  ]

  /// The key of a cipher that protects nothing, so that what it costs to encrypt is seen without a real one.
  private static func standIn() throws -> FileKey { try FileKey(InsecureStandInCipher()) }

  /// Opens a closed store.
  private static func measureOpening(_ run: Run, key: FileKey?) throws {
    try withStore { path in
      let store = try KernelStore(dogs: run.n)
      try StoreOnDisk.make(store, at: path, key: key)
      try run.time {
        let (file, stored) = try StoreFile.open(path, key: key)
        let table = KernelStore(stored.graph, store.tables).table(store.tables.dog.table)
        try expect(table.count, run.n, as: "dogs")
        try expect(
          table.load(Int64.self, ObjectKey(Int64(run.n - 1)), leaf: 1), Int64(Dogs.age(run.n - 1)), as: "age")
        try file.close()
        return run.n
      }
    }
  }

  /// Makes small commits, each durable before the next.
  private static func measureCommits(_ run: Run, key: FileKey?) throws {
    try withStore { path in
      let store = try KernelStore(dogs: run.n)
      let disk = try StoreOnDisk(store, at: path, key: key)
      let dogs = Random.numbers(500, below: run.n, seed: 6)
      try run.time {
        for (number, dog) in dogs.enumerated() { try disk.commit(age: 100 + number, ofDog: dog) }
        return dogs.count
      }
      let sum = KernelStore(disk.graph, store.tables).sumOfAges
      try disk.file.close()
      let read = try StoreFile.read(path, key: key).graph
      try expect(KernelStore(read, store.tables).sumOfAges, sum, as: "sum of ages")
    }
  }

  /// Makes a checkpoint and writes a plain file of the same bytes alternately. Records the result of `figure` for both,
  /// which are medians of `SnapshotTurns.count` turns.
  private static func measureSnapshots(
    _ run: Run, key: FileKey? = nil, _ figure: (_ checkpoint: Double, _ plain: Double) -> Double
  ) throws {
    try withStore { path in
      let store = try KernelStore(dogs: run.n)
      let disk = try StoreOnDisk(store, at: path, key: key)
      for _ in 0..<run.runs {
        let (checkpoint, plain) = try SnapshotTurns.measure(path) {
          let version = disk.graph.version + 1
          try disk.commit(age: Int(version), ofDog: 0)
          let start = ContinuousClock.now
          try disk.file.checkpoint(disk.graph, version: version, userVersion: 0)
          return start.nanoseconds
        }
        run.record(figure(checkpoint, plain), ops: run.n)
      }
      try expect(
        try StoreFile.info(path).snapshotVersion, UInt64(run.runs * SnapshotTurns.count + 1),
        as: "version of the snapshot")
      try disk.file.close()
    }
  }
}

/// An open store on disk with the kernel's tables.
private final class StoreOnDisk {
  let file: StoreFile
  private let published: PublishedGraph
  private let tables: KernelTables

  /// Makes a store whose first commit is all of `store`, in the snapshot.
  init(_ store: KernelStore, at path: String, key: FileKey? = nil) throws {
    let (file, stored) = try StoreFile.open(path, key: key)
    self.file = file
    tables = store.tables
    let transaction = Transaction(stored.graph)
    try transaction.apply(Delta(from: .empty, to: store.graph))
    published = PublishedGraph(stored.graph)
    try file.commit(Delta(from: .empty, to: store.graph), version: 1, userVersion: 0)
    try published.publish(transaction)
    try file.checkpoint(graph, version: 1, userVersion: 0)
  }

  /// Makes a store and closes it.
  static func make(_ store: KernelStore, at path: String, key: FileKey? = nil) throws {
    try StoreOnDisk(store, at: path, key: key).file.close()
  }

  var graph: Graph { published.current }

  /// Sets one age in a transaction of its own, which is made durable and then published.
  func commit(age: Int, ofDog dog: Int, _ durability: Durability = .full) throws {
    let transaction = published.begin()
    try transaction.set(Int64(age), tables.ageOfDog(dog))
    let delta = Delta(from: transaction.base, to: transaction.graph)
    try file.commit(delta, version: transaction.base.version + 1, userVersion: 0, durability: durability)
    try published.publish(transaction)
  }

  /// The number of bytes that a commit of one age adds to the journal.
  static func sizeOfSmallCommit() throws -> Int {
    try withStore { path in
      let disk = try StoreOnDisk(try KernelStore(dogs: 1000), at: path)
      let before = disk.file.sizes.journal
      try disk.commit(age: 100, ofDog: 500)
      defer { try? disk.file.close() }
      return disk.file.sizes.journal - before
    }
  }
}
