/* Starts a program whose main returns nothing. */

void program(void) __asm__("main");

int __original_main(void) {
  program();
  return 0;
}
