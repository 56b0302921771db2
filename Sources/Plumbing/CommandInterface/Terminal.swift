package import SecretMemory

package enum TerminalError: Error { case closed, tooLong, system(code: Int32) }
package final class Terminal {
    package enum Echo { case shown, hidden }
    package static func controlling() -> Terminal? { nil }
    package var isInLine: Bool { false }
    package func ask(_ prompt: String, _ echo: Echo) throws(TerminalError) -> SecretBytes {
        throw .closed
    }
    package func write(_ text: String) {}
    package func write(_ secret: SecretBytes) {}
    package func endLine() {}
}
