/// The configuration that the sessions of one opening have in common: a frozen session costs one reference, not a copy
/// of some fifteen fields.
final class SharedConfiguration: Sendable {
  /// Without what would keep the store alive.
  let value: Realm.Configuration

  init(_ configuration: Realm.Configuration) { value = configuration.withoutHold }
}
