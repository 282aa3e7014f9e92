/** Replaces the first match. A pattern that no longer matches fails the build, because the result would fail on another machine. */
export function replaceOnce(source: string, [pattern, replacement]: readonly [RegExp, string]): string {
  if (!pattern.test(source))
    throw new Error(`build: a package no longer contains ${pattern}; see scripts/plugins`)
  return source.replace(pattern, () => replacement)
}
