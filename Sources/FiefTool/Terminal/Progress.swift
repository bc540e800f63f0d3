import Dispatch
import FiefRuntime
import Synchronization

/// The progress of a task, as one line on standard error. It appears after a second, is written anew five times a
/// second, and disappears at the end. It is shown on a terminal only.
///
///     Reading dogs.realm  42%  5.3 MB of 12.5 MB  4 s left
///     Importing dogs.json: creating  17%  102000 of 600000 objects  1 min 5 s left
///
///     try Progress.show("Reading \(file)") { _ in try StoreFile.read(file) }
///     try Progress.show("Exporting \(file)", of: count) { progress in
///       for object in objects { … ; progress.advance() }
///     }
///
/// The library counts its work in the body in a `WorkMeter`, stage by stage. The body may count, too.
final class Progress: Sendable {
  private let label: String
  private let meter: WorkMeter

  /// - Parameter label: what is done.
  init(_ label: String, _ meter: WorkMeter = WorkMeter()) {
    self.label = label.printable
    self.meter = meter
  }

  /// Notes that more is done.
  func advance(by count: Int = 1) { meter.advance(by: count) }

  /// Notes the part that is done, from 0 to 1, of what is counted in percent.
  func reach(percent part: Double) { meter.advance(by: Int(part * 100) - meter.state.done) }

  /// Begins a stage.
  ///
  /// - Parameters:
  ///   - name: what is done in it; empty for what the label says.
  ///   - total: how much there is to do; 0 if it is not known.
  ///   - unit: what is counted: `object`, `byte`, `percent`.
  func begin(_ name: String = "", of total: Int, _ unit: String = "object") {
    meter.begin(WorkMeter.Stage(name, unit), of: total)
  }

  /// Runs a body, and shows its progress.
  ///
  /// - Parameters:
  ///   - label: what is done.
  ///   - total: how much there is to do, if the body counts it; 0 if the library counts, or nothing is counted.
  ///   - unit: what is counted: `object`, `byte`, `percent`.
  static func show<Result>(
    _ label: String, of total: Int = 0, _ unit: String = "object", body: (Progress) throws -> Result
  ) rethrows -> Result {
    let progress = Progress(label)
    if total > 0 { progress.begin(of: total, unit) }
    guard TerminalSystem.isTerminal(TerminalSystem.standardError) else { return try body(progress) }
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(deadline: .now() + 1, repeating: 0.2)
    timer.setEventHandler { line.withLock { $0.write(progress) } }
    line.withLock { $0.begin(progress) }
    timer.resume()
    defer {
      timer.cancel()
      // A handler that is running finds its progress gone.
      line.withLock { $0.end(progress) }
    }
    return try WorkMeter.$current.withValue(progress.meter) { try body(progress) }
  }

  /// Clears the line, because other output follows.
  static func pause() { line.withLock { $0.clear() } }

  /// Clears the line, and shows none any more, because the process ends.
  static func stop() { line.withLock { $0.stop() } }

  // MARK: Text

  /// The line: what is done, how much of how much, and how long the rest takes at the same speed.
  var text: String {
    let state = meter.state
    var text = label
    // "Reading dogs.realm" says already that it is being read.
    if let name = state.stage?.name, !name.isEmpty, !label.lowercased().hasPrefix(name) { text += ": \(name)" }
    guard let stage = state.stage, state.total > 0 else {
      let amount = state.stage.flatMap { state.done > 0 ? Self.amount(state.done, $0.unit) : nil }
      return "\(text)  \(amount ?? Self.words(state.time))"
    }
    text += "  \(100 * state.done / state.total)%"
    if stage.unit != "percent" { text += "  \(Self.amount(state.done, of: state.total, stage.unit))" }
    guard 1..<state.total ~= state.done else { return text }
    return text + "  \(Self.words(state.time * (Double(state.total - state.done) / Double(state.done)))) left"
  }

  private static func amount(_ count: Int, _ unit: String) -> String {
    unit == "byte" ? count.inBytes : count.of(unit)
  }

  private static func amount(_ count: Int, of total: Int, _ unit: String) -> String {
    unit == "byte" ? "\(count.inBytes) of \(total.inBytes)" : "\(count) of \(total.of(unit))"
  }

  /// A time in whole seconds, rounded up: `4 s`, `1 min 5 s`, `2 h 10 min`.
  private static func words(_ time: Duration) -> String {
    let seconds = Int((time / .seconds(1)).rounded(.up))
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min" + (seconds % 60 > 0 ? " \(seconds % 60) s" : "") }
    return "\(seconds / 3600) h \(seconds / 60 % 60) min"
  }

  // MARK: Line

  private static let line = Mutex(Line())

  /// The line of the terminal that the progress takes. Of tasks in each other the innermost has it.
  private struct Line {
    private var tasks: [Progress] = []
    private var isShown = false
    private var isStopped = false

    mutating func begin(_ progress: Progress) { tasks.append(progress) }

    mutating func end(_ progress: Progress) {
      tasks.removeAll { $0 === progress }
      clear()
    }

    mutating func write(_ progress: Progress) {
      guard !isStopped, tasks.last === progress else { return }
      isShown = true
      let text = progress.text.cut(to: TerminalSystem.width - 1)
      _ = TerminalSystem.write(Array("\r\u{1B}[K\(text)".utf8), to: TerminalSystem.standardError)
    }

    mutating func clear() {
      guard isShown else { return }
      isShown = false
      _ = TerminalSystem.write(Array("\r\u{1B}[K".utf8), to: TerminalSystem.standardError)
    }

    mutating func stop() {
      isStopped = true
      clear()
    }
  }
}
