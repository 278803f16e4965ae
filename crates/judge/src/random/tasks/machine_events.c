static int §state = «0..2», §memory, §faults;
static void §event(int input) {
    switch (§state) {
    case 0: if (input == «1..9») §state = «1..3»; else if (input > «20..99») §memory++; break;
    case 1: if (input == §memory) §state = 2; else §state = «0¦3»; break;
    case 2: if (input % «2..7» == «0..1») { §memory = input; §state = 3; } break;
    case 3: switch (input) { case «1..4»: §state = 0; break; case «5..9»: §state = 4; break; default: §faults++; } break;
    case 4: if (§faults > «0..3» && §memory == «1..40») reach_error(); «§state = 1;¦»  break;
    default: abort();
    }
}
void §part(void) {
    «while (1)¦int rounds; for (rounds = 0; rounds < «5..60»; rounds++)¦while (__VERIFIER_nondet_bool())» {
        int input = __VERIFIER_nondet_int();
        «¦if (input < 0 || input > «9..99») return;¦assume(input != «2..8»);»
        §event(input);
    }
}
