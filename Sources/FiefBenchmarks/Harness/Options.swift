/// What the command line asks for.
struct Options: Equatable {
  /// Only the workloads whose names contain this; all when it is empty.
  var filter = ""
  /// How many rows there are.
  var n = 1_000_000
  var mode = Mode.mem
  /// How often each workload is measured; the median is printed.
  var runs = 3
  /// A file of another program's lines, to be printed beside ours.
  var beside: String?
  /// Whether to say what there is instead of measuring it.
  var isList = false
  /// The one workload to run in this very process. Not for people: the program gives it to the processes that it
  /// starts.
  var only: String?

  static let usage = """
    usage: FiefBenchmarks [--filter SUBSTRING] [--n N] [--mode mem|disk] [--runs K] [--beside FILE] [--list]

      --filter SUBSTRING   only the workloads whose names contain it
      --n N                how many rows, 1000 or more (1000000)
      --mode mem|disk      where the data is kept (mem)
      --runs K             how often each is measured; the median is printed (3)
      --beside FILE        another program's lines: its figure and the ratio are added to ours
      --list               says what each workload measures, and measures nothing

    Each line is name,mode,ops,ns_per_op,peak_rss_kb.
    """

  /// The options that `arguments` spell out.
  ///
  /// - Throws: `UsageError` for an option that is not known, or a value that makes no sense.
  init(_ arguments: some Sequence<String>) throws {
    var rest = arguments.makeIterator()
    while let name = rest.next() {
      func value() throws -> String {
        guard let value = rest.next() else { throw UsageError(description: "\(name) wants a value.") }
        return value
      }
      func number(atLeast least: Int) throws -> Int {
        let text = try value()
        guard let number = Int(text), number >= least else {
          throw UsageError(description: "\(name) wants a number of \(least) or more, not '\(text)'.")
        }
        return number
      }
      switch name {
      case "--filter": filter = try value()
      case "--n": n = try number(atLeast: 1000)
      case "--runs": runs = try number(atLeast: 1)
      case "--beside": beside = try value()
      case "--list": isList = true
      case "--only": only = try value()
      case "--mode":
        let text = try value()
        guard let mode = Mode(rawValue: text) else {
          throw UsageError(description: "--mode wants mem or disk, not '\(text)'.")
        }
        self.mode = mode
      default: throw UsageError(description: "There is no option '\(name)'.")
      }
    }
  }

  /// The arguments by which another process measures `workload` alone, as these options ask.
  func arguments(measuring workload: Workload) -> [String] {
    ["--only", workload.name, "--n", "\(n)", "--mode", mode.rawValue, "--runs", "\(runs)"]
      + (beside.map { ["--beside", $0] } ?? [])
  }
}

/// A command line that makes no sense, and why.
struct UsageError: Error, CustomStringConvertible {
  let description: String
}
