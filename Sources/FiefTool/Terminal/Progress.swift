import Dispatch
import Synchronization

/// The progress of a task, as one line on standard error. It appears after a second, is written anew five times a
/// second, and disappears at the end. It is shown on a terminal only.
///
///     Reading dogs.realm  42%  1,300,000 of 3,100,000 objects  4 s left
///
///     try Progress.show("Reading \(file)", of: count, "object") { progress in
///       for object in objects { … ; progress.advance() }
///     }
final class Progress: Sendable {
  private let label: String
  private let total: Int
  private let noun: String
  private let done = Atomic<Int>(0)
  private let start = ContinuousClock.now

  private init(_ label: String, _ total: Int, _ noun: String) {
    self.label = label
    self.total = total
    self.noun = noun
  }

  /// Notes that more is done.
  func advance(by count: Int = 1) { done.add(count, ordering: .relaxed) }

  /// Notes how much is done.
  func reach(_ count: Int) { done.store(count, ordering: .relaxed) }

  /// Runs a body, and shows its progress.
  ///
  /// - Parameters:
  ///   - label: what is done.
  ///   - total: how much there is to do; 0 if it is not known.
  ///   - noun: what is counted: `object`, `byte`.
  static func show<Result>(
    _ label: String, of total: Int = 0, _ noun: String = "object", body: (Progress) throws -> Result
  ) rethrows -> Result {
    let progress = Progress(label.printable, total, noun)
    guard TerminalSystem.isTerminal(TerminalSystem.standardError) else { return try body(progress) }
    let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
    timer.schedule(deadline: .now() + 1, repeating: 0.2)
    timer.setEventHandler { line.withLock { $0.write(progress.text(after: ContinuousClock.now - progress.start)) } }
    timer.resume()
    defer {
      timer.cancel()
      // A handler may be running: what it writes is cleared with the next output, or by itself.
      line.withLock { $0.end() }
    }
    return try body(progress)
  }

  /// Clears the line, because other output follows.
  static func pause() { line.withLock { $0.clear() } }

  /// The line after some time.
  func text(after time: Duration) -> String {
    let done = done.load(ordering: .relaxed)
    return Self.text(label, done: done, total: total, noun: noun, seconds: time / .seconds(1))
  }

  /// The line: how much of a total is done, and how long the rest takes at the same speed.
  static func text(_ label: String, done: Int, total: Int, noun: String, seconds: Double) -> String {
    guard total > 0 else {
      return "\(label)  \(done > 0 ? done.of(noun) : "\(Int(seconds)) s")"
    }
    let left = done > 0 ? Int((seconds * Double(max(0, total - done)) / Double(done)).rounded(.up)) : nil
    return "\(label)  \(min(100, 100 * done / total))%  \(done) of \(total.of(noun))"
      + (left.map { "  \($0) s left" } ?? "")
  }

  private static let line = Mutex(Line())

  /// The line of the terminal that the progress takes.
  private struct Line {
    private var isShown = false

    mutating func write(_ text: String) {
      isShown = true
      let text = String(text.prefix(TerminalSystem.width - 1))
      _ = TerminalSystem.write(Array("\r\u{1B}[K\(text)".utf8), to: TerminalSystem.standardError)
    }

    mutating func clear() {
      guard isShown else { return }
      isShown = false
      _ = TerminalSystem.write(Array("\r\u{1B}[K".utf8), to: TerminalSystem.standardError)
    }

    mutating func end() { clear() }
  }
}
