import FileSystem
import Objects

/// The small files of a store that are no objects: refs, the index, keys.
///
/// Their names are no hashes.
struct SealedFiles {
    let folder: String
    let cipher: EnvelopeCipher

    /// The plaintext of a file; nil where there is none of that name.
    ///
    /// - Parameter isDerived: whether the name comes from the key. Then that it is there shows that the key is
    ///   right, and a seal that does not fit is damage; any other file says so only once something has opened.
    func read(_ name: String, limit: Int, isDerived: Bool) throws -> ArraySlice<UInt8>? {
        guard var envelope = try envelope(name, limit: limit) else { return nil }
        let isRightKey = isDerived || cipher.hasOpened
        var attempts = 0
        while true {
            do throws(EnvelopeError) {
                return try cipher.open(envelope, limit: limit)
            } catch {
                // sgit writes these files in place: one that changes under the reader is read again.
                attempts += 1
                if attempts < 8, let now = try self.envelope(name, limit: limit), now != envelope {
                    envelope = now
                    continue
                }
                switch error {
                case .tooLarge(let limit): throw StoreError.tooLarge(subject: name, limit: limit)
                case .notAuthentic where !isRightKey:
                    throw StoreError.keyDoesNotFit(subject: name)
                default: throw StoreError.damaged(subject: name, reason: error)
                }
            }
        }
    }

    /// The file as it is stored; nil where there is none of that name.
    func envelope(_ name: String, limit: Int) throws -> [UInt8]? {
        do throws(FileError) {
            return try Folder(folder).read(
                name, limit: limit + EnvelopeLayout.overhead + EnvelopeLayout.magicCount)
        } catch {
            switch error {
            case .notFound: return nil
            case .tooLarge: throw StoreError.tooLarge(subject: name, limit: limit)
            case .notRegular: throw StoreError.damaged(subject: name, reason: error)
            case .system, .held: throw error
            }
        }
    }

    /// The names in the folder, in order of bytes; none where it is absent.
    func names() throws -> [String] {
        do throws(FileError) {
            return try Folder(folder).names()
        } catch {
            if case .notFound = error { return [] }
            throw error
        }
    }
}
