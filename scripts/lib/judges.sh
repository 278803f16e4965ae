# Sourced by `scripts/campaign formats`: gets the tools that the formats of `coax cover --emit` are for, which judge what it writes.
#
# What pip and cargo bring is kept outside the tree, in the user's cache; the rest comes from the package archive. A judge whose tool cannot
# be had is skipped, and the campaign says so. Says nothing and takes no time when everything is there.

# shellcheck source=scripts/lib/schema_judge.sh
source scripts/lib/schema_judge.sh

# What the other Python tools are, each a fixed version.
python_judges=(testcov==3.7 sarif-tools==3.0.5)

# The crate that has SARIF's schema in it.
schema_crate=serde-sarif
schema_version=0.8.0

# lcov, a browser, gcc and what clang needs for libFuzzer and TestCov.
setup_judge_packages() {
    local version clang= missing packages=(gcc lcov chromium)
    for version in "${clang_versions[@]}"; do
        command -v "clang-$version" >/dev/null || continue
        clang=$version
        packages+=("libclang-rt-$version-dev" "clang-tidy-$version")
        break
    done
    if command -v apt-get >/dev/null; then
        mapfile -t missing < <(missing_packages "${packages[@]}")
        if [[ ${#missing[@]} -gt 0 ]]; then
            say "getting ${missing[*]} …"
            install_packages "judges that need them are skipped" "${missing[@]}"
        fi
    fi
    # The judges call clang by its plain name.
    [[ -n $clang ]] || return 0
    mkdir -p "$judges/bin"
    local tool
    for tool in clang clang-tidy; do
        command -v "$tool" >/dev/null || ! command -v "$tool-$clang" >/dev/null ||
            ln -sf "$(command -v "$tool-$clang")" "$judges/bin/$tool"
    done
}

# The schema of SARIF 2.1.0, which cargo brings with a crate; nothing of it is compiled.
setup_sarif_schema() {
    local file="$judges/sarif-schema-2.1.0.json" found
    if [[ ! -f $file ]]; then
        cargo info --quiet "$schema_crate@$schema_version" >/dev/null 2>&1 || true
        found=$(compgen -G "${CARGO_HOME:-$HOME/.cargo}/registry/src/*/$schema_crate-$schema_version/src/schema.json" | head -n 1) || true
        if [[ -z $found ]]; then
            say "could not get SARIF's schema from the crate $schema_crate (offline?); the judge sarif is skipped"
            return
        fi
        mkdir -p "$judges"
        cp "$found" "$file"
        say "took SARIF's schema from the crate $schema_crate $schema_version"
    fi
    export SARIF_SCHEMA="$file"
}

setup_judge_packages
setup_schema_judge
setup_python_tools "$judges/python" "judges that need them are skipped" "${python_judges[@]}"
setup_sarif_schema
export PATH="$PATH:$judges/bin:$judges/python/bin"
