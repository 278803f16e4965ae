// Do two aircraft come too near to each other? The own one turns and then flies straight on, the other flies straight on all the time.
//
//     coax reach examples/seeds/003/tsafe.c --entry probe --target conflict_in_turn --target conflict_behind_turn --target too_slow_to_turn
#include <math.h>

int conflict_in_turn(void) { return 1; }
int conflict_behind_turn(void) { return 2; }
int too_slow_to_turn(void) { return 3; }

static const double GRAVITY = 9.81, NEAR = 9260, DEGREE = 0.017453292519943295;

static double square(double x) { return x * x; }

// Angles in degrees, speeds in metres per second, places in metres: the own aircraft is at 0, 0 and flies along x.
int probe(double turn, double bank, double speed, double other_x, double other_y, double other_heading, double other_speed) {
    if (!(speed > 50 && speed < 350 && other_speed > 50 && other_speed < 350)) return 0;
    if (!(turn > 1 && turn < 180 && bank > 1 && bank < 60)) return 0;
    if (!(fabs(other_x) < 1e6 && fabs(other_y) < 1e6 && fabs(other_heading) <= 180)) return 0;
    double radius = square(speed) / (GRAVITY * tan(bank * DEGREE));
    double turning = radius * turn * DEGREE / speed;
    if (turning > 3600) return too_slow_to_turn();
    double x = radius * sin(turn * DEGREE), y = radius * (1 - cos(turn * DEGREE));
    double velocity_x = other_speed * cos(other_heading * DEGREE), velocity_y = other_speed * sin(other_heading * DEGREE);
    double apart_x = other_x + velocity_x * turning - x, apart_y = other_y + velocity_y * turning - y;
    if (square(apart_x) + square(apart_y) < square(NEAR)) return conflict_in_turn();
    // Where they are nearest to each other after the turn.
    double towards_x = velocity_x - speed * cos(turn * DEGREE), towards_y = velocity_y - speed * sin(turn * DEGREE);
    double fast = square(towards_x) + square(towards_y);
    if (fast < 1) return 0;
    double when = -(apart_x * towards_x + apart_y * towards_y) / fast;
    if (when < 0) return 0;
    if (square(apart_x + towards_x * when) + square(apart_y + towards_y * when) < square(NEAR)) return conflict_behind_turn();
    return 0;
}
