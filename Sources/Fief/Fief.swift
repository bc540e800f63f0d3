// `import Fief` alone makes Foundation's names (Data, Date, UUID, URL) visible, as the original's import does, the
// public interface, the value types, and the few names that the rooms below declare for users: what `Realm.copy`,
// `Realm.verify`, `Realm.recover` and logging take and return. An alias would not do: code that has not imported a
// type's module cannot use its members in a default argument of a public function. Whole modules, because an import of
// a single name wins over all modules that have the same name, such as `Logger`.
@_exported import FiefAsync
@_exported import FiefCopying
@_exported import FiefDurability
@_exported import FiefObjects
@_exported import FiefOpening
@_exported import FiefResults
@_exported import FiefSessions
@_exported import FiefValues
@_exported import Foundation

/// Resolves the ambiguity with Foundation's `SortDescriptor`: code that imports this module gets Fief's type. A file
/// that also imports Foundation itself qualifies the name where it stands as a type: `Fief.SortDescriptor`.
public typealias SortDescriptor = FiefResults.SortDescriptor
