// Code written for Realm imports `RealmSwift`, which re-exports Fief, its views and its publishers.
@_exported import Fief
@_exported import FiefPublishers
@_exported import FiefViews

/// Resolves the ambiguity with Foundation's `SortDescriptor`: code that imports this module gets Fief's type.
public typealias SortDescriptor = Fief.SortDescriptor
