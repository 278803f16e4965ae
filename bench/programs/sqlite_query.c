// Runs SQL from standard input on an in-memory database and prints the rows.
#include "sqlite3.h"
#include <stdio.h>

static char sql[1 << 16];

static int row(void *data, int columns, char **values, char **names) {
    (void)data, (void)names;
    for (int i = 0; i < columns; i++) printf("%s%s", i ? "|" : "", values[i] ? values[i] : "NULL");
    printf("\n");
    return 0;
}

int main(void) {
    fread(sql, 1, sizeof sql - 1, stdin);
    sqlite3 *database;
    if (sqlite3_open(":memory:", &database) != SQLITE_OK) return 2;
    char *message = NULL;
    int problem = sqlite3_exec(database, sql, row, NULL, &message) != SQLITE_OK;
    if (problem) printf("%s\n", message);
    sqlite3_free(message);
    sqlite3_close(database);
    return problem;
}
