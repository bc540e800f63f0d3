// Code written for Realm imports `RealmSwift`, which re-exports Fief, its views, its publishers, and the names of
// Realm's Objective-C library.
@_exported import Fief
@_exported import FiefPublishers
@_exported import FiefViews
@_exported import Realm

/// Resolves the ambiguity with Foundation's `SortDescriptor`: code that imports this module gets Fief's type. A file
/// that also imports Foundation itself qualifies the name where it stands as a type.
///
///     let order: [RealmSwift.SortDescriptor] = ["age", "name"]
public typealias SortDescriptor = Fief.SortDescriptor
