// Code written against Realm imports this name; everything it finds is in Fief.
@_exported import Fief

/// Foundation has a type of this name, too: in code that imports this module, the realm's is meant.
public typealias SortDescriptor = Fief.SortDescriptor
