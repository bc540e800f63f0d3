// Swift code for Realm imports `Realm` next to `RealmSwift` to get names of the Objective-C library.
@_exported import func Fief.RLMRealmPathForFile
@_exported import typealias Fief.RLMDecimal128
@_exported import typealias Fief.RLMError
@_exported import typealias Fief.RLMLogLevel
@_exported import typealias Fief.RLMLogger
@_exported import typealias Fief.RLMNotificationToken
@_exported import typealias Fief.RLMObjectBase
@_exported import typealias Fief.RLMObjectId
@_exported import typealias Fief.RLMPropertyType
