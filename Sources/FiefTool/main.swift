import Foundation

Interruption.install()
exit(Command.run(Array(CommandLine.arguments.dropFirst()), Terminal()).rawValue)
