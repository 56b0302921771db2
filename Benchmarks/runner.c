/* Runs commands in turn and says what each run cost.
 *
 *   runner ROUNDS INPUT -- COMMAND... [-- COMMAND...]...
 *   runner once INPUT -- COMMAND... [-- COMMAND...]...
 *
 * One round, not counted, warms up. Then ROUNDS times each command once, every other round in reverse
 * order. With `once`, each is run once, in order and without a warm-up: the steps of one work. A command
 * has INPUT as stdin and nothing else to read; its stdout goes to /dev/null. One line a run: number of the
 * command, wall time in ns, CPU time (user and system) in us, peak memory in KiB.
 *
 * It is in C, and small, because what a process costs is measured from outside: the peak memory that
 * wait4 gives for a child starts at its parent's, and an interpreter would add its own time to both sides.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void die(const char *what, const char *about) {
    fprintf(stderr, "runner: %s '%s'\n", what, about);
    exit(2);
}

static long long nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static long long microseconds(struct timeval t) { return t.tv_sec * 1000000LL + t.tv_usec; }

static void run(int number, char **command, const char *input, int counted) {
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);

    pid_t child;
    int status;
    struct rusage cost;
    long long start = nanoseconds();
    if (posix_spawn(&child, command[0], &files, NULL, command, environ) != 0) die("cannot start", command[0]);
    if (wait4(child, &status, 0, &cost) != child) die("cannot wait for", command[0]);
    long long wall = nanoseconds() - start;
    posix_spawn_file_actions_destroy(&files);

    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) die("failed:", command[0]);
    if (counted)
        printf("%d %lld %lld %ld\n", number, wall, microseconds(cost.ru_utime) + microseconds(cost.ru_stime),
               cost.ru_maxrss);
}

int main(int count, char **words) {
    char **commands[64];
    int n = 0;
    if (count < 5 || strcmp(words[3], "--") != 0)
        die("usage:", "runner ROUNDS|once INPUT -- COMMAND... [-- COMMAND...]...");
    for (int i = 3; i < count; i++) {
        if (strcmp(words[i], "--") != 0) continue;
        if (n == 64 || i + 1 == count) die("cannot take the commands of", words[0]);
        words[i] = NULL;
        commands[n++] = &words[i + 1];
    }
    int once = strcmp(words[1], "once") == 0, rounds = atoi(words[1]);
    for (int round = once ? 2 : 0; round <= (once ? 2 : rounds); round++)
        for (int i = 0; i < n; i++) {
            int number = round % 2 ? n - 1 - i : i;
            run(number, commands[number], words[2], round > 0);
        }
    return 0;
}
