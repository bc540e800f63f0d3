import Foundation

// A process of its own for the tests of durability: it writes a store until it is killed, holds one, or fills a disk.
let arguments = CommandLine.arguments
do {
  switch (arguments.dropFirst().first, arguments.count) {
  case ("write", 3): try Writing(path: arguments[2]).run()
  case ("hold", 3): try Holding(path: arguments[2]).run(startingChild: false)
  case ("hold-with-child", 3): try Holding(path: arguments[2]).run(startingChild: true)
  case ("fill", 4): try Filling(path: arguments[2], limit: Int(arguments[3]) ?? 0).run()
  default:
    say("usage: FiefDurabilityHelper write|hold|hold-with-child PATH | fill PATH BYTES")
    exit(64)
  }
} catch {
  say("failed \(error)")
  exit(1)
}
