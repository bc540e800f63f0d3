import Foundation

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  #if os(Linux) || os(macOS)
    if let (kind, path) = options.work { exit(OtherProcess.run(kind, at: path)) }
  #endif
  exit(Runner(options, Workload.all).run())
} catch {
  FileHandle.standardError.write(Data("\(error)\n\n\(Options.usage)\n".utf8))
  exit(64)
}
