import Foundation

/// The figures of another program for the same work, to be printed beside ours.
struct Peers {
  private let figures: Figures

  /// Reads the other program's lines.
  ///
  /// - Throws: an error when the file cannot be read.
  init(contentsOf path: String) throws { figures = try Figures("", contentsOf: path) }

  /// The columns after the line of `name`: the peer's name, its figure, and our figure divided by it. Empty when the
  /// peer has no figure for the work.
  func columns(for name: String, _ mode: Mode, _ figure: Double) -> String {
    let peer = Self.names[name] ?? name
    guard let theirs = figures[peer, mode] else { return "" }
    return String(format: ",%@,%.2f,%.2fx", peer, theirs, figure / theirs)
  }

  /// The peers' names for the kernel's workloads. Workloads that are not listed have the same name in both programs.
  private static let names = [
    "kernel_insert_row": "insert_dog_bulk",
    "kernel_count_int_below": "query_int_range",
    "kernel_sum_int": "aggregate_sum",
    "kernel_string_equal": "query_string_eq_unindexed",
    "kernel_read_row_hot": "read_property_hot",
    "kernel_set_hot": "write_property_hot",
    "kernel_txn_one_row": "small_write_txn",
    "kernel_txn_one_row_pinned": "small_write_txn_pinned",
    "kernel_set_link": "set_link",
    "kernel_hub_link_unlink": "backlink_hub",
    "kernel_backlink_count": "backlink_read",
    "kernel_list_append": "list_append",
    "kernel_list_read": "list_read",
    "kernel_list_insert_front": "list_insert_front",
    "kernel_list_move": "list_random_move",
    "kernel_pk_lookup": "pk_lookup",
    "kernel_delete_half": "delete_matching",
    "kernel_delete_cascade": "delete_cascade",
    "kernel_memory_bytes": "memory_bytes",
    "kernel_concurrent_read": "concurrent_read",
    "kernel_open_file": "open_file",
    "kernel_snapshot_write": "snapshot_write",
    "kernel_journal_replay": "journal_replay",
    "kernel_file_bytes": "file_bytes",
    "kernel_small_write_txn": "small_write_txn",
  ]
}
