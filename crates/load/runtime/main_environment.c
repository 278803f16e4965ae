/* Starts a program whose main wants the environment as a third argument. */

extern char **environ;

int program(int argc, char **argv, char **envp) __asm__("main");

int __main_argc_argv(int argc, char **argv) { return program(argc, argv, environ); }
