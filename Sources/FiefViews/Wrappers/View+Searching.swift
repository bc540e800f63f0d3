#if canImport(SwiftUI) && (canImport(Darwin) || FIEF_STAND_INS)
  public import Fief
  public import SwiftUI

  /// What a search field can narrow: `$results` of `@ObservedResults` and of `@ObservedSectionedResults`.
  @MainActor
  public protocol _SearchedResults<SearchedObject> {
    /// The class of the objects.
    associatedtype SearchedObject: Object

    /// Narrows the objects by a text that a property must contain; an empty text shows all of them again.
    func search(_ text: String, in keyPath: KeyPath<SearchedObject, String>)
  }

  extension ObservedResults: _SearchedResults where ResultType: Object {
    /// The class of the objects.
    public typealias SearchedObject = ResultType
  }

  extension ObservedSectionedResults: _SearchedResults where ResultType: Object {
    /// The class of the objects.
    public typealias SearchedObject = ResultType
  }

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
    public func searchable<C: _SearchedResults>(
      text: Binding<String>, collection: C, keyPath: KeyPath<C.SearchedObject, String>,
      placement: SearchFieldPlacement = .automatic, prompt: Text? = nil
    ) -> some View {
      collection.search(text.wrappedValue, in: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field, whose prompt is looked up by a key, that narrows results or sections.
    ///
    ///     List { ForEach(dogs) { dog in DogRow(dog: dog) } }
    ///       .searchable(text: $text, collection: $dogs, keyPath: \.name, prompt: "Name of a dog")
    public func searchable<C: _SearchedResults>(
      text: Binding<String>, collection: C, keyPath: KeyPath<C.SearchedObject, String>,
      placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey
    ) -> some View {
      collection.search(text.wrappedValue, in: keyPath)
      return searchable(text: text, placement: placement, prompt: prompt)
    }

    /// Adds a search field, whose prompt is a string, that narrows results or sections.
    ///
    ///     let prompt = "Search \(dogs.count) dogs"
    ///     List { ForEach(dogs) { dog in DogRow(dog: dog) } }
    ///       .searchable(text: $text, collection: $dogs, keyPath: \.name, prompt: prompt)
    public func searchable<C: _SearchedResults, S: StringProtocol>(
      text: Binding<String>, collection: C, keyPath: KeyPath<C.SearchedObject, String>,
      placement: SearchFieldPlacement = .automatic, prompt: S
    ) -> some View {
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
    ///   - text: the text of the field; empty for all objects.
    ///   - collection: the results of the view, or its sections.
    ///   - keyPath: the property that has to contain the text.
    ///   - placement: the place of the field.
    ///   - prompt: the text of the empty field.
    ///   - suggestions: the views that are offered below the field. One with `searchCompletion` enters its text.
    public func searchable<C: _SearchedResults, Suggestions: View>(
      text: Binding<String>, collection: C, keyPath: KeyPath<C.SearchedObject, String>,
      placement: SearchFieldPlacement = .automatic, prompt: Text? = nil,
      @ViewBuilder suggestions: () -> Suggestions
    ) -> some View {
      searchable(text: text, collection: collection, keyPath: keyPath, placement: placement, prompt: prompt)
        .searchSuggestions(suggestions)
    }

    /// Adds a search field with suggestions, whose prompt is looked up by a key, that narrows results or sections.
    ///
    ///     List { ForEach(dogs) { dog in DogRow(dog: dog) } }
    ///       .searchable(text: $text, collection: $dogs, keyPath: \.name, prompt: "Name of a dog") {
    ///         ForEach(dogs) { dog in Text(dog.name).searchCompletion(dog.name) }
    ///       }
    public func searchable<C: _SearchedResults, Suggestions: View>(
      text: Binding<String>, collection: C, keyPath: KeyPath<C.SearchedObject, String>,
      placement: SearchFieldPlacement = .automatic, prompt: LocalizedStringKey,
      @ViewBuilder suggestions: () -> Suggestions
    ) -> some View {
      searchable(text: text, collection: collection, keyPath: keyPath, placement: placement, prompt: prompt)
        .searchSuggestions(suggestions)
    }

    /// Adds a search field with suggestions, whose prompt is a string, that narrows results or sections.
    public func searchable<C: _SearchedResults, S: StringProtocol, Suggestions: View>(
      text: Binding<String>, collection: C, keyPath: KeyPath<C.SearchedObject, String>,
      placement: SearchFieldPlacement = .automatic, prompt: S,
      @ViewBuilder suggestions: () -> Suggestions
    ) -> some View {
      searchable(text: text, collection: collection, keyPath: keyPath, placement: placement, prompt: prompt)
        .searchSuggestions(suggestions)
    }
  }
#endif
