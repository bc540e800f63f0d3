// Code written for Realm imports `RealmSwift`, which re-exports Fief, its views, its publishers, and the names of
// Realm's Objective-C library.
@_exported import Fief
@_exported import FiefPublishers
@_exported import FiefViews
@_exported import Realm

/// Resolves the ambiguity with Foundation's `SortDescriptor`: code that imports this module gets Fief's type.
public typealias SortDescriptor = Fief.SortDescriptor
