import Glibc

/// A folder that this process alone may change the files of, as long as the value lives.
///
/// It is a `flock` on the folder's own descriptor, which leaves no file and ends with the process. Where the file
/// system refuses that, a file in `$XDG_RUNTIME_DIR/sgit` stands for the folder, named by its device and inode.
package final class DirectoryHold {
    private let descriptor: Int32

    /// How long another holder is waited for, in seconds.
    package static let patience = 30

    /// - Parameter runtimeFolder: `$XDG_RUNTIME_DIR`; nil where it is not set.
    /// - Throws: `FileError.held` when another process has not let go in time.
    package init(on path: String, runtimeFolder: String?) throws(FileError) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .fromErrno("open", path) }
        switch DirectoryHold.lock(folder) {
        case 0: descriptor = folder
        case ETIMEDOUT:
            close(folder)
            throw .held(path: path)
        case let refusal:
            // Nothing of it may stay open, whatever follows.
            defer { close(folder) }
            guard let runtimeFolder else {
                throw .system(operation: "hold", path: path, code: refusal)
            }
            descriptor = try DirectoryHold.standIn(for: folder, path, in: runtimeFolder)
        }
    }

    /// Holds a folder that nobody else holds; nil where somebody does, or the file system cannot tell.
    package init?(free path: String) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return nil }
        guard flock(folder, LOCK_EX | LOCK_NB) == 0 else {
            close(folder)
            return nil
        }
        descriptor = folder
    }

    deinit {
        close(descriptor)
    }

    /// Takes the lock; 0, ETIMEDOUT, or why the file system refuses.
    ///
    /// A signal every second ends the wait now and then to look at the clock: waiting in the kernel is fair, where
    /// trying again and again is not.
    private static func lock(_ descriptor: Int32) -> Int32 {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return 0 }
        guard errno == EWOULDBLOCK || errno == EINTR else { return errno }
        var interrupt = sigaction()
        interrupt.__sigaction_handler.sa_handler = { _ in }
        var before = sigaction()
        sigaction(SIGALRM, &interrupt, &before)
        // Whoever started the process may have blocked the signal.
        var alarm = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&alarm)
        sigaddset(&alarm, SIGALRM)
        pthread_sigmask(SIG_UNBLOCK, &alarm, &blocked)
        let second = timeval(tv_sec: 1, tv_usec: 0)
        var ticking = itimerval(it_interval: second, it_value: second)
        var earlier = itimerval()
        setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &ticking, &earlier)
        let start = now()
        defer {
            restore(earlier, after: now() - start)
            pthread_sigmask(SIG_SETMASK, &blocked, nil)
            sigaction(SIGALRM, &before, nil)
        }
        while true {
            if flock(descriptor, LOCK_EX) == 0 { return 0 }
            guard errno == EINTR else { return errno }
            let waited = now() - start
            // A timer that was running already ends the wait, and the process as it would have.
            let isDue = earlier.it_value.tv_sec > 0 && waited > earlier.it_value.tv_sec
            if isDue || waited >= patience { return ETIMEDOUT }
        }
    }

    /// Goes on with a timer that was running before the wait.
    private static func restore(_ earlier: itimerval, after seconds: Int) {
        var rest = earlier
        if rest.it_value.tv_sec > 0 || rest.it_value.tv_usec > 0 {
            rest.it_value.tv_sec = max(0, rest.it_value.tv_sec - seconds)
            if rest.it_value.tv_sec == 0 { rest.it_value.tv_usec = max(1, rest.it_value.tv_usec) }
        }
        setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &rest, nil)
    }

    private static func now() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec
    }

    private static func standIn(
        for folder: Int32, _ path: String, in runtimeFolder: String
    ) throws(FileError) -> Int32 {
        var status = stat()
        guard fstat(folder, &status) == 0 else { throw .fromErrno("look up", path) }
        let place = runtimeFolder + "/sgit"
        guard mkdir(place, 0o700) == 0 || errno == EEXIST else {
            throw .fromErrno("create", place)
        }
        let file = "\(place)/\(status.st_dev)-\(status.st_ino)"
        let descriptor = open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .fromErrno("create", file) }
        let refusal = lock(descriptor)
        guard refusal == 0 else {
            close(descriptor)
            if refusal == ETIMEDOUT { throw .held(path: path) }
            throw .system(operation: "hold", path: file, code: refusal)
        }
        return descriptor
    }
}
