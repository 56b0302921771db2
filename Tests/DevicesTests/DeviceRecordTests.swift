import Devices
import Encodings
import Testing
import VaultFile

@Suite struct DeviceRecordTests {
    private func read(_ text: String) throws -> DeviceRecord {
        try DeviceRecord(Array(text.utf8), path: "device.json")
    }

    private func text(_ record: DeviceRecord) -> String {
        String(decoding: record.bytes, as: UTF8.self)
    }

    private let store =
        #"{"name": "my", "path": "/a/my.sgvault", "behind": true, "last_seen": {"serial": 3, "heads": {"ref-pid-muw-000000000000": "obj-cas-imm-e3b0c44298fc", "ref-pid-snw-000000000001": ""}, "file": "f", "folder": "d", "time": 5}}"#

    @Test func isWrittenAsItWasRead() throws {
        let whole =
            #"{"schema": "device_v1", "x-new": {"a": null}, "device": "desk", "fingerprint": null, "header": null, "stores": [\#(store)], "last": 1}"#
            + "\n"
        var record = try read(whole)
        #expect(text(record) == whole && record.device == "desk" && record.remembered == nil)
        record.stores = record.stores
        #expect(text(record) == whole)
        let seen = try #require(record.stores[0].lastSeen)
        #expect(seen.serial == 3 && seen.heads.map { $0.commit == nil } == [false, true])
        #expect(record.stores[0].isBehind && record.lockList.locks.isEmpty)
    }

    @Test func aNewOneHasOneStoreThatWasNeverSeen() throws {
        let record = DeviceRecord(
            device: "desk", .init(name: "my", path: "/a/my.sgvault", isBehind: true))
        let again = try read(text(record))
        #expect(again.document == record.document)
        #expect(again.stores.count == 1 && again.stores[0].lastSeen == nil)
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"schema": "device_v2", "device": "d", "header": null, "stores": []}"#,
        #"{"schema": "device_v1", "header": null, "stores": []}"#,
        #"{"schema": "device_v1", "device": "d", "header": null}"#,
        #"{"schema": "device_v1", "device": "d", "header": {}, "fingerprint": "00", "stores": []}"#,
        #"{"schema": "device_v1", "device": "d", "header": null, "stores": [{"name": "n", "path": "a"}]}"#,
        #"{"schema": "device_v1", "device": "d", "header": null, "stores": [{"name": "n", "path": "/a", "last_seen": {}}]}"#,
    ])
    func whatIsNoneIsDamage(text: String) {
        #expect(throws: DeviceError.self) { try read(text) }
    }
}
