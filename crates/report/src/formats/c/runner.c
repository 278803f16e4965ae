static const char *coax_outcome(const struct coax_test *test, int status) {
    static char text[64];
    int is_right = 0;
    if (coax_shared->said[0]) return coax_shared->said;
    if (WIFSIGNALED(status)) {
        int number = coax_shared->signal ? coax_shared->signal : WTERMSIG(status);
        is_right = test->end == COAX_DIES && number != SIGALRM;
        snprintf(text, sizeof text, number == SIGALRM ? "it does not end" : "it is ended by signal %d", number);
    } else if (coax_shared->is_over) {
        is_right = test->end == COAX_RETURNS;
        snprintf(text, sizeof text, "it returns");
    } else {
        is_right = test->end == COAX_EXITS && WEXITSTATUS(status) == test->code;
        snprintf(text, sizeof text, "it exits with code %d", WEXITSTATUS(status));
    }
    return is_right ? NULL : text;
}

int main(void) {
    size_t count = sizeof coax_tests / sizeof *coax_tests, failed = 0;
    coax_shared = mmap(NULL, sizeof *coax_shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (coax_shared == MAP_FAILED) return 2;
    for (size_t i = 0; i < count; i++) {
        const struct coax_test *test = &coax_tests[i];
        if (test->skipped) {
            printf("skipped %s: %s\n", test->name, test->skipped);
            continue;
        }
        memset(coax_shared, 0, sizeof *coax_shared);
        fflush(stdout);
        pid_t child = fork();
        if (child < 0) return 2;
        if (child == 0) {
            coax_measure();
            alarm(COAX_SECONDS);
            if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)) _exit(2);
            test->run();
            coax_shared->is_over = 1;
            coax_leave(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        const char *wrong = coax_outcome(test, status);
        failed += wrong != NULL;
        printf(wrong ? "FAILED %s: %s\n" : "ok %s\n", test->name, wrong);
    }
    printf("%zu tests, %zu failed\n", count, failed);
    return failed != 0;
}
