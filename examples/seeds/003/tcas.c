// The logic that tells a pilot to climb or to descend when another aircraft comes near, with the thresholds of the well-known example. Both at once
// is never wanted.
//
//     coax reach examples/seeds/003/tcas.c --entry advise --target climb --target descend --target undecided
enum { FASTEST_CLIMB = 600, LEAST_DISTANCE = 600, SEPARATION = 300 };
enum { NO_INTENT = 0 };

static const int thresholds[] = {400, 500, 640, 740};

int climb(void) { return 1; }
int descend(void) { return 2; }
int undecided(void) { return 3; }

struct situation {
    int vertical_separation;
    int is_reliable;
    int is_confirmed;
    int own_altitude;
    int own_climb_rate;
    int other_altitude;
    int layer;
    int separation_above;
    int separation_below;
    int other_intent;
    int other_has_tcas;
    int is_climb_inhibited;
};

static int threshold(const struct situation *now) { return thresholds[now->layer & 3]; }
static int is_below(const struct situation *now) { return now->own_altitude < now->other_altitude; }
static int is_above(const struct situation *now) { return now->other_altitude < now->own_altitude; }

static int prefers_climbing(const struct situation *now) {
    int above = now->is_climb_inhibited ? now->separation_above + 100 : now->separation_above;
    return above > now->separation_below;
}

static int may_climb(const struct situation *now) {
    if (prefers_climbing(now)) return !is_below(now) || now->separation_below < threshold(now);
    return is_above(now) && now->vertical_separation >= SEPARATION && now->separation_above >= threshold(now);
}

static int may_descend(const struct situation *now) {
    if (prefers_climbing(now))
        return is_below(now) && now->vertical_separation >= SEPARATION && now->separation_below >= threshold(now);
    return !is_above(now) || now->separation_above >= threshold(now);
}

int advise(int vertical_separation, int is_reliable, int is_confirmed, int own_altitude, int own_climb_rate, int other_altitude, int layer,
           int separation_above, int separation_below, int other_intent, int other_has_tcas, int is_climb_inhibited) {
    struct situation now = {vertical_separation, is_reliable,      is_confirmed,     own_altitude, own_climb_rate, other_altitude, layer,
                            separation_above,    separation_below, other_intent,     other_has_tcas, is_climb_inhibited};
    int is_enabled = now.is_reliable && now.own_climb_rate <= FASTEST_CLIMB && now.vertical_separation > LEAST_DISTANCE;
    int is_free = now.is_confirmed && now.other_intent == NO_INTENT;
    if (!is_enabled || (now.other_has_tcas && !is_free)) return 0;
    int up = may_climb(&now) && is_below(&now);
    int down = may_descend(&now) && is_above(&now);
    if (up && down) return undecided();
    if (up) return climb();
    if (down) return descend();
    return 0;
}
