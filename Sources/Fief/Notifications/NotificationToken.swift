/// Keeps an observation alive: letting go of it ends the observation.
public final class NotificationToken: @unchecked Sendable {
  init() {}
}
