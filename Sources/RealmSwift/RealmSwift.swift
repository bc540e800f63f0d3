// Code written against Realm imports this name; everything it finds is in Fief.
@_exported import Fief
