// How a page that may not show the latest source files is described to a caller.

import { clip } from '../text/clip.ts'
import type { Freshness } from './judge-freshness.ts'

const LINE_LIMIT_CHARS = 300

/** One line with the file, the age of its change and the next step; undefined if the page is fresh. */
export function freshnessLineOf(freshness: Freshness): string | undefined {
  if (freshness.state === 'fresh') return undefined
  const { state, file, ageMs, line = '' } = freshness
  const change = `${file} changed ${(ageMs / 1000).toFixed(1)} s ago`
  if (state === 'restart')
    return `Stale server: ${change}, after the dev server started, which does not watch its files. Call restart_server.`
  if (state === 'failed')
    return `Stale page: ${change}, and the dev server reports: ${clip(line.trim(), LINE_LIMIT_CHARS)}`
  if (state === 'stale')
    return `Stale page: ${change}, after the page loaded it. Call wait_for {fresh: true}, or history reload.`
  return `Perhaps a stale page: ${change}. Call wait_for {fresh: true}.`
}
