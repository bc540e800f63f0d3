/// The configuration that the sessions of one opening share. A frozen session then costs one reference instead of a
/// copy of some fifteen fields.
final class SharedConfiguration: Sendable {
  /// The configuration, without its reference to the store.
  let value: Realm.Configuration

  init(_ configuration: Realm.Configuration) { value = configuration.withoutHold }
}
