import Fief
import FiefBoundarySupport
import Foundation

// A separate process for the boundary tests. Its system calls go through the interposer with which it is linked.
let arguments = CommandLine.arguments

/// Prints a line, without buffering, to the process that started this one.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

switch (arguments.dropFirst().first, arguments.count) {
case ("workload", 6):
  var workload = Workload(
    path: arguments[2], random: SplitMix64(seed: UInt64(arguments[3]) ?? 0), steps: Int(arguments[4]) ?? 0,
    isThreaded: arguments[5] == "threaded")
  workload.run()
case ("recover", 3):
  do {
    let ledger = try Ledger(arguments[2])
    note("found \(ledger.number) \(ledger.digest)")
  } catch {
    note("not-opened \(code(of: error))")
  }
case ("check", 2):
  while let path = readLine() { say(ImageCheck(path: path).run()) }
case ("commit-by-line", 3):
  CommitByLine(path: arguments[2]).run()
case ("fork", 3):
  Forking(path: arguments[2]).run()
case ("schedule", 7):
  var schedule = Schedule(
    folder: arguments[2], random: SplitMix64(seed: UInt64(arguments[3]) ?? 0), steps: Int(arguments[4]) ?? 0,
    process: Int(arguments[5]) ?? 0)
  waitForFile(arguments[6])
  schedule.run()
case ("open-seeded", 6):
  waitForFile(arguments[5])
  openSeeded(arguments[2], seed: arguments[3], process: Int(arguments[4]) ?? 0)
case ("copy", 5):
  copy(arguments[2], to: arguments[3], when: arguments[4])
case ("share", 8):
  let place = SharedUse.Place(
    path: arguments[2], process: Int(arguments[4]) ?? 0, log: arguments[5], stop: arguments[6],
    isReader: arguments[7] == "reader")
  SharedUse(place, seed: UInt64(arguments[3]) ?? 0).run()
case ("share-by-line", 3):
  SharedByLine(path: arguments[2]).run()
case ("main-actor", 3):
  let use = MainActorUse()
  let run: @Sendable () async -> Void = {
    do {
      try await Task.sleep(for: .milliseconds(1))
      if arguments[2] == "elsewhere" { await use.readElsewhere() } else { try await use.run() }
    } catch {
      say("threw \(error)")
    }
  }
  if arguments[2] == "dispatch-main" {
    Task {
      await run()
      exit(0)
    }
    use.leaveMainThread()
  }
  await run()
case ("nested-run-loop", 2):
  NestedRunLoop().run()
case ("thaw-in-sync", 2):
  do { try ThawingInSync.run() } catch { say("threw \(error)") }
default:
  let commands = "workload | recover | check | commit-by-line | fork | schedule | open-seeded | copy"
  let others = "share | share-by-line | main-actor | nested-run-loop | thaw-in-sync"
  print("usage: FiefBoundaryHelper \(commands) | \(others) …")
  exit(64)
}
note("ended")
