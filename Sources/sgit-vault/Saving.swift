import CommandInterface
import Devices
import Plumbing

/// What a person is told of the stores after a change, one line each.
enum Saving {
    /// - Returns: the status of the first store that failed; a store whose disk is not there is no failure.
    static func tell(
        _ outcomes: [DeviceSession.Outcome], _ person: Person, _ call: Invocation
    ) -> ExitStatus {
        var status = ExitStatus.success
        for outcome in outcomes {
            let name = outcomes.count > 1 ? outcome.store.name + "  " : ""
            switch outcome.state {
            case .saved:
                person.say("\(name)saved \(LocalTime.clock(call.now))")
                if outcome.wentBack { warn(outcome, call) }
            case .away, .failed:
                person.endLine()
                warn(outcome, call)
                if case .failed(let error) = outcome.state, status == .success {
                    status = report(on: error).status
                }
            }
        }
        return status
    }

    /// Says why a store has not what this device has; nothing of one that has.
    static func warn(_ outcome: DeviceSession.Outcome, _ call: Invocation) {
        let path = outcome.store.path
        switch outcome.state {
        case .saved:
            guard outcome.wentBack else { return }
            say(
                outcome,
                "went back in time: '\(path)' was older than what this device saw there last",
                "what it lacks is on this device, and is written there with each change", call)
        case .away:
            say(
                outcome, "not saved: '\(path)' is not there",
                "what changed is safe on this device, and is written when the file is back", call)
        case .failed(let error):
            let report = report(on: error)
            say(
                outcome, "not saved: \(report.message)",
                report.hint ?? "what changed is safe on this device; the next command tries again",
                call)
        }
    }

    private static func say(
        _ outcome: DeviceSession.Outcome, _ words: String, _ hint: String, _ call: Invocation
    ) {
        call.say(displayable("\(outcome.store.name)  \(words)"))
        call.say("hint: " + displayable(hint))
    }

    static func report(on error: any Error) -> Report {
        (error as? any Reportable)?.report ?? Report("\(error)", status: .failure)
    }
}
