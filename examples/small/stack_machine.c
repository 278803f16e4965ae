// A machine with a stack runs a program of up to four instructions.
//
//     coax cover examples/small/stack_machine.c --entry run
#include <stddef.h>
#include <stdint.h>

enum { LONGEST = 4, BAD_PROGRAM = -1, BAD_OPCODE = -2, EMPTY = -3, FULL = -4, DIVISION = -5 };

struct machine {
    int stack[LONGEST];
    int height;
};

static int push(struct machine *machine, int value) {
    if (machine->height == LONGEST) return FULL; /* no program is so long */
    machine->stack[machine->height++] = value;
    return 0;
}

static int calculate(struct machine *machine, uint8_t opcode) {
    if (machine->height < 2) return EMPTY;
    int right = machine->stack[--machine->height];
    int left = machine->stack[--machine->height];
    switch (opcode) {
        case '+': return push(machine, left + right);
        case '-': return push(machine, left - right);
        case '*': return push(machine, left * right);
        case '/':
            if (right == 0) return DIVISION;
            return push(machine, left / right);
        default: return BAD_OPCODE; /* who calls has looked */
    }
}

/* What is on top in the end: digits are pushed, operators calculate. */
int run(const uint8_t *program, size_t size) {
    struct machine machine = {.height = 0};
    if (size == 0 || size > LONGEST) return BAD_PROGRAM;
    for (size_t i = 0; i < size; i++) {
        uint8_t opcode = program[i];
        int error;
        if (opcode >= '0' && opcode <= '9') {
            error = push(&machine, opcode - '0');
        } else if (opcode == '+' || opcode == '-' || opcode == '*' || opcode == '/') {
            error = calculate(&machine, opcode);
        } else {
            return BAD_OPCODE;
        }
        if (error) return error;
    }
    return machine.stack[machine.height - 1];
}
