#if os(Linux) || os(macOS) || os(Windows) || os(FreeBSD) || os(OpenBSD)
  import Testing

  @Suite struct TourTests {
    @Test func theTourSaysWhatTheKernelDoesAndTheSameInEveryRun() throws {
      for _ in 0..<2 {
        let outcome = try Program.run("tour")
        #expect(outcome.status == 0)
        #expect(outcome.complaints == "")
        // Line by line, so that a difference is shown where it is.
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
    1. Tables are declared
       Dog                                         name: string, age: int
       Address (embedded)                          street: string
       Person                                      name: string, age: int, dog: link to Dog, walks:
                                                   list of link to Dog, home: link to Address, note:
                                                   any

    2. Rows are created, in one transaction
       create dogs Rex, Fido and Luna              3 dogs
       create persons Ann and Ben                  2 persons
       Rex's key, which no other dog ever gets     #0
       Ann.dog, which nobody has set               null
       Ann.walks, which nobody has filled          []

    3. Rows are related, and each link is known at both ends
       Ann.dog = Rex                               Rex
       Ben.dog = Rex                               Rex
       Ann.walks takes Rex, Fido, Rex, Luna        [Rex, Fido, Rex, Luna]
       who has Rex as dog? (a backlink)            Ann, Ben
       who walks Rex? (once for each link)         Ann, Ann

    4. Embedded rows have one owner, always
       Ann.home = an Address on Elm Street         Address #0, owned by Ann
       Ann moves to Oak Street                     Address #1, owned by Ann
       the address on Elm Street                   went with the place that it had
       Ben.home = an Address on High Street        Address #2, owned by Ben

    5. Cells are updated; the version before is kept
       Ann.age = 31, then 32 ... then 50           50
       Ann.note = a string (it holds any value)    'likes tea'
       Ben.note = a number                         42
       Luna walks first, and Rex once less         [Luna, Fido, Rex]

    6. A part of a transaction is undone
       save, then delete all dogs                  0 dogs, and Ann walks []
       restore what was saved                      3 dogs, and Ann walks [Luna, Fido, Rex]
       anything different from before?             no

    7. What makes no sense is refused, and changes nothing
       Ann.age = 'fifty'                           'Person.age' of object #0 cannot hold 'fifty': it is
                                                   an int.
       an Address that nobody owns                 'Address' is embedded: its objects are made in their
                                                   owners, by createOwned.
       Ben.home = the Address that Ann owns        'Person.home' of object #1 cannot be given an object
                                                   that is there already: an embedded object is made in
                                                   its place.
       anything different from before?             no

    8. Rows are deleted, and so is what they own
       delete Rex                                  2 dogs
       Ann.dog and Ben.dog, which linked to Rex    null and null
       Ann.walks, which had Rex in it              [Luna, Fido]
       delete Ben, who owns an address             1 person
       addresses before and after                  2 and 1

    9. The version kept in step 5, beside the latest
                                                   kept                      latest
       version                                     6                         9
       dogs                                        3                         2
       Ann.age                                     30                        50
       Ann.walks                                   [Rex, Fido, Rex, Luna]    [Luna, Fido]
       their delta, which is all that a commit writes:
         Dog #0 is gone (Rex)
         Address #2 is gone
         Person #1 is gone (Ben)
         Ann.age is now 50
         Ann.dog is now null
         Ann.walks lost what stood at 0 to 2, got [Fido] at 4
         Ann.note is now 'likes tea'
       that delta, applied to the kept version     gives the latest

    10. Every link, owner and count is proved, in both versions
       checkInvariants() of the kept version       no fault
       checkInvariants() of the latest version     no fault

    What stands on the right was read from the graph: 40 claims checked, all true.

    """
#endif
