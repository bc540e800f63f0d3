// The names are those of Apple's modules, which document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Combine

/// A part of an interface.
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError("A view without a body was asked for it.") }
}

/// A view that becomes a node without another body.
@MainActor @preconcurrency
public protocol _Primitive: View where Body == Never {
  func _node(_ scope: _Scope) -> Node
}

extension _Primitive {
  public var body: Never { fatalError("\(Self.self) has no body.") }
}

@resultBuilder
@MainActor
public struct ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    var views: [any View] = []
    repeat views.append(each content)
    return TupleView(views: views)
  }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<True: View, False: View>(first: True) -> ConditionalContent<True, False> {
    .first(first)
  }
  public static func buildEither<True: View, False: View>(second: False) -> ConditionalContent<True, False> {
    .second(second)
  }
}

public struct EmptyView: View, _Primitive {
  public init() {}
  public func _node(_ scope: _Scope) -> Node { Node("empty") }
}

public struct TupleView<Content>: View, _Primitive {
  let views: [any View]
  public func _node(_ scope: _Scope) -> Node {
    Node("group", children: views.enumerated().map { scope.evaluate($1, "\($0)") })
  }
}

extension Optional: View, _Primitive where Wrapped: View {
  public func _node(_ scope: _Scope) -> Node { map { scope.evaluate($0, "some") } ?? Node("empty") }
}

public enum ConditionalContent<True: View, False: View>: View, _Primitive {
  case first(True), second(False)
  public func _node(_ scope: _Scope) -> Node {
    switch self {
    case .first(let view): scope.evaluate(view, "true")
    case .second(let view): scope.evaluate(view, "false")
    }
  }
}

/// A view with a change to its node.
struct Modified<Content: View>: View, _Primitive {
  let content: Content
  let change: (Node) -> Void
  public func _node(_ scope: _Scope) -> Node {
    let node = scope.evaluate(content, "content")
    change(node)
    return node
  }
}

/// A view in another environment.
struct InEnvironment<Content: View>: View, _Primitive {
  let content: Content
  let change: (inout EnvironmentValues) -> Void
  public func _node(_ scope: _Scope) -> Node {
    var inner = scope
    change(&inner.environment)
    return inner.evaluate(content, "content")
  }
}
