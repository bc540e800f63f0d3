import Fief
import FiefDurability
import Foundation

// Realms in files on a real disk, as applications use them. The cost of the disk alone is measured alternately with
// them.

extension Workload {
  /// The workloads of files through realms.
  static let realmFiles = [
    Workload(
      "open_file",
      "A closed file of N dogs is opened, the dogs counted, the last one read, and let go. One op is a dog.",
      modes: [.disk]
    ) { run in
      try withStore { path in
        try Realm.makeDogs(run.n, at: path)
        try run.time {
          let realm = try Realm.onDisk(path)
          let dogs = realm.objects(Dog.self)
          try expect(dogs.count, run.n, as: "dogs")
          try expect(dogs[run.n - 1].age, Dogs.age(run.n - 1), as: "the age of the last dog")
          return run.n
        }
        try expect(try StoreFile.info(path).state, .closed, as: "how the file was left")
      }
    },
    Workload("snapshot_write", "A file of N dogs compacted after a small write. One op is a dog.", modes: [.disk]) {
      run in
      try measureCompacting(run) { compacting, _ in compacting }
    },
    Workload(
      "snapshot_write.plain",
      "As many bytes as that snapshot has, in a new file and synced, in turn with it. One op is a dog.",
      modes: [.disk]
    ) { run in
      try measureCompacting(run) { _, plain in plain }
    },
    Workload(
      "snapshot_write.percent",
      "Both in turn: how many percent of the plain file's speed compacting has, in the place of nanoseconds.",
      modes: [.disk]
    ) { run in
      try measureCompacting(run) { compacting, plain in plain / compacting * 100 * Double(run.n) }
    },
    Workload(
      "journal_replay",
      "A file of N/10 persons that was left with 20000 small writes in its journal is opened. One op is a write.",
      modes: [.disk]
    ) { run in
      try withStore { path in
        let choices = Random.numbers(20_000, below: run.tenth, seed: 7)
        try writeSmall(choices, run.tenth, at: path)
        try expect(try StoreFile.info(path).journalCommits, choices.count, as: "writes in the journal")
        try run.time {
          let realm = try Realm.onDisk(path)
          let last = realm.object(ofType: Person.self, forPrimaryKey: choices[choices.count - 1])
          try expect(last?.age, 1000 + choices.count - 1, as: "the age that was set last")
          return choices.count
        }
        try expect(try sumOfAges(path), sum(of: choices, run.tenth), as: "sum of ages")
      }
    },
    Workload(
      "file_bytes", "The size of all files of a closed realm of N dogs, in the place of nanoseconds. One op is a dog.",
      modes: [.disk]
    ) { run in
      try withStore { path in
        try Realm.makeDogs(run.n, at: path)
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        try expect(files.count, 3, as: "files: the snapshot, its journal, its lock")
        run.record(Double(try files.reduce(0) { try $0 + Data(contentsOf: $1).count }), ops: run.n)
      }
    },
    Workload(
      "small_write_txn",
      "500 writes, each setting the age of a random one of N/10 persons, each durable. One op is a write.",
      modes: [.disk]
    ) { run in
      try measureSmallWrites(run) { write, _ in write }
    },
    Workload(
      "small_write_txn.plain", "500 bare writes of as many bytes, each synced, in turn with them. One op is a write.",
      modes: [.disk]
    ) { run in
      try measureSmallWrites(run) { _, plain in plain }
    },
    Workload(
      "small_write_txn.percent",
      "Both in turn: how many percent of the bare writes' speed the writes have, in the place of nanoseconds.",
      modes: [.disk]
    ) { run in
      try measureSmallWrites(run) { write, plain in plain / write * 100 * 500 }
    },
  ]

  /// Compacts and writes a plain file of the same bytes alternately. Records the result of `figure` for the nanoseconds
  /// of both, which are medians of `SnapshotTurns.count` turns.
  private static func measureCompacting(_ run: Run, _ figure: (_ compacting: Double, _ plain: Double) -> Double) throws
  {
    try withStore { path in
      try Realm.makeDogs(run.n, at: path)
      let realm = try Realm.onDisk(path)
      let dog = realm.objects(Dog.self)[0]
      var age = 0
      for _ in 0..<run.runs {
        let (compacting, plain) = try SnapshotTurns.measure(path) {
          age += 1
          try realm.write { dog.age = age }
          let version = try StoreFile.info(path).version
          let start = ContinuousClock.now
          try realm.compact()
          let compacting = start.nanoseconds
          try expect(try StoreFile.info(path).snapshotVersion, version, as: "version of the snapshot")
          return compacting
        }
        run.record(figure(compacting, plain), ops: run.n)
      }
    }
  }

  /// Alternates durable writes and plain writes of the same size. Records the result of `figure` for the nanoseconds of
  /// both.
  private static func measureSmallWrites(_ run: Run, _ figure: (_ writes: Double, _ plain: Double) -> Double) throws {
    try withStore { path in
      let choices = Random.numbers(500, below: run.tenth, seed: 7)
      do {
        let realm = try Realm.onDisk(path)
        let persons = try realm.addPersons(run.tenth)
        try realm.compact()
        let journal = try Data(contentsOf: URL(fileURLWithPath: path + ".journal")).count
        try realm.write { persons[choices[0]].age = 1 }
        let grown = try Data(contentsOf: URL(fileURLWithPath: path + ".journal"))
        try expect(grown.count > journal, true, as: "whether the journal grew")
        let bytes = grown[journal...]
        let plain = try PlainFile(path + ".plain")
        for round in 1...run.runs {
          var (ofWrites, ofPlain) = (0.0, 0.0)
          for (turn, choice) in choices.enumerated() {
            let start = ContinuousClock.now
            // Each write changes a value. Otherwise there would be nothing to sync.
            try realm.write { persons[choice].age = 1000 * round + turn }
            ofWrites += start.nanoseconds
            let bare = ContinuousClock.now
            try plain.write(bytes)
            ofPlain += bare.nanoseconds
          }
          run.record(figure(ofWrites, ofPlain), ops: choices.count)
        }
        try expect(
          try Data(contentsOf: URL(fileURLWithPath: path + ".plain")).count, bytes.count * choices.count * run.runs,
          as: "bytes")
      }
      try expect(try sumOfAges(path), sum(of: choices, run.tenth, from: 1000 * run.runs), as: "sum of ages")
      try expect(try StoreFile.info(path).journalCommits, choices.count * run.runs + 1, as: "writes in the journal")
    }
  }

  /// Makes a file of persons and changes their ages with one write for each choice. All of these stay in the journal.
  private static func writeSmall(_ choices: [Int], _ count: Int, at path: String) throws {
    let realm = try Realm.onDisk(path, .relaxed)
    let persons = try realm.addPersons(count)
    try realm.compact()
    for (turn, choice) in choices.enumerated() { try realm.write { persons[choice].age = 1000 + turn } }
  }

  private static func sumOfAges(_ path: String) throws -> Int {
    try Realm.onDisk(path).objects(Person.self).reduce(0) { $0 + $1.age }
  }

  /// The sum of the ages after those writes.
  private static func sum(of choices: [Int], _ count: Int, from first: Int = 1000) -> Int {
    var ages = (0..<count).map { $0 % 90 }
    for (turn, choice) in choices.enumerated() { ages[choice] = first + turn }
    return ages.reduce(0, +)
  }
}

extension Realm {
  /// A realm of the benchmarks' classes in a file.
  static func onDisk(_ path: String, _ durability: Durability = .full) throws -> Realm {
    try Realm(configuration: benchmarkConfiguration(path, durability))
  }

  /// The configuration of a realm of the benchmarks' classes in a file.
  static func benchmarkConfiguration(_ path: String, _ durability: Durability = .full) -> Configuration {
    Configuration(
      fileURL: URL(fileURLWithPath: path), objectTypes: [Person.self, Dog.self, DogToy.self, Address.self],
      durability: durability)
  }

  /// Makes a file of dogs, all of them in the snapshot, and closes it.
  static func makeDogs(_ count: Int, at path: String) throws {
    let realm = try onDisk(path)
    _ = try realm.addDogs(Dogs.names(count))
    try realm.compact()
  }
}
