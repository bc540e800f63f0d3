// A module of somebody else's, with names that the library has, too.

/// A logger, as other libraries have one.
public struct Logger {
  /// The name of its messages' source.
  public let label: String

  /// Creates a logger.
  public init(label: String) { self.label = label }
}

/// A level.
public struct LogLevel {
  /// The number.
  public let number: Int

  /// Creates a level.
  public init(number: Int) { self.number = number }
}

/// The facts about a shop.
public struct StoreInfo {
  /// The street.
  public let street: String

  /// Creates it.
  public init(street: String) { self.street = street }
}

/// A report.
public struct RecoveryReport {
  /// The day.
  public let day: Int

  /// Creates a report.
  public init(day: Int) { self.day = day }
}

/// A filter.
public struct CopyFilter {
  /// The pages.
  public let pages: Int

  /// Creates a filter.
  public init(pages: Int) { self.pages = pages }
}

/// A reader's token.
public struct RLMNotificationToken {
  /// The number.
  public let number: Int

  /// Creates a token.
  public init(number: Int) { self.number = number }
}
