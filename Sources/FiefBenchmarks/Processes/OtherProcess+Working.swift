import Fief
import Foundation

#if os(Linux) || os(macOS)
  /// What a process does that another one has started.
  extension OtherProcess {
    /// Does the work of that name in this process, and returns its exit code.
    static func run(_ kind: String, at path: String) -> Int32 {
      do {
        try run(try found(Work(rawValue: kind), "the work \(kind)"), at: path)
        return 0
      } catch {
        FileHandle.standardError.write(Data("# \(kind): \(error)\n".utf8))
        return 1
      }
    }

    private static func run(_ work: Work, at path: String) throws {
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
