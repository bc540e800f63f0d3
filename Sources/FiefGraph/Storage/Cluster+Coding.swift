// What a codec needs of a cluster and of a graph, beyond what everybody may see.

extension Cluster {
  /// How many leaves there are: one for each column of the table.
  package var leafCount: Int { leaves.count }
}

extension Graph {
  /// The same graph as version `version` of its line: what is read from a file goes on counting where the file was written.
  package func numbered(_ version: UInt64) -> Graph { Graph(tables: tables, version: version) }
}
