import Foundation

/// The command `fief-fuzz`.
public enum FuzzCommand {
  /// Runs the command.
  ///
  /// - Parameter arguments: the command line without the name of the program.
  /// - Returns: the status of the process: 0 when nothing was found, 1 after a finding, 2 for a mistake in the line.
  public static func run(_ arguments: [String]) -> Int32 {
    do {
      if arguments.first == "all" {
        let statuses = FuzzTargets.all.map { run([$0.name] + arguments.dropFirst()) }
        return statuses.max() ?? 0
      }
      let options = try FuzzOptions(arguments)
      if options.lists { return list() }
      guard let target = options.target else { throw Finding("Which target?") }
      if let child = options.child, let note = options.note {
        let child = (child, FuzzChild(target: target, note: try FuzzNote(note)))
        if child.0 == "campaign" {
          child.1.campaign(seconds: options.seconds, seed: options.seed)
        } else {
          try child.1.list(child.0)
        }
        return 0
      }
      return try run(target, options) ? 1 : 0
    } catch let mistake as Finding {
      FuzzOutput.error("\(mistake)\n\(FuzzOptions.usage)")
      return 2
    } catch {
      FuzzOutput.error("\(error)")
      return 2
    }
  }

  private static func list() -> Int32 {
    for target in FuzzTargets.all {
      let count = CorpusFolder.files(at: CorpusFolder.url(of: target)).count
      print(target.name.padding(toLength: 12, withPad: " ", startingAt: 0) + "\(target.purpose); \(count) inputs")
    }
    return 0
  }

  /// - Returns: whether something was found.
  private static func run(_ target: any FuzzTarget, _ options: FuzzOptions) throws -> Bool {
    let parent = try FuzzParent(target)
    guard let input = options.input else {
      let (count, found) = try parent.campaign(seconds: options.seconds, seed: options.seed)
      guard let found else {
        print("\(target.name): \(count) inputs in \(Int(options.seconds)) s, seed \(options.seed): nothing found.")
        return false
      }
      print("\(target.name): input \(count), seed \(options.seed):")
      try report(found, target, parent, options)
      return true
    }
    let files = CorpusFolder.files(at: URL(fileURLWithPath: input))
    guard !files.isEmpty else { throw Finding("\(input) is no file, and no folder of files.") }
    let inputs = try files.map { [UInt8](try Data(contentsOf: $0)) }
    if options.prints {
      for (file, input) in zip(files, inputs) {
        print("// \(file.lastPathComponent)\n\(target.lines(input).joined(separator: "\n"))")
      }
      return false
    }
    guard let (index, reason) = try parent.first(of: inputs) else {
      print("\(target.name): \(inputs.count) inputs: nothing found.")
      return false
    }
    print("\(files[index].path):")
    try report(.init(input: inputs[index], reason: reason), target, parent, options)
    return true
  }

  private static func report(
    _ found: FuzzParent.Found, _ target: any FuzzTarget, _ parent: FuzzParent, _ options: FuzzOptions
  ) throws {
    let found = options.minimizes ? parent.minimized(found) : found
    print("\(target.name): \(found.reason)\n")
    let lines = target.lines(found.input)
    for line in lines.prefix(200) { print("  \(line.prefix(2000))") }
    if lines.count > 200 { print("  … \(lines.count - 200) more lines") }
    let path = try keep(found.input, of: target)
    print(
      """

      kept as \(path)
      again:  swift run fief-fuzz \(target.name) --input \(path) --minimize
      as a test, once it is fixed: cp \(path) Fuzz/Corpus/\(target.name)/
      """)
  }

  /// Writes an input to the folder of findings; its name is a checksum of its bytes.
  private static func keep(_ input: [UInt8], of target: any FuzzTarget) throws -> String {
    let folder = URL(fileURLWithPath: ".build-fuzz/found/\(target.name)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // FNV-1a, 64 bits.
    let sum = input.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let path = ".build-fuzz/found/\(target.name)/found-\(String(sum, radix: 16))"
    try Data(input).write(to: URL(fileURLWithPath: path))
    return path
  }
}
