# Sourced by `scripts/bench` and `scripts/campaign lines`: gets what builds programs natively that are compared with coax.

# The runtime libraries of the clang that coax uses: taken out of their package, for installed it would put headers before coax's own.
# Sets `clang` and the folder `runtimes`.
get_clang_runtimes() {
    local version
    for version in "${clang_versions[@]}"; do
        command -v "clang-$version" >/dev/null && break
    done
    clang=clang-$version
    runtimes=${XDG_CACHE_HOME:-$HOME/.cache}/coax/libfuzzer-$version
    if [[ ! -d $runtimes ]]; then
        local download
        download=$(mktemp -d)
        (cd "$download" && apt-get -qq download "libclang-rt-$version-dev" && dpkg -x ./*.deb unpacked)
        mkdir -p "$(dirname "$runtimes")"
        mv "$download/unpacked" "$runtimes"
        rm -rf "$download"
    fi
}

# Compilers for 32 bits: some harnesses read numbers of the size of a pointer from their input, which is 32 bits in wasm.
get_multilib() {
    dpkg -s gcc-multilib g++-multilib >/dev/null 2>&1 || apt-get -qq install -y gcc-multilib g++-multilib >/dev/null
}
