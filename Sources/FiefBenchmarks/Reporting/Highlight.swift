/// A workload that the tables and charts for people show, with words for it.
struct Highlight {
  let name: String
  let mode: Mode
  /// What is done. One operation of the workload is what the words name, or "per object" what they count.
  let title: String

  private init(_ name: String, _ title: String, _ mode: Mode = .mem) {
    self.name = name
    self.mode = mode
    self.title = title
  }

  /// In the order of tables: reading, finding, arranging, creating, changing, files.
  static let all = [
    Highlight("read_property_hot", "read a property of a managed object"),
    Highlight("scan_read_int", "read a property of each object in a loop"),
    Highlight("list_read", "read a property of each element of a list"),
    Highlight("backlink_read", "count the objects that link to one"),
    Highlight("pk_lookup", "find an object by its primary key and read it"),
    Highlight("query_int_range", "count by a range, without an index, per object"),
    Highlight("query_string_eq_unindexed", "count by a string, without an index, per object"),
    Highlight("query_string_contains", "count by a part of a string, per object"),
    Highlight("query_compound", "count by three conditions, per object"),
    Highlight("query_link", "count by a property behind a link, per object"),
    Highlight("query_string_eq_indexed", "count by a string, with an index"),
    Highlight("aggregate_sum", "add up a property, per object"),
    Highlight("sort_int", "sort by a number, per object"),
    Highlight("sort_string", "sort by a string, per object"),
    Highlight("insert_dog_add", "add an object of two properties"),
    Highlight("insert_dog_bulk", "create it from a dictionary"),
    Highlight("insert_person_pk_bulk", "create an object of eight properties, with a key and an embedded object"),
    Highlight("upsert_person_pk", "create it again with update: .modified"),
    Highlight("json_create", "create it from parsed JSON"),
    Highlight("copy_across", "copy it with its dogs to another realm"),
    Highlight("write_property_hot", "set a property, within a write"),
    Highlight("set_link", "set a link"),
    Highlight("list_append", "append an object to a list"),
    Highlight("list_insert_front", "insert at the front of a list of a million"),
    Highlight("delete_matching", "delete objects by a condition, per object"),
    Highlight("delete_cascade", "delete an object with what it owns"),
    Highlight("small_write_txn", "a write of one property, in memory"),
    Highlight("small_write_txn_observed", "the same, with an observer that is notified"),
    Highlight("small_write_txn", "the same, on the disk", .disk),
    Highlight("freeze_thaw", "freeze and thaw an object"),
    Highlight("open_memory_100_classes", "open an in-memory realm of 100 classes"),
    Highlight("open_file", "open a file, per object", .disk),
    Highlight("snapshot_write", "write a snapshot, per object", .disk),
    Highlight("journal_replay", "replay a commit of the journal", .disk),
  ]
}
