// The marks are those of sample.c.

extern "C" int external(int);

namespace shapes {

struct Shape { // @access
    virtual int area() const = 0;
};

struct Square : Shape { // @call @access
    int side;
    int area() const override {
        if (side < 0) // @branch! @access!
            return 0;
        return side * side; // @access
    }
};

template <typename T> T largest(const T *values, int count) {
    T best = values[0]; // @access!
    for (int i = 1; i < count; i++) { // @branch!
        if (best < values[i]) // @branch @access!
            best = values[i]; // @access
    }
    return best;
}

} // namespace shapes

int total(const shapes::Shape *const *shapes, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) // @branch!
        sum += shapes[i]->area(); // @access! @call!
    return sum;
}

int use(int *values, int count) {
    static shapes::Square square; // @branch @call @access
    square.side = shapes::largest(values, count); // @call @access!
    const shapes::Shape *list[] = {&square}; // @access
    auto twice = [](int x) {
        if (external(x)) // @call! @branch
            return x;
        return 2 * x;
    };
    return twice(total(list, 1)) // @call
           + shapes::largest(values, 2); // @call
}
