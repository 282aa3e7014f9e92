#!/bin/sh
# A Selenium Grid on this machine, to try `footlight --grid http://127.0.0.1:4444`: a hub and two nodes with four browsers each. It needs npm, Java 11
# or newer, Chromium and chromedriver (Debian: apt-get install default-jre-headless chromium chromium-driver). Ctrl+C ends it.
set -eu

version=4.20.0
nodes=${NODES:-2}
sessions=${SESSIONS:-4}
port=${PORT:-4444}
chromium=$(command -v chromium || command -v google-chrome || command -v chromium-browser)
chromedriver=$(command -v chromedriver)

folder=$(mktemp -d)
trap 'trap - EXIT INT TERM; kill $pids 2>/dev/null || true; wait; rm -rf "$folder"' EXIT INT TERM
pids=
(cd "$folder" && npm pack --silent "@nightwatch/selenium-server@$version" >/dev/null && tar xzf ./*.tgz)
jar=$folder/package/lib/selenium-server-$version.jar

# The sandbox of Chromium does not work as root. Chromedriver looks at the process that it has started, so the browser replaces the shell.
flags=
[ "$(id -u)" != 0 ] || flags=--no-sandbox
printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$chromium" "$flags" > "$folder/chromium"
chmod +x "$folder/chromium"

bus="--publish-events tcp://127.0.0.1:4442 --subscribe-events tcp://127.0.0.1:4443"
# shellcheck disable=SC2086
java -jar "$jar" hub --host 127.0.0.1 --port "$port" $bus & pids="$pids $!"
for number in $(seq "$nodes"); do
  # shellcheck disable=SC2086
  java -jar "$jar" node --host 127.0.0.1 --port $((5550 + number)) $bus --detect-drivers false --override-max-sessions true \
    --max-sessions "$sessions" --driver-configuration display-name=chrome max-sessions="$sessions" "webdriver-executable=$chromedriver" \
    "stereotype={\"browserName\":\"chrome\",\"goog:chromeOptions\":{\"binary\":\"$folder/chromium\"}}" & pids="$pids $!"
done
wait
