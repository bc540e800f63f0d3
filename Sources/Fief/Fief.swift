// `import Fief` alone makes Foundation's names (Data, Date, UUID, URL) visible, as the original's import does, the
// value types, and the few names that the rooms below declare for users: what `Realm.copy`, `Realm.verify`,
// `Realm.recover` and logging take and return. An alias would not do: code that has not imported a type's module cannot
// use its members in a default argument of a public function. Whole modules, because an import of a single name wins
// over all modules that have the same name, such as `Logger`.
@_exported import FiefCopying
@_exported import FiefDurability
@_exported import FiefSessions
@_exported import FiefValues
@_exported import Foundation
