// `import Fief` alone makes Foundation's names (Data, Date, UUID, URL) and the value types visible, as the
// original's import does, and what `Realm.verify` and `Realm.recover` report. An alias would not do: who has not
// imported a type's module cannot use its members in a default argument of a public function.
@_exported import enum FiefCopying.CopyCycles
@_exported import struct FiefCopying.CopyFilter
@_exported import enum FiefCopying.CopyKeys
@_exported import struct FiefDurability.RecoveryReport
@_exported import struct FiefDurability.StoreInfo
@_exported import struct FiefDurability.StoreReport
import FiefSessions
@_exported import enum FiefSessions.LogLevel
@_exported import class FiefSessions.Logger
@_exported import FiefValues
@_exported import Foundation
