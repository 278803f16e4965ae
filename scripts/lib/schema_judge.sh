# Sourced by scripts that hold JSON against a schema: gets check-jsonschema from PyPI, outside the tree, in the user's cache.
#
# Needs setup.sh. If it cannot be had, it is said so, and what needs it is skipped. Says nothing and takes no time when everything is there.

judges="${XDG_CACHE_HOME:-$HOME/.cache}/coax/judges"

# Which version.
schema_judge=check-jsonschema==0.39.0

# Gets it, and puts it on PATH.
setup_schema_judge() {
    setup_python_tools "$judges/schema" "reports are not held against their schema" "$schema_judge"
    export PATH="$PATH:$judges/schema/bin"
}

# Installs Python tools in an environment of their own, $1, or says what $2 it means if they cannot be had.
setup_python_tools() {
    local place=$1 consequence=$2 wanted="${*:3}"
    [[ $(cat "$place/installed" 2>/dev/null) != "$wanted" ]] || return 0
    if ! python3 -c 'import ensurepip' 2>/dev/null && command -v apt-get >/dev/null; then
        install_packages "$consequence" python3-venv
    fi
    if python3 -m venv --clear "$place" >/dev/null 2>&1 &&
        "$place/bin/pip" install --quiet --disable-pip-version-check "${@:3}" >/dev/null 2>&1; then
        echo "$wanted" >"$place/installed"
        say "installed $wanted in $place"
    else
        say "could not install $wanted with pip (no python3-venv, or offline); $consequence"
    fi
}
