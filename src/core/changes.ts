// What changed between two looks at a page, by its elements' keys. Where they are not the same wording any more, it is a new page.

import { outline, type Line } from './tree.ts'

/** `+` new, `-` gone, `~` changed, one line each; empty when nothing changed. At most `maxChars`. */
export function changes(before: readonly Line[], after: readonly Line[], maxChars: number): string {
  const old = new Map(before.map((line) => [line.key, line]))
  const now = new Set(after.map(({ key }) => key))
  const gone = before.filter(({ key }) => !now.has(key))
  const fresh = after.filter(({ key }) => !old.has(key))
  const other = after.filter(({ key, text }) => old.has(key) && old.get(key)?.text !== text)
  const total = gone.length + fresh.length + other.length
  if (total === 0) return ''
  if (total > 12 && gone.length + other.length > before.length * 0.6)
    return `a new page:\n${outline(after, maxChars)}`
  const changed = new Set([...fresh, ...other])
  const told = [
    ...gone.map(({ text }) => `- ${text}`),
    ...after
      .filter((line) => changed.has(line))
      .map((line) => `${old.has(line.key) ? '~' : '+'} ${line.text}`),
  ]
  return fit(told, maxChars)
}

function fit(lines: readonly string[], maxChars: number): string {
  let size = 0
  const end = lines.findIndex((line) => (size += line.length + 1) > maxChars - 60)
  if (end < 0) return lines.join('\n')
  return [...lines.slice(0, end), `… ${lines.length - end} more changes; take a snapshot`].join('\n')
}
