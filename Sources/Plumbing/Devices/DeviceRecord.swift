package import Encodings
import Objects
package import VaultFile

/// What a device knows of one vault: `device.json`, which never leaves it.
///
/// Members that this version does not know are kept.
/// - Source: docs/devices.md, "device.json".
package struct DeviceRecord {
    package private(set) var document: JSONValue

    /// One copy of the vault that this device writes to.
    package struct StoreRecord {
        /// What a person calls it.
        package let name: String
        /// Absolute; a link at its end is followed when the file is read or written.
        package let path: String
        /// Nil where it was never read or written.
        package var lastSeen: Sight?
        /// Whether this device has something that could not be written to it.
        package var isBehind: Bool

        package init(name: String, path: String, isBehind: Bool) {
            self.name = name
            self.path = path
            lastSeen = nil
            self.isBehind = isBehind
        }
    }

    /// A state of a store's file in which it held nothing that this device lacks.
    package struct Sight {
        package let serial: Int
        package let heads: [VaultHeader.Head]
        /// `StoredFile.Identity.mark`.
        package let file: String
        /// `Folder.mark` of the folder that it lies in.
        package let folder: String
        /// When the two were last known to be equal: milliseconds since 1970, for a person.
        package var time: Int

        package init(
            serial: Int, heads: [VaultHeader.Head], file: String, folder: String, time: Int
        ) {
            self.serial = serial
            self.heads = heads
            self.file = file
            self.folder = folder
            self.time = time
        }
    }

    /// The largest record, in bytes: a header and a thousand stores.
    static let limit = 1 << 24
    static let fileName = "device.json"
    private static let schema: StaticString = "device_v1"

    /// The record of a vault that this device sees for the first time.
    package init(device: String, _ store: StoreRecord) {
        document = .object([
            .init("schema", .text("\(DeviceRecord.schema)")), .init("device", .text(device)),
            .init("fingerprint", .null), .init("header", .null),
            .init("stores", .array([DeviceRecord.stored(store)])),
        ])
    }

    /// - Throws: `DeviceError.damagedConfiguration`.
    package init(_ bytes: [UInt8], path: String) throws {
        do throws(JSONError) {
            document = try JSONReader.read(bytes[...])
        } catch {
            throw DeviceError.damagedConfiguration(path: path)
        }
        guard document["schema"] == .text("\(DeviceRecord.schema)"), text("device") != nil,
            let stored = document["stores"]?.elements,
            stored.allSatisfy({ DeviceRecord.store($0) != nil }),
            document["header"] == .null || remembered != nil
        else { throw DeviceError.damagedConfiguration(path: path) }
    }

    package var bytes: [UInt8] { JSONWriter.write(document, .stored) + [0x0A] }

    // MARK: -

    /// What a person calls this device.
    package var device: String { text("device") ?? "" }

    package var stores: [StoreRecord] {
        get { (document["stores"]?.elements ?? []).compactMap(DeviceRecord.store) }
        set { document.set("stores", .array(newValue.map(DeviceRecord.stored))) }
    }

    /// The header that was verified last and the fingerprint; nil for a vault that was never in a file.
    package var remembered: RememberedVault? {
        get {
            guard let header = document["header"], header != .null,
                case .string(let digits)? = document["fingerprint"],
                let fingerprint = Hex.decode(digits)
            else { return nil }
            do throws(HeaderError) {
                return RememberedVault(
                    header: try VaultHeader(CanonicalJSON.encode(header)), fingerprint: fingerprint)
            } catch {
                return nil
            }
        }
        set {
            document.set(
                "fingerprint", newValue.map { .string(Hex.encode($0.fingerprint)) } ?? .null)
            document.set("header", newValue?.header.document ?? .null)
        }
    }

    /// The locks of the header that was verified last.
    package var lockList: LockList { remembered?.header.lockList ?? .none }

    // MARK: -

    private func text(_ name: StaticString) -> String? { document.deviceText(name) }

    private static func store(_ value: JSONValue) -> StoreRecord? {
        guard let name = value.deviceText("name"), let path = value.deviceText("path"),
            path.utf8.first == UInt8(ascii: "/")
        else { return nil }
        var store = StoreRecord(
            name: name, path: path, isBehind: value["behind"] == .bool(true))
        if let seen = value["last_seen"], seen != .null {
            guard let sight = sight(seen) else { return nil }
            store.lastSeen = sight
        }
        return store
    }

    private static func stored(_ store: StoreRecord) -> JSONValue {
        let seen = store.lastSeen.map { seen in
            JSONValue.object([
                .init("serial", .integer(seen.serial)),
                .init(
                    "heads",
                    .object(
                        seen.heads.map {
                            .init(
                                name: Array($0.ref.utf8), value: .string($0.commit?.bytes ?? []))
                        })),
                .init("file", .text(seen.file)), .init("folder", .text(seen.folder)),
                .init("time", .integer(seen.time)),
            ])
        }
        return .object([
            .init("name", .text(store.name)), .init("path", .text(store.path)),
            .init("behind", .bool(store.isBehind)), .init("last_seen", seen ?? .null),
        ])
    }

    private static func sight(_ value: JSONValue) -> Sight? {
        guard let serial = value["serial"]?.integer, case .object(let heads)? = value["heads"],
            let file = value.deviceText("file"), let folder = value.deviceText("folder"),
            let time = value["time"]?.integer
        else { return nil }
        return Sight(
            serial: serial,
            heads: heads.map { head in
                var commit: ObjectID?
                if case .string(let text) = head.value { commit = ObjectID(text) }
                return VaultHeader.Head(
                    ref: String(decoding: head.name, as: UTF8.self), commit: commit)
            }, file: file, folder: folder, time: time)
    }
}

extension JSONValue {
    fileprivate func deviceText(_ name: StaticString) -> String? {
        guard case .string(let text)? = self[name] else { return nil }
        return String(validating: text, as: UTF8.self)
    }
}
