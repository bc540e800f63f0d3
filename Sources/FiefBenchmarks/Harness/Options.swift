/// The options of the command line.
struct Options {
  /// Only workloads whose names contain this string run; all of them if it is empty.
  var filter = ""
  /// The number of rows.
  var n = 1_000_000
  var mode = Mode.mem
  /// The number of measurements of each workload. The median is printed.
  var runs = 3
  /// A file with the lines of another program, which are printed beside ours.
  var beside: String?
  /// Whether to list the workloads instead of measuring them.
  var isList = false
  /// Whether to measure each workload at several sizes, up to `n`.
  var isGrowth = false
  /// Files of measured lines, each with the name of its program, that are shown instead of measuring. Ours is first.
  var measured: [(label: String, path: String)] = []
  /// Whether to print the measured lines as a table.
  var isMarkdown = false
  /// The file for a chart of the measured lines.
  var chart: String?
  /// The only workload to run in this process. It is not for users: the program passes it to the processes that it
  /// starts.
  var only: String?
  /// What this process does with the file of another one. It is not for users either.
  var work: (kind: String, path: String)?

  static let usage = """
    usage: FiefBenchmarks [--filter SUBSTRING] [--n N] [--mode mem|disk] [--runs K] [--beside FILE] [--list | --growth]
           FiefBenchmarks [--markdown] [--chart FILE.svg] LABEL=FILE...

      --filter SUBSTRING   only the workloads whose names contain it
      --n N                how many rows, 1000 or more (1000000)
      --mode mem|disk      where the data is kept (mem)
      --runs K             how often each is measured; the median is printed (3)
      --beside FILE        another program's lines: its figure and the ratio are added to ours
      --list               says what each workload measures, and measures nothing
      --growth             measures with 10,000 rows and ten times as many up to N, and prints how times grow
      --markdown           prints a table of what the files hold, and measures nothing
      --chart FILE.svg     writes the same as bars on a logarithmic scale

    Each line is name,mode,ops,ns_per_op,peak_rss_kb.
    """

  /// Parses the options in `arguments`.
  ///
  /// - Throws: `UsageError` for an unknown option or an invalid value.
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
      case "--growth": isGrowth = true
      case "--markdown": isMarkdown = true
      case "--chart": chart = try value()
      case "--only": only = try value()
      case "--work": work = (try value(), try value())
      case "--mode":
        let text = try value()
        guard let mode = Mode(rawValue: text) else {
          throw UsageError(description: "--mode wants mem or disk, not '\(text)'.")
        }
        self.mode = mode
      default:
        guard !name.hasPrefix("-"), let sign = name.firstIndex(of: "=") else {
          throw UsageError(description: "There is no option '\(name)'.")
        }
        measured.append((String(name[..<sign]), String(name[name.index(after: sign)...])))
      }
    }
    if work == nil, isReport == measured.isEmpty {
      throw UsageError(description: "--markdown and --chart want the files of measured lines: LABEL=FILE, ours first.")
    }
  }

  /// Whether measured lines are shown instead of measuring.
  var isReport: Bool { isMarkdown || chart != nil }

  /// The arguments with which another process measures only `workload`, with these options.
  func arguments(measuring workload: Workload, rows: Int? = nil) -> [String] {
    ["--only", workload.name, "--n", "\(rows ?? n)", "--mode", mode.rawValue, "--runs", "\(runs)"]
      + (beside.map { ["--beside", $0] } ?? [])
  }
}

/// An invalid command line, with the reason.
struct UsageError: Error, CustomStringConvertible {
  let description: String
}
