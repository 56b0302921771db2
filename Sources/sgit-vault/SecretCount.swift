import Devices
import Objects
import Plumbing
import Secrets
import Store

/// How many secrets a vault holds, also those that cannot be read.
enum SecretCount {
    static func of(_ session: DeviceSession) throws -> Int {
        let store = session.store
        guard let head = try store.refs.read(store.mainRef()).head else { return 0 }
        let list = try SecretList(of: store.objects.commit(head).tree, store.objects)
        return list.secrets.count + list.unread.count
    }
}
