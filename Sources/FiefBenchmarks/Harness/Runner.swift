import Foundation

/// Runs the chosen workloads, each in a process of its own, and prints their lines.
///
/// A new process starts with a fresh heap. So no workload affects the next one, and the memory peak belongs to one
/// workload only. On systems that cannot start processes, all workloads run in this one, and the last column is the
/// peak so far.
struct Runner {
  let options: Options
  let workloads: [Workload]

  init(_ options: Options, _ workloads: [Workload]) {
    self.options = options
    self.workloads = workloads
  }

  private var chosen: [Workload] {
    workloads.filter {
      (options.filter.isEmpty || $0.name.contains(options.filter)) && $0.modes.contains(options.mode)
    }
  }

  /// Runs what the options select.
  ///
  /// - Returns: the exit code: 0; 1 when a workload failed; 64 when no workload has the name.
  func run() -> Int32 {
    if options.isList {
      for workload in chosen { print("\(workload.name)\n    \(workload.summary)") }
      return 0
    }
    if options.isReport { return showMeasured() }
    if let name = options.only {
      guard let workload = workloads.first(where: { $0.name == name && $0.modes.contains(options.mode) }) else {
        complain("There is no workload '\(name)'.")
        return 64
      }
      return measure(workload) ? 0 : 1
    }
    // Not `print`, which may keep the line until the processes have printed theirs.
    FileHandle.standardOutput.write(Data("# \(conditions)\n".utf8))
    if options.isGrowth { return showGrowth() }
    var isGood = true
    for workload in chosen where !runApart(workload) { isGood = false }
    return isGood ? 0 : 1
  }

  /// Measures the workloads with 10,000 rows, with ten times as many, and so on, and prints a table.
  private func showGrowth() -> Int32 {
    let sizes = Array(sequence(first: min(10_000, options.n)) { $0 * 10 <= options.n ? $0 * 10 : nil })
    print(Growth.head(sizes))
    var isGood = true
    for workload in chosen {
      var figures: [(rows: Int, figure: Double)] = []
      for size in sizes {
        let lines = linesApart(workload, rows: size)
        guard let figure = lines.flatMap({ Figures("", $0)[workload.name, options.mode] }) else {
          isGood = false
          break
        }
        figures.append((size, figure))
      }
      print(Growth(name: workload.name, figures: figures).row(sizes))
    }
    return isGood ? 0 : 1
  }

  /// Shows the figures of files as a table or a chart.
  private func showMeasured() -> Int32 {
    do {
      let report = FigureReport(try options.measured.map { try Figures($0.label, contentsOf: $0.path) })
      if options.isMarkdown { print(report.markdown) }
      if let chart = options.chart { try Data(report.chart.utf8).write(to: URL(fileURLWithPath: chart)) }
      return 0
    } catch {
      complain("The figures cannot be shown: \(error)")
      return 1
    }
  }

  /// The command, the date and the machine, which belong to every figure.
  private var conditions: String {
    let command = "FiefBenchmarks --mode \(options.mode.rawValue) --n \(options.n) --runs \(options.runs)"
    let date = Date.now.formatted(.iso8601.year().month().day())
    let information = ProcessInfo.processInfo
    return "\(command), \(date), \(information.operatingSystemVersionString), "
      + "\(information.activeProcessorCount) processors\(Self.processor.map { ", \($0)" } ?? "")"
  }

  /// The name of the processor, where the system has it in a file.
  private static var processor: String? {
    let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ": ", maxSplits: 1).last.map(String.init)
  }

  /// Measures a workload in this process and prints its line.
  private func measure(_ workload: Workload) -> Bool {
    let run = Run(n: options.n, mode: options.mode, runs: options.runs)
    let isDone = report(workload, run) { try workload.body(run) }
    guard isDone, let rest = run.rest else { return isDone }
    // The main queue runs one block after another, wherever it runs them.
    nonisolated(unsafe) let work = { report(workload, run, of: rest) }
    DispatchQueue.main.async { exit(work() ? 0 : 1) }
    dispatchMain()
  }

  /// Does a part of the work, and prints the line if there is a figure.
  private func report(_ workload: Workload, _ run: Run, of work: () throws -> Void) -> Bool {
    do {
      try work()
      if run.figures.isEmpty {
        if run.rest != nil { return true }
        throw WrongResult(description: "nothing was measured")
      }
      let figure = String(format: "%.2f", run.median)
      let beside = try options.beside.map {
        try Peers(contentsOf: $0).columns(for: workload.name, options.mode, run.median)
      }
      print("\(workload.name),\(options.mode.rawValue),\(run.ops),\(figure),\(Memory.peak / 1024)\(beside ?? "")")
      return true
    } catch {
      complain("\(workload.name): \(error)")
      return false
    }
  }

  #if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
    /// Measures a workload in a new process, which prints the line.
    private func runApart(_ workload: Workload) -> Bool {
      guard let program = Bundle.main.executableURL else { return measure(workload) }
      return start(program, workload, options.arguments(measuring: workload)) { _ in }
    }

    /// Measures a workload in a new process with a number of rows.
    ///
    /// - Returns: what the process prints; nil when it failed.
    private func linesApart(_ workload: Workload, rows: Int) -> String? {
      guard let program = Bundle.main.executableURL else { return nil }
      let output = Pipe()
      var lines = Data()
      let arguments = options.arguments(measuring: workload, rows: rows)
      let isGood = start(program, workload, arguments) { process in
        process.standardOutput = output
      } whileRunning: {
        lines = output.fileHandleForReading.readDataToEndOfFile()
      }
      return isGood ? String(decoding: lines, as: UTF8.self) : nil
    }

    /// Runs a process to its end.
    ///
    /// - Returns: whether it exited with 0.
    private func start(
      _ program: URL, _ workload: Workload, _ arguments: [String], prepare: (Process) -> Void,
      whileRunning: () -> Void = {}
    ) -> Bool {
      let process = Process()
      process.executableURL = program
      process.arguments = arguments
      prepare(process)
      do {
        try process.run()
      } catch {
        complain("\(workload.name): its process could not be started: \(error)")
        return false
      }
      whileRunning()
      process.waitUntilExit()
      if process.terminationReason == .exit { return process.terminationStatus == 0 }
      complain("\(workload.name): its process was ended by signal \(process.terminationStatus).")
      return false
    }
  #else
    private func runApart(_ workload: Workload) -> Bool { measure(workload) }

    private func linesApart(_ workload: Workload, rows: Int) -> String? { nil }
  #endif

  private func complain(_ problem: String) { FileHandle.standardError.write(Data("# \(problem)\n".utf8)) }
}
