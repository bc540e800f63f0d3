// Code written for Realm imports `RealmSwift`, which re-exports Fief.
@_exported import Fief

/// Resolves the ambiguity with Foundation's `SortDescriptor`: code that imports this module gets Fief's type.
public typealias SortDescriptor = Fief.SortDescriptor
