// The names are those of Apple's modules, which document them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public struct Font: Sendable {
  public static let title2 = Font()
}

public protocol ListStyle {}

public struct GroupedListStyle: ListStyle {
  public init() {}
}

public enum NavigationBarItem {
  public enum TitleDisplayMode { case automatic, inline, large }
}

public enum UIKeyboardType { case `default`, URL }

public struct TextInputAutocapitalization: Sendable {
  public static var never: TextInputAutocapitalization { TextInputAutocapitalization() }
}

public struct SearchFieldPlacement: Sendable {
  public static let automatic = SearchFieldPlacement()
}

extension View {
  public func font(_ font: Font?) -> some View { self }
  public func listStyle<S: ListStyle>(_ style: S) -> some View { self }
  public func padding() -> some View { self }
  public func keyboardType(_ type: UIKeyboardType) -> some View { self }
  public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View { self }
  public func disableAutocorrection(_ disable: Bool?) -> some View { self }
  public func navigationBarBackButtonHidden(_ hides: Bool) -> some View { self }

  public func navigationBarTitle(
    _ title: LocalizedStringKey, displayMode: NavigationBarItem.TitleDisplayMode
  ) -> some View {
    Modified(content: self) { $0.children.append(Node("title", title.text)) }
  }

  public func accessibilityIdentifier(_ identifier: String) -> some View {
    Modified(content: self) { $0.identifier = identifier }
  }

  public func searchable(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
  ) -> some View {
    Modified(content: self) { node in
      let field = Node("search", text.wrappedValue, children: prompt.map { [Node("prompt", $0.text)] } ?? [])
      field.type = { text.wrappedValue = $0 }
      node.children.append(field)
    }
  }

  public func searchable(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
  ) -> some View { searchable(text: text, placement: placement, prompt: Text(prompt)) }

  @_disfavoredOverload
  public func searchable<S: StringProtocol>(
    text: Binding<String>, placement: SearchFieldPlacement = .automatic, prompt: S
  ) -> some View { searchable(text: text, placement: placement, prompt: Text(String(prompt))) }

  public func searchSuggestions<S: View>(@ViewBuilder _ suggestions: () -> S) -> some View {
    WithSuggestions(content: self, suggestions: suggestions())
  }

  public func searchCompletion(_ completion: String) -> some View {
    Modified(content: self) { $0.completion = completion }
  }
}

/// A view whose search field offers others.
struct WithSuggestions<Content: View, Suggestions: View>: View, _Primitive {
  let content: Content
  let suggestions: Suggestions
  func _node(_ scope: _Scope) -> Node {
    let node = scope.evaluate(content, "content")
    let offered = Node("suggestions", children: [scope.evaluate(suggestions, "suggestions")])
    node.all.first { $0.kind == "search" }?.children.append(offered)
    return node
  }
}
