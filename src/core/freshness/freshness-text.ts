// How a page that may not show the latest source files is described to a caller.

import { clip } from '../text/clip.ts'
import type { Freshness } from './judge-freshness.ts'

const LINE_LIMIT_CHARS = 300

/** One line with the file, the age of its change and the next step; undefined if the page is fresh or failed to load, or nothing tells whether
 * it is fresh. */
export function freshnessLineOf(freshness: Freshness): string | undefined {
  if (!('file' in freshness) || freshness.state === 'unknown') return undefined
  const { state, file, ageMs, line = '' } = freshness
  const change = `${file} changed ${(ageMs / 1000).toFixed(1)} s ago`
  if (state === 'restart')
    return `Stale server: ${change}, after the dev server had read it, and it watches no files. Call restart_server.`
  if (state === 'failed')
    return `Stale page: ${change}, and the dev server reports: ${clip(line.trim(), LINE_LIMIT_CHARS)}`
  if (state === 'stale')
    return `Stale page: ${change}, after the page loaded it. Call wait_for {fresh: true}, or history reload.`
  return `Perhaps a stale page: ${change}. Call wait_for {fresh: true}.`
}

/** The same for who waits for a fresh page: also if nothing tells whether it is. */
export function freshnessNoteOf(freshness: Freshness): string | undefined {
  if (freshness.state !== 'unknown') return freshnessLineOf(freshness)
  const { file, ageMs } = freshness
  return `It cannot be told whether the page shows ${file}, changed ${(ageMs / 1000).toFixed(1)} s ago: the page did not load that file itself. Check what you expect with wait_for {text}.`
}
