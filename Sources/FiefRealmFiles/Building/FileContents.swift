import FiefGraph

/// The tables of a file with their rows' keys, sorted into those of the application and others.
struct FileContents {
  /// The tables of the application.
  let tables: ImportedTables
  /// The names of the other tables, but for those that are read here.
  let otherTables: [String]
  /// The number of the newest commit.
  let version: UInt64
  /// The version that the application gave to its schema.
  let schemaVersion: UInt64
  /// Primary keys by class, as files kept them before tables did.
  let primaryKeys: [String: String]

  init(_ file: FileBytes) throws(RealmFileError) {
    let (all, version) = try file.tables()
    self.version = version
    let metadata = all.first { $0.name == "metadata" }
    let isBare = metadata == nil && !all.contains { $0.name.hasPrefix(FileTable.classPrefix) }
    var tables: [ImportedTable] = []
    var others: [String] = []
    for table in all {
      guard isBare || table.name.hasPrefix(FileTable.classPrefix) else {
        if table.name != "metadata" && table.name != "pk" { others.append(table.name) }
        continue
      }
      file.place = FilePlace(table: table.className)
      var rows = RowNumbers(file)
      try ClusterTree.forEachCluster(of: table.rows, in: file) { (cluster) throws(RealmFileError) in
        // The last key is the highest, so the others are not negative either.
        guard cluster.key(cluster.count - 1) >= 0 else {
          throw file.damage("an object has a negative key", at: cluster.position)
        }
        try file.charge(1, of: RowNumbers.clusterSize)
        rows.append(cluster)
      }
      var tombstones = 0
      if table.tombstones != 0 {
        try ClusterTree.forEachCluster(of: table.tombstones, in: file) { tombstones += $0.count }
      }
      tables.append(
        ImportedTable(
          file: table, key: TableKey(rawValue: UInt32(tables.count + ImportedTable.firstKey)), rows: rows,
          tombstones: tombstones))
      file.place = FilePlace()
    }
    self.tables = ImportedTables(tables)
    otherTables = others
    schemaVersion = try metadata.map { (table) throws(RealmFileError) in try Self.schemaVersion(table, file) } ?? 0
    let pairs = try all.first { $0.name == "pk" }.map { (table) throws(RealmFileError) in
      try Self.primaryKeys(table, file)
    }
    primaryKeys = pairs ?? [:]
    file.place = FilePlace()
  }

  private static func schemaVersion(_ table: FileTable, _ file: FileBytes) throws(RealmFileError) -> UInt64 {
    file.place = FilePlace(table: table.name)
    guard let column = table.column(named: "version"), column.type == .integer, column.shape == .single else {
      return 0
    }
    var version: Int64?
    try ClusterTree.forEachCluster(of: table.rows, in: file) { (cluster) throws(RealmFileError) in
      guard version == nil else { return }
      let node = try cluster.column(column.leaf, file)
      version = try file.integer(node, at: column.isNullable ? 1 : 0)
    }
    // A file without a schema has all bits set.
    return UInt64(clamping: max(version ?? 0, 0))
  }

  private static func primaryKeys(_ table: FileTable, _ file: FileBytes) throws(RealmFileError) -> [String: String] {
    file.place = FilePlace(table: table.name)
    guard let name = table.column(named: "pk_table"), let property = table.column(named: "pk_property"),
      name.type == .string, property.type == .string, name.shape == .single, property.shape == .single
    else { return [:] }
    var keys: [String: String] = [:]
    let enumerations = (try file.enumeration(name.enumeration), try file.enumeration(property.enumeration))
    try ClusterTree.forEachCluster(of: table.rows, in: file) { (cluster) throws(RealmFileError) in
      let names = try file.texts(
        try cluster.column(name.leaf, file), enumeration: enumerations.0, isNullable: name.isNullable)
      let properties = try file.texts(
        try cluster.column(property.leaf, file), enumeration: enumerations.1, isNullable: property.isNullable)
      try file.charge(names.values.count, of: 80)
      for (name, property) in zip(names.values, properties.values) { keys[name] = property }
    }
    return keys
  }
}
