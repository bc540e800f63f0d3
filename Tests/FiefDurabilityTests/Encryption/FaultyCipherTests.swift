import FiefDurability
import FiefGraph
import FiefTestSupport
import Foundation
import Synchronization
import Testing

/// A cipher that throws, or says what is not so, loses no acknowledged commit and ends no process.
@Suite(.leavesNoFileOpen) struct FaultyCipherTests {
  /// What a cipher does instead of its work.
  enum Fault: CaseIterable, Sendable {
    case sealThrows, sealIsShort, sealIsLong, sealIsEmpty
    case openThrows, openIsShort, openIsLong, openIsEmpty, openIsNoise, openIsZeros
  }

  /// A cipher that fails at some calls.
  final class Faulty: FileCipher {
    struct Refusal: Error {}

    private let cipher = InsecureStandInCipher()
    private let fault: Fault
    private let isStruck: @Sendable (Int) -> Bool
    private let calls = Mutex(0)

    init(_ fault: Fault, _ isStruck: @escaping @Sendable (Int) -> Bool) {
      (self.fault, self.isStruck) = (fault, isStruck)
    }

    var count: Int { calls.withLock { $0 } }
    var keyIdentifier: Data { cipher.keyIdentifier }
    var overhead: Int { cipher.overhead }

    private func strikes() -> Bool {
      isStruck(
        calls.withLock { calls in
          defer { calls += 1 }
          return calls
        })
    }

    func seal(_ bytes: Data, authenticating data: Data) throws -> Data {
      let sealed = try cipher.seal(bytes, authenticating: data)
      guard strikes() else { return sealed }
      switch fault {
      case .sealThrows: throw Refusal()
      case .sealIsShort: return sealed.dropLast()
      case .sealIsLong: return sealed + [0]
      case .sealIsEmpty: return Data()
      default: return sealed
      }
    }

    func open(_ sealed: Data, authenticating data: Data) throws -> Data {
      let opened = try cipher.open(sealed, authenticating: data)
      guard strikes() else { return opened }
      switch fault {
      case .openThrows: throw Refusal()
      case .openIsShort: return opened.dropFirst()
      case .openIsLong: return opened + [0]
      case .openIsEmpty: return Data()
      case .openIsNoise: return Data(opened.indices.map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) })
      case .openIsZeros: return Data(count: opened.count)
      default: return opened
      }
    }
  }

  private static let steps: [Step] = [
    .commit, .relaxedCommit, .commit, .checkpoint(1, 1, 1), .commit, .rest(2), .reopen, .commit, .relaxedCommit,
    .killAndReopen, .commit, .checkpoint(0, 1, 0), .relaxedCommit, .reopen, .commit,
  ]

  /// Runs the story with a cipher, and returns the number of its calls. An error of the cipher is met as a user meets
  /// it: the commit is made again, or the store opened again.
  private func run(_ fault: Fault, _ isStruck: @escaping @Sendable (Int) -> Bool) throws -> (calls: Int, errors: Int) {
    let cipher = Faulty(fault, isStruck)
    let key = try FileKey(cipher)
    let disk = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk() }
    let teller = StoryTeller(on: disk, seed: 5, goesOn: true)
    var errors: [StoreError] = []
    do { try teller.tell(Self.steps) } catch let error as StoreError {
      // It cannot be opened as long as the cipher fails.
      errors.append(error)
    }
    teller.die()
    errors += teller.errors
    for error in errors {
      let codes: [StoreError.Code] = [.fileOperationFailed, .damaged, .storeIsReadOnly, .closed]
      #expect(codes.contains(error.code), "\(fault): \(error)")
    }
    // With a cipher that works, every acknowledged commit is there.
    let sound = SimulatedDisk.$usualKey.withValue(try .standIn()) { SimulatedDisk(files: disk.files) }
    var point = CrashPoint()
    for event in disk.events { point.advance(event) }
    var found: UInt64 = 0
    if point.owed > 0 || disk.files[StoryTeller.path] != nil {
      let fault = Verdict(oracle: teller.oracle).fault(sound, after: point, found: &found)
      #expect(fault == nil)
    }
    return (cipher.count, errors.count)
  }

  @Test(arguments: Fault.allCases) func aCipherThatFailsOnceLosesNoCommit(fault: Fault) throws {
    let healthy = try run(fault) { _ in false }
    #expect(healthy.errors == 0 && healthy.calls > 20)
    var errors = 0
    for call in 0..<healthy.calls { errors += try run(fault) { $0 == call }.errors }
    #expect(errors > 0)
  }

  @Test(arguments: Fault.allCases) func aCipherThatFailsFromACallOnLosesNoCommit(fault: Fault) throws {
    let calls = try run(fault) { _ in false }.calls
    for call in stride(from: 0, to: calls, by: 3) { _ = try run(fault) { $0 >= call } }
  }

  @Test(arguments: Fault.allCases) func aCipherThatFailsAtRandomLosesNoCommit(fault: Fault) throws {
    for seed in Effort.seeds.prefix(Effort.of(debug: 10, release: 100, night: 2000)) {
      let seed = seed.value
      _ = try run(fault) { call in (UInt64(call) &+ seed &* 1000) &* 0x9E37_79B9_7F4A_7C15 >> 60 == 0 }
    }
  }

  /// The error names what the cipher said, and no error number of the system.
  @Test func theErrorOfACommitNamesTheCipher() throws {
    struct Broken: FileCipher {
      let isBroken: @Sendable () -> Bool
      let cipher = InsecureStandInCipher()
      var keyIdentifier: Data { cipher.keyIdentifier }
      var overhead: Int { cipher.overhead }
      func seal(_ bytes: Data, authenticating data: Data) throws -> Data {
        if isBroken() { throw StoryFault(description: "The enclave is asleep.") }
        return try cipher.seal(bytes, authenticating: data)
      }
      func open(_ sealed: Data, authenticating data: Data) throws -> Data {
        try cipher.open(sealed, authenticating: data)
      }
    }
    let state = State()
    let key = try FileKey(Broken { state.isBroken })
    let disk = SimulatedDisk.$usualKey.withValue(key) { SimulatedDisk() }
    let process = SimulatedProcess(disk)
    let store = try StageStore(process)
    try store.commit()
    state.isBroken = true
    let before = disk.files[StageStore.journal]
    let error = #expect(throws: StoreError.self) { try store.commit() }
    #expect(error?.code == .fileOperationFailed && error?.systemCode == nil)
    #expect(error?.message.contains("The enclave is asleep.") ?? false)
    #expect(disk.files[StageStore.journal] == before)
    #expect(StageStore.code { try store.checkpoint() } == .fileOperationFailed)
    state.isBroken = false
    try store.commit()
    try store.checkpoint()
    try store.file.close()
    #expect(try StoreFile.read(StageStore.path, on: process).version == 2)
  }

  private final class State: Sendable {
    private let broken = Mutex(false)
    var isBroken: Bool {
      get { broken.withLock { $0 } }
      set { broken.withLock { $0 = newValue } }
    }
  }
}
