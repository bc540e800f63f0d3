import RealmSwift
import SwiftUI

// The views of the page about writing from views, as they stand there.
// swift-format-ignore-file

class Dog: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var _id: UUID
  @Persisted var name = ""
  @Persisted var breed = ""
  @Persisted var weight = 0
  @Persisted var favoriteToy = ""
  @Persisted var profileImageUrl = ""
}

class Person: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var firstName = ""
  @Persisted var lastName = ""
  @Persisted var dogs: RealmSwift.List<Dog>
}

func createDog(name: String, breed: String, weight: Int, favoriteToy: String, profileImageUrl: URL?) -> Dog {
  Dog(value: [
    "name": name, "breed": breed, "weight": weight, "favoriteToy": favoriteToy,
    "profileImageUrl": profileImageUrl?.absoluteString ?? "",
  ])
}

struct DogRow: View {
  @ObservedRealmObject var dog: Dog
  var body: some View {
    Text(dog.name)
  }
}

struct EditDogDetails: View {
  @ObservedRealmObject var dog: Dog
  var body: some View {
    VStack {
      Text(dog.name)
        .font(.title2)
      TextField("Favorite toy", text: $dog.favoriteToy)
    }
  }
}

struct DogsListView: View {
  @ObservedResults(Dog.self) var dogs
  var body: some View {
    NavigationView {
      VStack {
        // The list shows the dogs in the realm.
        List {
          ForEach(dogs) { dog in
            DogRow(dog: dog)
            // Because `$dogs` here accesses an ObservedResults
            // collection, we can remove the specific dog from the collection.
            // Regular Realm Results are immutable, but you can write directly
            // to an `@ObservedResults` collection.
          }.onDelete(perform: $dogs.remove)
        }.listStyle(GroupedListStyle())
          .navigationBarTitle("Dogs", displayMode: .large)
          .navigationBarBackButtonHidden(true)
        // Action bar at bottom contains Add button.
        HStack {
          Spacer()
          Button(action: {
            // The bound collection automatically
            // handles write transactions, so we can
            // append directly to it. This example assumes
            // we have some values to populate the Dog object.
            $dogs.append(Dog(value: ["name": "Bandido"]))
          }) { Image(systemName: "plus") }
          .accessibilityIdentifier("addDogButton")
        }.padding()
      }
    }
  }
}

struct AddDogToPersonView: View {
  @ObservedRealmObject var person: Person
  @Binding var isInAddDogView: Bool
  @State var name = ""
  @State var breed = ""
  @State var weight = 0
  @State var favoriteToy = ""
  @State var profileImageUrl: URL?
  var body: some View {
    Form {
      TextField("Dog's name", text: $name)
      TextField("Dog's breed", text: $breed)
      TextField("Dog's weight", value: $weight, format: .number)
      TextField("Dog's favorite toy", text: $favoriteToy)
      TextField("Image link", value: $profileImageUrl, format: .url)
        .keyboardType(.URL)
        .textInputAutocapitalization(.never)
        .disableAutocorrection(true)
      Section {
        Button(action: {
          let dog = createDog(
            name: name, breed: breed, weight: weight, favoriteToy: favoriteToy, profileImageUrl: profileImageUrl)
          $person.dogs.append(dog)
          isInAddDogView.toggle()
        }) {
          Text("Save")
        }
        Button(action: {
          isInAddDogView.toggle()
        }) {
          Text("Cancel")
        }
      }
    }
  }
}
