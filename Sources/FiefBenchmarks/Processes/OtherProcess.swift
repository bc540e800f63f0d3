import Fief
import Foundation

/// Another process of this program that uses the file of a workload:
///
///     starting ─▶ ready ──go──▶ writing ─▶ done COUNT NANOSECONDS ─▶ ended
///                       ──a line──▶ one commit of the moment, for each line
#if os(Linux) || os(macOS)
  final class OtherProcess {
    /// What the process does.
    enum Work: String {
      /// Small writes for some time, each synchronized.
      case writing
      /// The same without synchronizing.
      case writingRelaxed = "writing-relaxed"
      /// A commit for each line of its input, with the moment before it.
      case answering
      /// Opening, with the resident memory before, at most, and in the end.
      case opening
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts a process, and waits until it has opened the file.
    init(_ work: Work, at path: String) throws {
      process.executableURL = try found(Bundle.main.executableURL, "the program")
      process.arguments = ["--work", work.rawValue, path]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      try expect(nextLine(), "ready", as: "the answer of another process")
    }

    /// Sends a line.
    func say(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

    /// The next line that the process prints.
    func nextLine() -> String {
      var bytes: [UInt8] = []
      while let byte = output.fileHandleForReading.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
        bytes.append(byte)
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits for the end of the process.
    func finish() throws {
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
      try expect(process.terminationStatus, 0, as: "the end of another process")
    }

    // MARK: In the other process

    /// Does the work in this process.
    static func run(_ work: Work, at path: String) throws {
      func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
      if work == .opening { return say("ready\n\(try memoryOfOpening(path))") }
      let realm = try Realm.onDisk(path, work == .writing ? .full : .relaxed)
      let persons = realm.objects(Person.self)
      say("ready")
      switch work {
      case .answering:
        let person = try found(persons.first, "a person")
        while readLine() != nil { try realm.write { person.age = moment } }
      case .opening: break
      case .writing, .writingRelaxed:
        guard readLine() != nil else { return }
        let choices = Random.numbers(
          1000, below: persons.count, seed: UInt64(ProcessInfo.processInfo.processIdentifier))
        let start = moment
        var count = 0
        while moment - start < duration {
          try realm.write { persons[choices[count % 1000]].age += 1 }
          count += 1
        }
        say("done \(count) \(moment - start)")
        while readLine() != nil {}
      }
    }

    /// Opens a file after its classes were looked at.
    private static func memoryOfOpening(_ path: String) throws -> String {
      try expect(try Realm.openedInMemory().isEmpty, true, as: "whether there is nothing")
      let before = Memory.resident
      let realm = try Realm.opened(path)
      let (peak, after) = (Memory.peak, Memory.resident)
      try expect(realm.isEmpty, false, as: "whether there is nothing")
      return "\(before) \(peak) \(after)"
    }

    /// How long processes write, in nanoseconds.
    private static let duration = 1_500_000_000

    /// Nanoseconds of a clock that all processes share.
    static var moment: Int { Int(DispatchTime.now().uptimeNanoseconds) }
  }
#endif
