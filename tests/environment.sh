# Sourced by run_local.sh and tests/run.sh: a virtual environment with the project in it.

# prepare_environment FOLDER EXTRA…: make it, and install the project with those extras. What is
# already there is recognised without a network: the stamp of an extra holds what decided its install.
prepare_environment() {
    local venv=$1 wanted missing=() extra
    shift
    wanted=$(cat setup.cfg pyproject.toml | cksum)
    if [ ! -x "$venv/bin/python" ]; then
        "${PYTHON:-python3}" -m venv "$venv"
    fi
    for extra in "$@"; do
        [ "$(cat "$venv/.has-$extra" 2>/dev/null)" = "$wanted" ] || missing+=("$extra")
    done
    [ ${#missing[@]} -eq 0 ] && return
    echo "Installing loadproof with ${missing[*]} into $venv …" >&2
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        --editable ".[$(IFS=,; echo "${missing[*]}")]" >&2
    for extra in "${missing[@]}"; do
        echo "$wanted" >"$venv/.has-$extra"
    done
}
