import Devices
import Objects
import Plumbing
import Secrets
import Store

/// How many secrets a vault holds.
enum SecretCount {
    static func of(_ session: DeviceSession) throws -> Int {
        let store = session.store
        guard let head = try store.refs.read(store.mainRef()).head else { return 0 }
        return try SecretList(of: store.objects.commit(head).tree, store.objects).secrets.count
    }
}
