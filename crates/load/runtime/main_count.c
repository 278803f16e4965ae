/* Starts a program whose main wants only the number of arguments. */

int program(int argc) __asm__("main");

int __main_argc_argv(int argc, char **argv) {
  (void)argv;
  return program(argc);
}
