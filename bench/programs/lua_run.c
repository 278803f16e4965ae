// Runs a Lua script from standard input; errors inside it travel by setjmp and longjmp.
#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include <stdio.h>

static char script[1 << 16];

// Lua's library asks for what a program on WASI cannot have: other programs and temporary files.
int system(const char *command) { return command ? -1 : 0; }
char *tmpnam(char *name) { return (void)name, NULL; }
FILE *tmpfile(void) { return NULL; }

int main(void) {
    size_t length = fread(script, 1, sizeof script, stdin);
    lua_State *lua = luaL_newstate();
    if (!lua) return 2;
    luaL_openlibs(lua);
    int problem = luaL_loadbuffer(lua, script, length, "=script") || lua_pcall(lua, 0, 0, 0);
    if (problem) printf("%s\n", lua_tostring(lua, -1));
    lua_close(lua);
    return problem;
}
