#!/usr/bin/env bash
# Runs commands of this project on a bare Debian 12: a fresh root with nothing but git and make, into which the last
# commit of this checkout is cloned.
#
#   ci/bare_machine.sh                      make html, then make check
#   ci/bare_machine.sh make html MODULES=no  another command
#   KEEP=1 ci/bare_machine.sh ...           goes on in the root of the run before
#   FOLDER="/it's ünder" ci/bare_machine.sh  clones into another folder of that root than /lockstep
#
# Needs root. The root stands in $BARE, or /var/tmp/lockstep-bare. It reaches the network as this machine does: the
# mirror, the name servers, the certificates and the settings of pip and of proxies are those of this machine.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "bare_machine: $*" >&2; exit 1; }

here=${BARE:-/var/tmp/lockstep-bare}
base=$here/base
root=$here/root
folder=${FOLDER:-/lockstep}
suite=bookworm

# Mounts live in a namespace of their own and end with this script, however it ends.
if [ "${BARE_INSIDE:-}" != yes ]; then
  [ "$(id -u)" = 0 ] || fail "only root can make a Debian root: sudo $0 $*"
  BARE_INSIDE=yes exec unshare --mount --propagation private --pid --fork --kill-child --mount-proc "$0" "$@"
fi

make_base() {
  command -v debootstrap >/dev/null || apt-get install -y -q debootstrap >/dev/null || fail "debootstrap is missing"
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $suite" 'Created-By: Packages' 2>/dev/null | head -n 1)
  echo "bare_machine: Debian $suite into $base"
  rm -rf "$base"
  mkdir -p "$base"
  debootstrap --variant=minbase "$suite" "$base" "${mirror:-http://deb.debian.org/debian}" >"$here/debootstrap.log" ||
    { tail -n 20 "$here/debootstrap.log" >&2; fail "debootstrap failed"; }
  touch "$base/complete"
}

# How this machine reaches mirrors, for the root.
copy_settings() {
  local file
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  rm -f "$root/etc/apt/sources.list"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list; do
    if [ -e "$file" ] && grep -q debian "$file"; then cp "$file" "$root/etc/apt/${file#/etc/apt/}"; fi
  done
  for file in /etc/apt/apt.conf.d/*; do
    if grep -q '^Acquire::' "$file"; then cp "$file" "$root/etc/apt/apt.conf.d/"; fi
  done
  if [ -e /etc/pip.conf ]; then cp /etc/pip.conf "$root/etc/"; fi
  if [ -e /etc/ssl/certs/ca-certificates.crt ]; then
    mkdir -p "$root/usr/local/share/ca-certificates"
    cp /etc/ssl/certs/ca-certificates.crt "$root/usr/local/share/ca-certificates/of-this-machine.crt"
  fi
}

mount_devices() {
  local name
  mount -t proc proc "$root/proc"
  mount -t tmpfs -o size=64k,mode=755 tmpfs "$root/dev"
  for name in null zero full random urandom tty; do
    touch "$root/dev/$name"
    mount --bind "/dev/$name" "$root/dev/$name"
  done
  ln -s /proc/self/fd "$root/dev/fd"
  ln -s fd/0 "$root/dev/stdin"
  ln -s fd/1 "$root/dev/stdout"
  ln -s fd/2 "$root/dev/stderr"
  mkdir "$root/dev/shm" "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
  ln -s pts/ptmx "$root/dev/ptmx"
}

# Runs a command in the root, with no more of this environment than what tells how to reach the network.
inside() {
  local name known=()
  for name in PIP_INDEX_URL PIP_EXTRA_INDEX_URL PIP_TRUSTED_HOST PIP_PROXY PIP_CERT PIP_DEFAULT_TIMEOUT SSL_CERT_FILE \
    REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_CAINFO http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    if [ -n "${!name:-}" ]; then known+=("$name=${!name}"); fi
  done
  chroot "$root" /usr/bin/env -i HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${known[@]}" "$@"
}

timed() {
  local began=$SECONDS status=0
  echo "bare_machine: $*"
  inside /bin/bash -c 'cd "$1" && shift && exec "$@"' bash "$folder" "$@" || status=$?
  echo "bare_machine: $*: exit status $status after $((SECONDS - began)) s"
  return $status
}

mkdir -p "$here"
[ -e "$base/complete" ] || make_base
if [ "${KEEP:-}" != 1 ] || [ ! -e "$root$folder" ]; then
  rm -rf --one-file-system "$root"
  cp -a --reflink=auto "$base" "$root"
  copy_settings
  mount_devices
  { inside apt-get update -q && inside env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    ca-certificates git make; } >"$here/apt.log" 2>&1 || { tail -n 20 "$here/apt.log" >&2; fail "apt-get failed in the root"; }
  mkdir -p "$(dirname "$root$folder")"
  git clone --quiet --no-local --no-hardlinks . "$root$folder"
else
  copy_settings
  mount_devices
  git -C "$root$folder" fetch --quiet "$PWD" HEAD
  git -C "$root$folder" reset --quiet --hard FETCH_HEAD
fi
echo "bare_machine: $(. "$root/etc/os-release" && echo "$PRETTY_NAME"), $(nproc) cores, $(git -C "$root$folder" log -1 --format=%h)"

if [ $# -gt 0 ]; then
  timed "$@"
else
  timed make html
  timed make check
fi
