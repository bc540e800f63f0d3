import Foundation

/// The nanoseconds per operation that a program printed.
///
/// Two forms of lines are read, and other lines are ignored:
///
///     name,mode,ops,ns_per_op,…      this program, and others that have its lines
///     name,ops,total_ns,ns_per_op,…  the program for realm-core, which has names of its own
struct Figures {
  /// The name of the program, for people.
  let label: String
  /// What the program says about its run: the comment in the first line. Empty without one.
  let conditions: String
  private var figures: [String: Double] = [:]

  /// Reads a file of lines.
  ///
  /// - Throws: an error when the file cannot be read.
  init(_ label: String, contentsOf path: String) throws {
    self.init(label, try String(contentsOfFile: path, encoding: .utf8))
  }

  init(_ label: String, _ text: String) {
    self.label = label
    let lines = text.split(whereSeparator: \.isNewline)
    conditions = lines.first.map { $0.hasPrefix("#") ? $0.drop { $0 == "#" || $0 == " " } : "" }.map(String.init) ?? ""
    var foreign: [String: Double] = [:]
    for line in lines where !line.hasPrefix("#") {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      guard fields.count >= 4, let figure = Double(fields[3]), figure > 0 else { continue }
      if let mode = Mode(rawValue: String(fields[1])) {
        figures["\(fields[0]),\(mode.rawValue)"] = figure
      } else if Int(fields[1]) != nil {
        foreign[String(fields[0])] = figure
      }
    }
    for name in foreign.keys { figures["\(name),mem"] = foreign[name] }
    for (name, theirs) in Self.foreignNames {
      let parts = theirs.compactMap { foreign[$0] }
      if parts.count == theirs.count { figures["\(name),mem"] = parts.reduce(0, +) / Double(parts.count) }
    }
  }

  /// The figure of a workload, in nanoseconds.
  subscript(name: String, mode: Mode) -> Double? { figures["\(name),\(mode.rawValue)"] }

  /// Our names for workloads of the program for realm-core. Where it has two for one of ours, the mean counts. Adding
  /// an object stands beside creating one, because realm-core has no unmanaged objects.
  private static let foreignNames = [
    "set_link": ["set_link_to_one"],
    "list_insert_front": ["list_insert_front_into_1M_list"],
    "list_random_move": ["list_random_move_in_1M_list"],
    "delete_matching": ["delete_all_matching"],
    "delete_cascade": ["delete_cascade_each"],
    "query_string_contains_c": ["query_string_contains_ci"],
    "insert_dog_add": ["insert_dog_bulk"],
    "small_write_txn": ["small_write_txn_core_db"],
    "backlink_hub": ["backlink_hub_link", "backlink_hub_unlink_random"],
  ]
}
