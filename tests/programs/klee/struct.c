/* A structure with padding, an array and a nested structure, all of it symbolic. */
#include <klee/klee.h>

struct date {
    unsigned char month;
    unsigned short year;
};

struct order {
    char kind;
    int amount;
    struct date date;
    short items[3];
};

int price(const struct order *order) {
    int total = order->amount;
    if (order->kind == 'x') total *= 2;
    if (order->date.year >= 2000 && order->date.month == 12) total -= 10;
    for (int i = 0; i < 3; i++)
        if (order->items[i] > 100) total += order->items[i];
    return total;
}

int main() {
    struct order order;
    klee_make_symbolic(&order, sizeof order, "order");
    klee_assume(order.amount >= 0);
    klee_assume(order.amount <= 1000);
    klee_assert(price(&order) >= -10);
    return 0;
}
