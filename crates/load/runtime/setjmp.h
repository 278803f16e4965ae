/* setjmp for wasm: clang's WebAssembly back end turns calls of setjmp and longjmp into calls of the three
   functions in setjmp.c and into exception handling. */
#ifndef COAX_SETJMP_H
#define COAX_SETJMP_H

#ifdef __cplusplus
extern "C" {
#endif

/* Six pointers are more than setjmp.c needs. */
typedef struct {
  void *__words[6];
} jmp_buf[1];

int setjmp(jmp_buf) __attribute__((__returns_twice__));
void longjmp(jmp_buf, int) __attribute__((__noreturn__));

/* C allows testing for setjmp as a macro, and programs do. */
#define setjmp setjmp

/* There are no signals, so there is no mask to save. */
typedef jmp_buf sigjmp_buf;
#define sigsetjmp(buffer, save_mask) ((void)(save_mask), setjmp(buffer))
#define siglongjmp(buffer, value) longjmp(buffer, value)
#define _setjmp(buffer) setjmp(buffer)
#define _longjmp(buffer, value) longjmp(buffer, value)

#ifdef __cplusplus
}
#endif

#endif
