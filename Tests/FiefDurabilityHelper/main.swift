import Foundation

// A separate process for the tests of durability: it writes a store until it is killed, holds one, or fills a disk.
let arguments = CommandLine.arguments
do {
  switch (arguments.dropFirst().first, arguments.count) {
  case ("write", 3): try Writing(path: arguments[2]).run()
  case ("hold", 3): try Holding(path: arguments[2]).run(startingChild: false)
  case ("hold-with-child", 3): try Holding(path: arguments[2]).run(startingChild: true)
  case ("fork", 3): try Forking(path: arguments[2], isStaying: false).run()
  case ("fork-and-stay", 3): try Forking(path: arguments[2], isStaying: true).run()
  case ("fork-while-watching", 3): try ForkingWhileWatching(path: arguments[2]).run()
  case ("fill", 4): try Filling(arguments[2], FileSizeLimit(bytes: Int(arguments[3]) ?? 0)).run()
  case ("fill-disk", 5):
    try Filling(arguments[2], Ballast(path: arguments[2] + ".ballast", room: Int(arguments[3]) ?? 0)).run()
    // The small disk disappears with this process, so its files are copied.
    for name in ["", ".journal"] {
      try FileManager.default.copyItem(atPath: arguments[2] + name, toPath: arguments[4] + name)
    }
    say("copied")
  default:
    say(
      "usage: FiefDurabilityHelper write|hold|hold-with-child|fork|fork-and-stay|fork-while-watching PATH | fill PATH "
        + "BYTES | fill-disk PATH ROOM COPY"
    )
    exit(64)
  }
} catch {
  say("failed \(error)")
  exit(1)
}
