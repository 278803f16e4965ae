// Advice by temperature, in degrees Celsius or Fahrenheit.
//
//     coax cover examples/small/temperature.c --entry advice
enum advice { IMPOSSIBLE, FREEZING, COLD, MILD, HOT, UNKNOWN };

static double celsius(double degrees, int is_fahrenheit) {
    if (!is_fahrenheit) return degrees;
    return (degrees - 32) / 1.8;
}

enum advice advice(double degrees, int is_fahrenheit) {
    double value = celsius(degrees, is_fahrenheit);
    if (value < -273.15) return IMPOSSIBLE;
    if (value <= 0) return FREEZING;
    if (value < 12.5) return COLD;
    if (value < 25) return MILD;
    if (value >= 25) {
        if (is_fahrenheit && degrees < 77) return UNKNOWN; /* these are 25 degrees Celsius */
        return HOT;
    }
    return UNKNOWN; /* not a number */
}
