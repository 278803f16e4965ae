/* A function whose parameter is a structure with pointers. */
struct shape {
    enum { CIRCLE, RECTANGLE } kind;
    int width, height;
    struct shape *next;
};

/* The area of all shapes in a list; -1 if one has none. */
int area(const struct shape *shapes) {
    int sum = 0;
    for (; shapes; shapes = shapes->next) {
        if (shapes->width <= 0 || (shapes->kind == RECTANGLE && shapes->height <= 0))
            return -1;
        sum += shapes->kind == CIRCLE ? shapes->width * shapes->width * 3 : shapes->width * shapes->height;
    }
    return sum;
}
