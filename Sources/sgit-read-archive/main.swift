// sgit-read-archive: reads an archive that another program made, and hands on what it holds.
import CommandInterface
import Encodings
import ForeignArchives
import Plumbing
import SecretMemory

let tool = Tool(
    "sgit-read-archive", "read an archive that another program made, for sgit-unpack",
    usage: [[]])

tool.main { call in
    let archive = try ForeignArchive(0, path: "standard input")
    ProcessHardening.confine(memory: 2 << 30, seconds: 1800)
    let isWhole = try archive.read { call.output.write($0.encoded) }
    return isWhole ? .success : .damaged
}
