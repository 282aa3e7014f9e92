#!/bin/sh
# Installs footlight for this user: downloads one archive (or takes one that is here), checks its SHA-256, and moves one file into
# place. It never asks for root and never edits a shell profile. All of it is in functions and the last line starts them, so a
# download of this script that breaks off does nothing.
set -eu

repository='https://github.com/footlight-dev/footlight'

usage() {
  cat <<EOF
Installs footlight, one executable, into ~/.local/bin.

Usage: install.sh [options]
       curl -fsSL $repository/releases/latest/download/install.sh | sh -s -- [options]

  --version V          this version, not the latest
  --dir D              into this folder (FOOTLIGHT_INSTALL_DIR; ~/.local/bin)
  --from-archive FILE  from an archive that is here; nothing is downloaded
  --checksums FILE     check against this file; with --from-archive it is SHA256SUMS beside the archive
  --uninstall          remove the executable from the folder
  --dry-run            say what would be done, and change nothing
  --quiet              say nothing but errors
  --no-modify-path     say nothing about PATH (it is never modified)
  --help               this text

FOOTLIGHT_DOWNLOAD_URL names a mirror: BASE/latest/VERSION holds the latest version's number, BASE/v<version>/ holds
SHA256SUMS and footlight-v<version>-<os>-<arch>[-musl].tar.gz and .tar.xz (which is taken when xz is here).
A mirror on plain http also needs --checksums. Without it: $repository/releases

A checksum from the same place tells of a broken download, not of a forged one. For that:
  gh attestation verify footlight-v<version>-<os>-<arch>.tar.gz --repo ${repository#https://github.com/}

Exit codes: 0 done, 1 failed, 2 wrong use.
EOF
}

say() {
  [ "$quiet" = 1 ] || printf '%s\n' "$*"
}

fail() {
  printf 'footlight install: %s\n' "$*" >&2
  exit 1
}

misuse() {
  printf 'footlight install: %s\n\n' "$*" >&2
  usage >&2
  exit 2
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# Sets platform: linux-x64, linux-arm64-musl, darwin-arm64 and so on.
detect_platform() {
  libc=''
  case $(uname -s) in
    Linux) os=linux ;;
    Darwin) os=darwin ;;
    MINGW* | MSYS* | CYGWIN*) fail 'this is Windows: use install.ps1 in PowerShell' ;;
    *) fail "there is no executable for $(uname -s); with Node 20.3 or later: npm install -g footlight" ;;
  esac
  case $(uname -m) in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) fail "there is no executable for $(uname -m); with Node 20.3 or later: npm install -g footlight" ;;
  esac
  # Under Rosetta uname says x86_64 on a machine that is arm64.
  if [ "$os" = darwin ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || true)" = 1 ]; then
    arch=arm64
  fi
  if [ "$os" = linux ] && is_musl; then
    libc=-musl
  fi
  platform=$os-$arch$libc
}

is_musl() {
  has ldd || return 1
  case $(ldd --version 2>&1 || true) in
    *musl*) return 0 ;;
    *) return 1 ;;
  esac
}

find_hasher() {
  if has sha256sum; then
    hasher=sha256sum
  elif has shasum; then
    hasher=shasum
  elif has openssl; then
    hasher=openssl
  else
    fail 'no sha256sum, shasum or openssl is here, so nothing can be checked; install one of them and run this again'
  fi
}

sha256() {
  case $hasher in
    sha256sum) sha256sum <"$1" ;;
    shasum) shasum -a 256 <"$1" ;;
    openssl) openssl dgst -sha256 -r <"$1" ;;
  esac | cut -d ' ' -f 1
}

# The sum that the file $1 lists for the name $2, or nothing.
listed_sum() {
  while read -r sum file || [ -n "$sum" ]; do
    case $file in
      "$2" | "*$2") printf '%s\n' "$sum" && return ;;
    esac
  done <"$1"
}

# Refuses unless the file $1, called $2, has the sum that the file $3 lists.
check_sum() {
  expected=$(listed_sum "$3" "$2")
  [ -n "$expected" ] || fail "$3 does not list $2, so it cannot be checked; nothing was installed"
  actual=$(sha256 "$1")
  [ "$actual" = "$expected" ] ||
    fail "$2 has the SHA-256 $actual, but $expected is listed; it is broken or not ours: nothing was installed"
}

fetch() {
  if has curl; then
    case $1 in
      https://*) curl -gfsSL --proto '=https' --tlsv1.2 --retry 2 --connect-timeout 20 --speed-limit 1000 --speed-time 60 -o "$2" "$1" ;;
      *) curl -gfsSL --connect-timeout 20 --speed-limit 1000 --speed-time 60 -o "$2" "$1" ;;
    esac
  elif has wget; then
    wget -q --timeout=60 -O "$2" "$1"
  else
    fail 'neither curl nor wget is here; install one, or download the archive elsewhere and use --from-archive'
  fi || fail "could not download $1; look at the version and the network, or fetch it elsewhere and use --from-archive"
}

# Sets base and latest, where versions are and where the newest one's number is.
find_source() {
  base=${FOOTLIGHT_DOWNLOAD_URL:-}
  base=${base%/}
  case $base in
    '')
      base=$repository/releases/download
      latest=$repository/releases/latest/download/VERSION
      return
      ;;
    # Not every program reads such a URL alike.
    *\\* | *\?* | *\#* | *[[:space:]]* | *[[:cntrl:]]*) not_a_source ;;
    [Hh][Tt][Tt][Pp][Ss]://*) base=https://${base#*://} ;;
    [Hh][Tt][Tt][Pp]://*)
      base=http://${base#*://}
      [ -n "$checksums" ] || is_loopback "$base" ||
        fail "$base is plain http, where anyone on the way can change a file and its sum; use https, or --checksums with a file from elsewhere"
      ;;
    *) not_a_source ;;
  esac
  latest=$base/latest/VERSION
}

not_a_source() {
  fail "FOOTLIGHT_DOWNLOAD_URL: expected https://..., received $base"
}

# Whether the URL $1 leads to this machine: its host is one of three names, and after it there is a port or nothing.
is_loopback() {
  authority=${1#*://}
  authority=${authority%%/*}
  case $authority in
    '[::1]'*) port=${authority#'[::1]'} ;;
    127.0.0.1*) port=${authority#127.0.0.1} ;;
    [Ll][Oo][Cc][Aa][Ll][Hh][Oo][Ss][Tt]*) port=${authority#?????????} ;;
    *) return 1 ;;
  esac
  case $port in
    '') return 0 ;;
    : | :*[!0-9]*) return 1 ;;
    :*) return 0 ;;
    *) return 1 ;;
  esac
}

make_work() {
  work=$(mktemp -d "${TMPDIR:-/tmp}/footlight-install.XXXXXX") || fail 'could not make a temporary folder; set TMPDIR to one that can be written'
}

clean_up() {
  [ -z "$work" ] || rm -rf "$work"
  [ -z "$staged" ] || rm -f "$staged"
}

plain_version() {
  version=${version#v}
  case $version in
    [0-9]*.[0-9]*) ;;
    *) misuse "--version: expected a number like 0.1.0, received $version" ;;
  esac
  case $version in
    *[!0-9A-Za-z.+-]*) misuse "--version: expected a number like 0.1.0, received $version" ;;
  esac
}

# Sets archive, name and sums: from the network, into the temporary folder.
download() {
  find_source
  if [ -z "$version" ]; then
    fetch "$latest" "$work/VERSION"
    read -r version <"$work/VERSION" || [ -n "$version" ] || fail "$latest is empty; name the version with --version"
    plain_version
  fi
  suffix=tar.gz
  if has xz; then
    suffix=tar.xz
  fi
  name=footlight-v$version-$platform.$suffix
  archive=$work/$name
  sums=${checksums:-$work/SHA256SUMS}
  if [ "$dry" = 1 ]; then
    say "would download $base/v$version/$name"
    say "would check it against ${checksums:-$base/v$version/SHA256SUMS}"
    return
  fi
  say "downloading $base/v$version/$name"
  [ -n "$checksums" ] || fetch "$base/v$version/SHA256SUMS" "$sums"
  # A name that is not listed need not be downloaded to be refused.
  [ -n "$(listed_sum "$sums" "$name")" ] || fail "$sums does not list $name, so it cannot be checked; nothing was installed"
  fetch "$base/v$version/$name" "$archive"
}

# The same from a file that is here.
take_archive() {
  [ -f "$archive" ] || fail "--from-archive: there is no file $archive"
  name=${archive##*/}
  case $name in
    *-"$platform".tar.gz | *-"$platform".tar.xz) ;;
    *) fail "$name is not for this machine, which needs footlight-v<version>-$platform.tar.gz or .tar.xz" ;;
  esac
  beside=$(dirname -- "$archive")/SHA256SUMS
  sums=${checksums:-$beside}
  [ -f "$sums" ] || fail "there is no $sums to check $name against; put SHA256SUMS of the release beside it, or name it with --checksums"
}

# Whether the folder, or the nearest one above it that exists, can be written.
writable() {
  place=$1
  while [ ! -e "$place" ]; do
    place=${place%/*}
    [ -n "$place" ] || place=/
  done
  [ -d "$place" ] && [ -w "$place" ]
}

# Puts the executable beside where it will be, so that the last step is one rename.
stage() {
  case $name in
    *.tar.gz) tar -xzo -C "$work" -f "$archive" footlight ;;
    *) tar -xJo -C "$work" -f "$archive" footlight ;;
  esac || fail "$name could not be unpacked; for .tar.xz the program xz is needed, .tar.gz does without"
  if [ -h "$work/footlight" ] || [ ! -f "$work/footlight" ]; then
    fail "$name holds no file footlight"
  fi
  mkdir -p "$dir" || fail "could not make $dir; choose another folder with --dir"
  staged=$(mktemp "$dir/.footlight-install.XXXXXX") || fail "could not write to $dir; choose another folder with --dir"
  { cp "$work/footlight" "$staged" && chmod 755 "$staged"; } || fail "could not write to $dir; is the disk full?"
  runs=$("$staged" --version </dev/null 2>"$work/stderr") || refuse_to_run
  [ -z "$version" ] || [ "$runs" = "$version" ] || fail "$name says it is version $runs, not $version; nothing was installed"
  version=$runs
}

refuse_to_run() {
  cat "$work/stderr" >&2
  case $platform in
    *-musl) fail 'the executable does not start here; on Alpine it needs: apk add libstdc++ libgcc' ;;
    *) fail 'the executable does not start here; it needs glibc 2.17 or macOS 13, or later. Nothing was installed' ;;
  esac
}

put() {
  if [ ! -e "$program" ]; then
    message="footlight $version is installed: $program"
  elif [ "$(sha256 "$program")" = "$(sha256 "$staged")" ]; then
    say "footlight $version is in $dir already, byte for byte; nothing to do"
    return
  else
    before=$("$program" --version </dev/null 2>/dev/null) || before='another'
    message="footlight $version replaces $before: $program"
  fi
  mv -f "$staged" "$program" || fail "could not write $program"
  staged=''
  say "$message"
}

tell_path() {
  case :${PATH:-}: in
    *:"$dir":*)
      first=$(command -v footlight || true)
      [ -z "$first" ] || [ "$first" = "$program" ] || say "PATH finds $first before it; remove that one, or put $dir first"
      return
      ;;
  esac
  # The user's shell expands PATH, later.
  # shellcheck disable=SC2016
  line="export PATH=\"$dir"':$PATH"'
  shell=${SHELL:-sh}
  case ${shell##*/} in
    zsh) say "$dir is not on your PATH. Add this line to ~/.zshrc:" ;;
    bash) say "$dir is not on your PATH. Add this line to ~/.bashrc:" ;;
    fish)
      say "$dir is not on your PATH. Run this once:"
      line="fish_add_path \"$dir\""
      ;;
    *) say "$dir is not on your PATH. Add this line to ~/.profile:" ;;
  esac
  say "  $line"
}

tell_browser() {
  for browser in chromium-headless-shell chromium chromium-browser google-chrome-stable google-chrome \
    microsoft-edge-stable microsoft-edge firefox-esr firefox \
    '/Applications/Chromium.app/Contents/MacOS/Chromium' \
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome' \
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge' \
    '/Applications/Firefox.app/Contents/MacOS/firefox'; do
    if has "$browser"; then
      say "Browser: $(command -v "$browser"). \"footlight doctor\" tries it."
      return
    fi
  done
  say 'No browser was found. "footlight doctor" says how to get one.'
}

install() {
  detect_platform
  find_hasher
  writable "$dir" || fail "$dir cannot be written; choose another folder with --dir. This script never asks for root"
  [ ! -d "$program" ] || fail "$program is a folder; choose another place with --dir"
  make_work
  if [ -n "$archive" ]; then
    take_archive
  else
    download
  fi
  # A file that is here can be checked without changing anything.
  [ ! -f "$archive" ] || check_sum "$archive" "$name" "$sums"
  if [ "$dry" = 1 ]; then
    say "would install $name as $program"
    return
  fi
  stage
  put
  [ "$path_note" = 0 ] || tell_path
  tell_browser
}

uninstall() {
  if [ ! -e "$program" ] && [ ! -h "$program" ]; then
    say "there is no $program; nothing to remove"
  elif [ -d "$program" ]; then
    fail "$program is a folder, which this script did not make"
  elif [ "$dry" = 1 ]; then
    say "would remove $program"
  else
    rm -f "$program" || fail "could not remove $program"
    say "removed $program; files in .footlight folders and the entries in your clients' settings stay"
  fi
}

main() {
  version='' dir=${FOOTLIGHT_INSTALL_DIR:-} archive='' checksums='' action=install
  dry=0 quiet=0 path_note=1 work='' staged=''
  while [ $# -gt 0 ]; do
    option=$1
    shift
    case $option in
      --*=*)
        set -- "${option#*=}" "$@"
        option=${option%%=*}
        ;;
    esac
    case $option in
      --version | --dir | --from-archive | --checksums)
        [ -n "${1:-}" ] || misuse "$option needs a value"
        case $option in
          --version) version=$1 && plain_version ;;
          --dir) dir=$1 ;;
          --from-archive) archive=$1 ;;
          --checksums) checksums=$1 ;;
        esac
        shift
        ;;
      --uninstall) action=uninstall ;;
      --dry-run) dry=1 ;;
      --quiet) quiet=1 ;;
      --no-modify-path) path_note=0 ;;
      --help | -h) usage && return ;;
      *) misuse "unknown option $option" ;;
    esac
  done
  if [ -z "$dir" ]; then
    [ -n "${HOME:-}" ] || fail 'HOME is not set; name the folder with --dir'
    dir=$HOME/.local/bin
  fi
  case $dir in
    /*) ;;
    *) dir=$PWD/$dir ;;
  esac
  dir=${dir%/}
  program=$dir/footlight
  [ -z "$checksums" ] || [ -f "$checksums" ] || fail "--checksums: there is no file $checksums"
  trap clean_up EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  $action
}

# In braces, so that even a cut within this line is an error and not a call without its options.
{ main "$@"; }
