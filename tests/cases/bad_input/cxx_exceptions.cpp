// C++ exceptions need a library that was built with them.
// REQUIRES: clang
// RUN: coax replay % --entry f
// EXIT: 2
int f(int x) {
    if (x > 3) throw x;
    return x;
}

// OUTPUT
// $ coax replay % --entry f
// ! cxx_exceptions.cpp:6:16: error: cannot use 'throw' with exceptions disabled
// !     6 |     if (x > 3) throw x;
// !       |                ^
// ! 1 error generated.
// ! error: cxx_exceptions.cpp uses C++ exceptions, which the C++ library for wasm does not support yet. Build it without throw, try and catch; many libraries have a switch for that.
