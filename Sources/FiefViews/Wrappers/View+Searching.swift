#if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Fief
  public import SwiftUI

  extension View {
    /// Adds a search field that narrows results, or sections, to the objects whose property contains its text.
    ///
    ///     struct DogsListView: View {
    ///       @ObservedResults(Dog.self) var dogs
    ///       @State var text = ""
    ///       var body: some View {
    ///         List { ForEach(dogs) { dog in DogRow(dog: dog) } }
    ///           .searchable(text: $text, collection: $dogs, keyPath: \.name)
    ///       }
    ///     }
    ///
    /// - Parameters:
    ///   - text: the text of the field; empty for all objects.
    ///   - collection: the results of the view, or its sections.
    ///   - keyPath: the property that has to contain the text.
    ///   - placement: the place of the field.
    ///   - prompt: the text of the empty field.
    public func searchable<C: _QueryingWrapper>(
      text: Binding<String>, collection: C, keyPath: KeyPath<C.ResultType, String>,
      placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
    ) -> some View where C.ResultType: Object {
      collection.search(text.wrappedValue, in: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field, whose prompt is looked up by a key, that narrows results or sections.
    ///
    ///     List { ForEach(dogs) { dog in DogRow(dog: dog) } }
    ///       .searchable(text: $text, collection: $dogs, keyPath: \.name, prompt: "Name of a dog")
    public func searchable<C: _QueryingWrapper>(
      text: Binding<String>, collection: C, keyPath: KeyPath<C.ResultType, String>,
      placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View where C.ResultType: Object {
      collection.search(text.wrappedValue, in: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field, whose prompt is a string, that narrows results or sections.
    ///
    ///     let prompt = "Search \(dogs.count) dogs"
    ///     List { ForEach(dogs) { dog in DogRow(dog: dog) } }
    ///       .searchable(text: $text, collection: $dogs, keyPath: \.name, prompt: prompt)
    public func searchable<C: _QueryingWrapper, S: StringProtocol>(
      text: Binding<String>, collection: C, keyPath: KeyPath<C.ResultType, String>,
      placement: SearchFieldPlacement = .automatic, prompt: S
    ) -> some View where C.ResultType: Object {
      collection.search(text.wrappedValue, in: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field with suggestions that narrows results, or sections, to the objects whose property contains
    /// its text.
    ///
    ///     List { ForEach(dogs) { dog in DogRow(dog: dog) } }
    ///       .searchable(text: $text, collection: $dogs, keyPath: \.name) {
    ///         ForEach(dogs) { dog in Text(dog.name).searchCompletion(dog.name) }
    ///       }
    ///
    /// - Parameters:
    ///   - text: the text of the field; the others are those of the search field without suggestions.
    ///   - suggestions: the views that are offered below the field. One with `searchCompletion` enters its text.
    public func searchable<C: _QueryingWrapper, Suggestions: View>(
      text: Binding<String>, collection: C, keyPath: KeyPath<C.ResultType, String>,
      placement: SearchFieldPlacement = .automatic, prompt: Text? = nil,
      @ViewBuilder suggestions: () -> Suggestions
    ) -> some View where C.ResultType: Object {
      searchable(text: text, collection: collection, keyPath: keyPath, placement: placement, prompt: prompt)
        .searchSuggestions(suggestions)
    }

    /// Adds a search field with suggestions, whose prompt is looked up by a key, that narrows results or sections.
    ///
    ///     List { ForEach(dogs) { dog in DogRow(dog: dog) } }
    ///       .searchable(text: $text, collection: $dogs, keyPath: \.name, prompt: "Name of a dog") {
    ///         ForEach(dogs) { dog in Text(dog.name).searchCompletion(dog.name) }
    ///       }
    public func searchable<C: _QueryingWrapper, Suggestions: View>(
      text: Binding<String>, collection: C, keyPath: KeyPath<C.ResultType, String>,
      placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey,
      @ViewBuilder suggestions: () -> Suggestions
    ) -> some View where C.ResultType: Object {
      searchable(text: text, collection: collection, keyPath: keyPath, placement: placement, prompt: prompt)
        .searchSuggestions(suggestions)
    }

    /// Adds a search field with suggestions, whose prompt is a string, that narrows results or sections.
    public func searchable<C: _QueryingWrapper, S: StringProtocol, Suggestions: View>(
      text: Binding<String>, collection: C, keyPath: KeyPath<C.ResultType, String>,
      placement: SearchFieldPlacement = .automatic, prompt: S,
      @ViewBuilder suggestions: () -> Suggestions
    ) -> some View where C.ResultType: Object {
      searchable(text: text, collection: collection, keyPath: keyPath, placement: placement, prompt: prompt)
        .searchSuggestions(suggestions)
    }
  }
#endif
