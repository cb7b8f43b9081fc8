#!/bin/sh
# Looks at the form of what lies in deploy/, with the tools of those who will read it, as far as they are here: promtool
# (Debian: prometheus), kubectl for kustomize, Go for the strict types of Kubernetes (its modules come from the module
# proxy, some minutes the first time). What was not looked at is said, and is no success in
# silence. Building images takes a daemon and is left to whoever has one. What fits the service is test/deploy.
set -eu
cd "$(dirname -- "$0")/.."

failed=0
left_out() { echo "lint-deploy: NOT LOOKED AT: $1: $2" >&2; }
has() { command -v "$1" >/dev/null 2>&1; }

if has promtool; then
  (cd deploy/prometheus && promtool check rules alerts.yaml && promtool test rules alerts.test.yaml) || failed=1
  promtool check config --syntax-only deploy/prometheus/scrape.yaml || failed=1
else
  left_out 'Prometheus rules' 'no promtool (Debian: apt-get install prometheus)'
fi

if has kubectl && has go; then
  strict=$(mktemp -d)
  trap 'rm -rf "$strict"' EXIT
  (cd deploy/lint && go build -o "$strict/lint" .)
  for variant in base gvisor; do
    echo "kubernetes/$variant"
    kubectl kustomize "deploy/kubernetes/$variant" >"$strict/$variant.yaml" &&
      "$strict/lint" <"$strict/$variant.yaml" || failed=1
  done
else
  left_out 'Kubernetes manifests' 'kubectl and go are needed'
fi

if has docker && docker compose version >/dev/null 2>&1; then
  docker compose -f deploy/docker/compose.yaml config --quiet || failed=1
else
  left_out 'compose.yaml' 'docker compose is needed'
fi
if has docker && docker buildx version >/dev/null 2>&1 && docker info >/dev/null 2>&1; then
  docker build --check -f deploy/docker/Dockerfile . || failed=1
else
  left_out 'Dockerfile' 'a Docker daemon with buildx is needed'
fi
exit $failed
