# Sourced by every script: finds what coax is built and tested with, and gets what is missing.
#
# Needs cargo. Compilers for the programs under test (clang for C, the wasm targets for Rust) and z3
# are installed if this machine lets us; if not, it says which command would, and the tests that need
# them are skipped. Says nothing and takes well under a second when everything is there.

# Build products live outside the clone, so a fresh clone does not compile wasmtime again.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/coax/target}"

# Cargo would take what another clone built there for ours if our files are older. A wrapper whose path
# depends on the clone keeps our own crates apart; all others are shared.
export RUSTC_WORKSPACE_WRAPPER="$PWD/scripts/lib/rustc"

say() { printf 'setup: %s\n' "$*" >&2; }

# Settings for programs that are to be fast.
optimised=(--config scripts/lib/optimised.toml)

# Where users find the commands.
commands="$CARGO_TARGET_DIR/bin"

# Builds what users need, and no more: judges and tests would take twice as long.
build_coax() {
    building build --package coax-cli --bins "${optimised[@]}"
    mkdir -p "$commands"
    cp -p "$CARGO_TARGET_DIR"/debug/{coax,coax-cc} "$commands"
}

# Builds all programs, judges too.
build_all() { building build --workspace --bins "$@"; }

# Builds all tests.
build_tests() { building test --workspace --no-run; }

# Runs a cargo command that builds. Where its own progress would not be seen, a line now and then says how far it is.
building() {
    if [[ -t 2 ]]; then
        cargo "$@"
    else
        cargo "$@" 2> >(tell_progress "$(count_crates "$@")" >&2)
    fi
}

# How many crates a build with these arguments has, about.
count_crates() {
    local which=--workspace
    [[ "$*" != *--package* ]] || which=--package=coax-cli
    cargo tree "$which" --edges normal,build --prefix none 2>/dev/null | sed "s/ (\*)$//" | sort -u | wc -l
}

# Reads what cargo says of a build of $1 crates: names some of them, and shows all but names. (Not awk: some wait for more input than a line.)
tell_progress() {
    local all=$1 count=0 line
    while IFS= read -r line; do
        case $line in
            *" Downloading "* | *" Downloaded "* | *" Locking "* | *" Updating "* | *" Blocking "* | *" Finished "* | *" Executable "*) ;;
            *" Compiling "*)
                ((count++ % 20)) || say "building, $((count)) of $all: $(cut -d' ' -f1 <<<"${line#*Compiling }") …"
                ;;
            *) printf '%s\n' "$line" ;;
        esac
    done
}

# The clang versions coax knows, best first.
clang_versions=(22 21 20 19 18 17 16 15 14)

# The packages that clang version $1 needs to compile C and C++ for WebAssembly.
clang_packages() {
    printf '%s\n' "clang-$1" "lld-$1" "llvm-$1" wasi-libc \
        "libclang-rt-$1-dev-wasm32" "libc++-$1-dev-wasm32" "libc++abi-$1-dev-wasm32"
}

# Which of the packages named are not installed.
missing_packages() {
    local package
    for package in "$@"; do
        [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || echo "$package"
    done
}

# Whether the archive offers all packages named.
offers_packages() {
    local offered package
    offered=$(apt-cache policy "$@" 2>/dev/null | awk '/^[^ ]/ { name = $1 } /Candidate:/ && $2 != "(none)" { print name }')
    for package in "$@"; do
        grep -qxF "$package:" <<<"$offered" || return 1
    done
}

# Prints the newest clang version whose packages the archive offers.
newest_offered_clang() {
    local version packages
    for version in "${clang_versions[@]}"; do
        mapfile -t packages < <(clang_packages "$version")
        if offers_packages "${packages[@]}"; then
            echo "$version"
            return
        fi
    done
    return 1
}

# How long another apt is waited for, in seconds.
apt_patience=120

# Why apt-get did not do what it should, for people.
apt_failure=

# Runs apt-get as root, without questions; fails if we may not. Another apt that is at work is waited for: apt itself waits for some of its
# locks only, and says nothing.
apt_get() {
    local as_root=() said begun=$SECONDS is_said=
    if [[ $(id -u) -ne 0 ]]; then
        if ! sudo -n true 2>/dev/null; then
            apt_failure="no root rights"
            return 1
        fi
        as_root=(sudo -n)
    fi
    until said=$("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -qq \
        -o DPkg::Lock::Timeout=5 -o Acquire::Retries=1 "$@" 2>&1 >/dev/null); do
        apt_failure=$(grep -m 1 '^E: ' <<<"$said" || tail -n 1 <<<"$said")
        [[ $said == *"Could not get lock"* || $said == *"Unable to lock"* || $said == *"Unable to acquire"* ]] || return 1
        ((SECONDS - begun < apt_patience)) || return 1
        [[ -n $is_said ]] || say "another apt is at work; waiting for it, $apt_patience s at most …"
        is_said=yes
        sleep 2
    done
}

# Installs the packages named, or says how to, and what $1 it means for the user if nobody does.
install_packages() {
    local consequence=$1 packages=("${@:2}")
    local install=(install -y --no-install-recommends "${packages[@]}")
    # The lists of packages may be older than the archive: then the second attempt works.
    if apt_get "${install[@]}" || { apt_get update && apt_get "${install[@]}"; }; then
        say "installed ${packages[*]}"
    else
        say "could not install ${packages[*]} (${apt_failure:-apt-get failed}); $consequence"
        say "to install them: sudo apt-get install -y --no-install-recommends ${packages[*]}"
    fi
}

# A C compiler and linker for this machine: cargo needs it.
setup_linker() {
    command -v cc >/dev/null && return
    if command -v apt-get >/dev/null; then
        install_packages "without a C compiler cargo cannot link" gcc libc6-dev
    else
        say "no C compiler (cc) found; cargo needs one to link: install gcc or clang"
    fi
}

# clang, its linker and libc for WebAssembly.
setup_clang() {
    local consequence="tests that compile C or C++ are skipped" version packages missing
    if ! command -v apt-get >/dev/null; then
        command -v clang >/dev/null || say "no clang and no apt-get found; $consequence; \`coax doctor\` says what is needed"
        return
    fi
    for version in "${clang_versions[@]}"; do
        command -v "clang-$version" >/dev/null || continue
        mapfile -t packages < <(clang_packages "$version")
        [[ -n $(missing_packages "${packages[@]}") ]] || return 0
    done
    # Old lists may lack the best version.
    [[ $(newest_offered_clang) == "${clang_versions[0]}" ]] || apt_get update || true
    if ! version=$(newest_offered_clang); then
        say "the package archive offers no clang with WebAssembly libraries (or its lists cannot be fetched); $consequence"
        return
    fi
    mapfile -t packages < <(clang_packages "$version")
    mapfile -t missing < <(missing_packages "${packages[@]}")
    say "getting clang $version for WebAssembly …"
    install_packages "$consequence" "${missing[@]}"
}

# z3, which answers what coax's own solvers leave; coax works without it.
setup_z3() {
    local consequence="hard questions stay open, and tests that ask z3 are skipped"
    command -v z3 >/dev/null && return
    if command -v apt-get >/dev/null; then
        install_packages "$consequence" z3
    else
        say "no z3 and no apt-get found; $consequence"
    fi
}

# Graphviz, which tests of drawings need; users do only for `coax dump --format svg`.
setup_graphviz() {
    local consequence="tests of drawings are skipped"
    command -v dot >/dev/null && return
    if command -v apt-get >/dev/null; then
        install_packages "$consequence" graphviz
    else
        say "no dot (Graphviz) and no apt-get found; $consequence"
    fi
}

# The WebAssembly targets of the active Rust toolchain.
setup_rust_targets() {
    local sysroot target missing=()
    sysroot=$(rustc --print sysroot)
    for target in wasm32-wasip1 wasm32-unknown-unknown; do
        [[ -d $sysroot/lib/rustlib/$target ]] || missing+=("$target")
    done
    [[ ${#missing[@]} -gt 0 ]] || return 0
    if ! command -v rustup >/dev/null; then
        say "rustc has no target ${missing[*]} and there is no rustup to add it; tests that compile Rust are skipped"
    elif rustup -q target add "${missing[@]}" >/dev/null 2>&1; then
        say "added the Rust targets ${missing[*]}"
    else
        say "could not add the Rust targets ${missing[*]} (offline?); tests that compile Rust are skipped"
        say "to add them: rustup target add ${missing[*]}"
    fi
}

setup() {
    if ! command -v cargo >/dev/null; then
        say "cargo is not on PATH; install Rust (rustup), then run this again"
        exit 1
    fi
    setup_linker
    setup_clang
    setup_z3
    setup_rust_targets
}

setup
