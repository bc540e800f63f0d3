/// New rows of one chunk of keys.
public struct InsertedRows: Sendable {
  /// The chunk.
  public var chunk: Int64
  /// The rows and their cells: a leaf for each column of the new schema.
  public var rows: Cluster

  /// Makes the insertion of the rows `rows` into `chunk`.
  public init(chunk: Int64, rows: Cluster) {
    self.chunk = chunk
    self.rows = rows
  }
}
