extension TableSchema {
  /// The beginning of the names of tables that a store keeps for itself. No class may have such a name.
  package static let internalPrefix = "fief."

  /// The table of documents that wait for their delivery.
  package static let outboxName = "fief.outbox"

  /// Whether the table is the store's own: no class has it, and no change of it concerns the application.
  package var isInternal: Bool { name.utf8.starts(with: Self.internalPrefix.utf8) }
}
