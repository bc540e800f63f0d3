import Foundation

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  exit(Runner(options, Workload.all).run())
} catch {
  FileHandle.standardError.write(Data("\(error)\n\n\(Options.usage)\n".utf8))
  exit(64)
}
