// Swift code written against Realm imports this name beside `RealmSwift`, for what the Objective-C library has.
@_exported import func Fief.RLMRealmPathForFile
@_exported import typealias Fief.RLMDecimal128
@_exported import typealias Fief.RLMError
@_exported import typealias Fief.RLMLogLevel
@_exported import typealias Fief.RLMLogger
@_exported import typealias Fief.RLMNotificationToken
@_exported import typealias Fief.RLMObjectBase
@_exported import typealias Fief.RLMObjectId
@_exported import typealias Fief.RLMPropertyType
