#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Testing

  @Suite struct TourTests {
    @Test func theTourPrintsTheSameTextInEveryRun() throws {
      for _ in 0..<2 {
        let outcome = try Program.run("tour")
        #expect(outcome.status == 0)
        #expect(outcome.complaints == "")
        // Compared line by line, so that a failure shows the line that differs.
        let (said, expected) = (outcome.output.split(separator: "\n"), tour.split(separator: "\n"))
        for (said, expected) in zip(said, expected) { #expect(said == expected) }
        #expect(outcome.output == tour)
      }
    }

    @Test func theTourCanBeReadInATerminalOfAHundredColumns() throws {
      for line in try Program.run("tour").output.split(separator: "\n") {
        #expect(line.count <= 100, "\(line)")
        #expect(line.last != " ", "\(line)")
      }
    }
  }

  private let tour = """
    1. Classes are declared, and a realm is opened in a new file
       Dog                                         name: string, age: int, toy: Toy?, tricks: set of
                                                   string, parks: map to string, friend: mixed
       what is not stored, but known               owners: who has it as (Person)
       Toy                                         name: string
       Person                                      id: int, name: string, dogs: list of Dog, home:
                                                   Address?
       Address (embedded)                          street: string, city: string
       dogs.realm before and after its opening     not there, there
       what is in it                               nothing yet

    2. Objects are created: of properties, dictionaries, arrays and JSON
       an instance, filled and then added          Rex, 3
       create from a dictionary                    Fido, 5
       an instance from an array                   Luna, 1
       Ann from JSON, with a dog in it             Ann [Bello]
       what Bello's JSON had in it                 bone
       how many there are                          4 dogs, 2 persons

    3. Objects are related, and each link is known at both ends
       Rex.toy = a new Toy (to one)                ball
       Ann.dogs takes Rex and Fido (to many)       [Bello, Rex, Fido]
       Ben.dogs takes Luna and Rex                 [Luna, Rex]
       Rex.owners, which nobody sets (inverse)     [Ann, Ben]
       Ann.dogs.move(from: 0, to: 2)               [Rex, Fido, Bello]

    4. Embedded objects have one owner, and go with it
       Ann.home = an Address on Elm Street         Elm Street, Springfield
       Ann moves to Oak Street                     Oak Street, Springfield
       the address on Elm Street                   was deleted with its owner

    5. Sets, maps and values of any type are properties like others
       Rex.tricks takes sit, roll, sit             roll, sit
       Rex.parks by city, Berlin's twice           Berlin: Mauerpark, Kyoto: Maruyama
       Rex.friend, three times given another type  the string 'a cat', then the object Fido, then a
                                                   list of 2

    6. Objects are updated, and every instance shows it
       Rex.age += 1, seen by another instance      4
       rex["name"] = "Max" (by name)               Max
       create with id 1 again, update: .modified   Anna [Max, Fido, Bello]
       persons, still                              2

    7. Objects are asked for, and the answers stay up to date
       dogs.where { $0.age < 4 }                   [Luna]
       dogs.filter("name CONTAINS[c] 'f'")         [Fido]
       whose dog has a ball (through two links)    [Anna, Ben]
       dogs sorted by age, the oldest first        [Bello, Fido, Max, Luna]
       the sum and the average of their ages       19 and 4.75
       a pup is born: the first answer now         [Luna, Pup]
       and is given away                           [Luna]

    8. Changes are told to whoever wants to hear of them
       observe all dogs, and Luna                  there are 4
       Luna.age = 2 and a new dog, in one write    age from 1 to 2; deleted [], inserted [4], modified
                                                   [2]
       the new dog is given away                   deleted [4], inserted [], modified []
       Luna.age = 2 once more                      nothing

    9. What was written is undone: all of it, or a part
       delete everything, then cancelWrite()       0 dogs, then 4
       an instance from before                     Max, 4
       a write whose block throws: Max.age is      4
       age 5, and in a savepoint 6 and no toys     5, ball

    10. What makes no sense fails the write, and changes nothing
       a person with a key that is taken           Attempting to create an object of type 'Person' with
                                                   an existing primary key value '1': use an update
                                                   policy to change the object that is there.
       a dog whose age is a word                   Invalid value 'three' for property 'Dog.age':
                                                   expected Int.
       a map's key with a dot                      Map key 'New York.Queens' at Dog.parks begins with
                                                   '$' or contains '.': percent-encode these
                                                   characters.
       create from a dog that reaches itself       The value contains a cycle, which create cannot
                                                   copy: Dog.friend.friend -> Dog. Add the objects
                                                   themselves with add, or copy them with copy(_:),
                                                   which keeps cycles.
       versions that came of this                  0
       dogs and persons                            4 and 2

    11. A frozen version stays as it is, beside the latest
                                                   frozen                    latest
       Anna.dogs                                   [Max, Fido, Bello]        [Max, Bello]
       Anna.home                                   Oak Street, Springfield   nowhere
       ages                                        5, 5, 2, 9                15, 15, 12, 19
       the frozen Anna, thawed                     [Max, Bello]

    12. Objects are deleted, and links to them with them
       delete Max: his instance is                 invalid
       the lists that had him                      Anna [Bello], Ben [Luna]
       his toy, which nobody has now               bone, ball
       delete Ben's dogs, and Ben                  [Fido, Bello], [Anna]

    13. Objects are copied to another realm, with all that they reach
       Anna in a realm in memory                   Anna [Bello], with a bone
       there Bello is called Bella                 there [Bella], here [Bello]

    14. The file is closed, checked, and opened again
       the file before and after closing           notClosed, closed
       fief verify dogs.realm                      sound, 5 objects
       Anna, read from the file                    Anna [Bello]
       all dogs                                    Fido, 15; Bello, 19
       Bello's toy and owners                      bone, [Anna]

    What stands on the right was read from the realm: 64 claims checked, all true.

    """
#endif
