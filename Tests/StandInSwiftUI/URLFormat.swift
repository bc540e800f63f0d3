// The names are those of Apple's modules, which document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

#if !canImport(Darwin)
  /// The form of addresses as text, which Foundation lacks off Apple's platforms.
  public struct URLFormat: ParseableFormatStyle, Codable, Hashable, Sendable {
    public func format(_ value: URL) -> String { value.absoluteString }

    public var parseStrategy: Strategy { Strategy() }

    public struct Strategy: ParseStrategy {
      public func parse(_ value: String) throws -> URL {
        guard let url = URL(string: value) else { throw CocoaError(.formatting) }
        return url
      }
    }
  }

  extension ParseableFormatStyle where Self == URLFormat {
    public static var url: URLFormat { URLFormat() }
  }
#endif
