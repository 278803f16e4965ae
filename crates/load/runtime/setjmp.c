/* The functions that LLVM's WebAssembly back end calls for setjmp and longjmp.

   Each activation of a function that calls setjmp has an identity (the address of one of its locals), and each
   of its setjmp calls a label (1, 2, ...). longjmp throws an exception; every such function on the way catches
   it and asks whether the buffer belongs to this very activation. If it does, it resumes after the setjmp with
   that label; if not, it lets the exception fly on. */

struct thrown {
  void *buffer;
  int value;
};

struct buffer {
  void *activation;
  unsigned label;
  struct thrown thrown;
};

_Static_assert(sizeof(struct buffer) <= 6 * sizeof(void *), "a jmp_buf must hold a struct buffer");

/* The number by which LLVM knows the tag __c_longjmp. */
#define LONGJMP_TAG 1

void __wasm_setjmp(struct buffer *buffer, unsigned label, void *activation) {
  buffer->activation = activation;
  buffer->label = label;
}

unsigned __wasm_setjmp_test(struct buffer *buffer, void *activation) {
  return buffer->activation == activation ? buffer->label : 0;
}

void __wasm_longjmp(struct buffer *buffer, int value) {
  buffer->thrown.buffer = buffer;
  buffer->thrown.value = value == 0 ? 1 : value; /* setjmp returns 0 only when called directly */
  __builtin_wasm_throw(LONGJMP_TAG, &buffer->thrown);
}
