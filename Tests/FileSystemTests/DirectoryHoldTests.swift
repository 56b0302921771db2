import FileSystem
import Foundation
import TestSupport
import Testing

/// One at a time: who waits for a hold uses the alarm clock of the process.
@Suite(.serialized) struct DirectoryHoldTests {
    private let place = TemporaryFolder()

    /// Whether another process gets the hold.
    ///
    /// - Parameter patience: in seconds; 0 asks once.
    private func isFree(_ path: String, patience: Int = 0) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["flock", "-w", "\(patience)", path, "true"]
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    @Test func keepsAnotherProcessOutAsLongAsItLives() throws {
        var hold: DirectoryHold? = try DirectoryHold(on: place.path, runtimeFolder: nil)
        #expect(try !isFree(place.path))
        withExtendedLifetime(hold) {}
        hold = nil
        #expect(try isFree(place.path, patience: 10))
    }

    private final class Outcome: @unchecked Sendable {
        var hadLetGo: Bool?
    }

    @Test func waitsUntilAnotherHolderLetsGo() throws {
        let path = place.path
        var first: DirectoryHold? = try DirectoryHold(on: path, runtimeFolder: nil)
        let outcome = Outcome()
        let (started, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread {
            started.signal()
            if let second = try? DirectoryHold(on: path, runtimeFolder: nil) {
                outcome.hadLetGo = FileManager.default.fileExists(atPath: path + "/let-go")
                withExtendedLifetime(second) {}
            }
            done.signal()
        }.start()
        started.wait()
        // The time that this takes is the other's to get a hold that it must not get.
        #expect(try !isFree(path))
        try place.write("let-go", [])
        withExtendedLifetime(first) {}
        first = nil
        done.wait()
        #expect(outcome.hadLetGo == true)
    }

    @Test func canBeTakenAgain() throws {
        for _ in 0..<3 { _ = try DirectoryHold(on: place.path, runtimeFolder: nil) }
    }

    @Test func holdsOneFolderAndNoOther() throws {
        let other = TemporaryFolder()
        let hold = try DirectoryHold(on: place.path, runtimeFolder: nil)
        let second = try DirectoryHold(on: other.path, runtimeFolder: nil)
        withExtendedLifetime((hold, second)) {}
    }

    @Test func holdsTheFolderWhateverItIsCalled() throws {
        let link = place.path + "/link"
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: place.path)
        let hold = try DirectoryHold(on: link, runtimeFolder: nil)
        #expect(try !isFree(place.path))
        withExtendedLifetime(hold) {}
    }

    @Test func leavesNoFileWhereTheFileSystemKnowsHolds() throws {
        let runtime = TemporaryFolder()
        let hold = try DirectoryHold(on: place.path, runtimeFolder: runtime.path)
        #expect(try Folder(place.path).names().isEmpty)
        #expect(try Folder(runtime.path).names().isEmpty)
        withExtendedLifetime(hold) {}
    }

    @Test func holdsNoFileAndNothingThatIsNotThere() throws {
        let file = try place.write("file", [1])
        #expect(throws: FileError.system(operation: "open", path: file, code: ENOTDIR)) {
            try DirectoryHold(on: file, runtimeFolder: place.path)
        }
        let absent = place.path + "/absent"
        #expect(throws: FileError.notFound(path: absent)) {
            try DirectoryHold(on: absent, runtimeFolder: place.path)
        }
        #expect(try Folder(place.path).names() == ["file"])
    }
}
