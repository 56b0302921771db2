// The input is the record that a device keeps of a vault.
import Devices
import Harness

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = bytes(start, count)
    guard let record = read(input) else { return 0 }
    plantFault(on: Array(record.device.utf8))
    expect(record.stores.allSatisfy { $0.path.utf8.first == 0x2F }, "every store has its path")
    guard let again = read(record.bytes) else {
        expect(false, "what is written can be read")
        return 0
    }
    expect(again.document == record.document, "what is written reads the same")
    var changed = record
    changed.stores = record.stores
    expect(
        read(changed.bytes)?.stores.count
            == record.stores.count, "stores that are written are the same stores")
    return 0
}

private func read(_ bytes: [UInt8]) -> DeviceRecord? {
    do {
        return try DeviceRecord(bytes, path: "device.json")
    } catch is DeviceError {
        return nil
    } catch {
        expect(false, "an error that is not declared")
        return nil
    }
}
