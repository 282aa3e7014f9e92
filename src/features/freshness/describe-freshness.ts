// How a page that may not show the latest source files is described to a caller.

import { clip } from '../../core/base/text/clip.ts'
import type { Freshness } from '../../core/sessions/types/freshness.ts'

const LINE_LIMIT_CHARS = 300

/** One line with the file, the age of its change and the next step; undefined if the page is fresh or failed to load, or nothing tells whether
 * it is fresh. `hasWaited`: the caller has waited for it in vain, and has the next step already. */
export function freshnessLineOf(freshness: Freshness, hasWaited = false): string | undefined {
  if (!('file' in freshness) || freshness.state === 'unknown') return undefined
  const { state, file, ageMs, line = '' } = freshness
  const change = `${file} changed ${(ageMs / 1000).toFixed(1)} s ago`
  if (state === 'failed')
    return `Stale page: ${change}, and the dev server reports: ${clip(line.trim(), LINE_LIMIT_CHARS)}`
  const [fact, step] = FACTS[state]({ ...freshness, change })
  return hasWaited ? fact : `${fact} ${step}`
}

type ChangedFreshness = Extract<Freshness, { file: string }> & { readonly change: string }

const FACTS: Readonly<
  Record<
    'restart' | 'stale' | 'reload' | 'pending',
    (freshness: ChangedFreshness) => readonly [string, string]
  >
> = {
  restart: ({ change, isWatched }) => [
    `Stale server: ${change}, after the dev server had read it, and ${isWatched ? 'it has not started again since' : 'it watches no files'}.`,
    'Call restart_server.',
  ],
  reload: ({ change }) => [
    `Stale page: ${change}, and the dev server has started again since; the page is from before.`,
    'Call history {direction: "reload"}.',
  ],
  stale: ({ change }) => [
    `Stale page: ${change}, after the page loaded it.`,
    'Call wait_for {fresh: true}, or history reload.',
  ],
  pending: ({ change }) => [`Perhaps a stale page: ${change}.`, 'Call wait_for {fresh: true}.'],
}

/** The same for who waits for a fresh page: also if nothing tells whether it is. */
export function freshnessNoteOf(freshness: Freshness): string | undefined {
  if (freshness.state !== 'unknown') return freshnessLineOf(freshness)
  const { file, ageMs, isStored, isAltered } = freshness
  if (file === '')
    return 'It cannot be told whether the page shows the latest sources: the project has too many files to look at all of them. Check what you expect with wait_for {text}.'
  const change = `It cannot be told whether the page shows ${file}, changed ${(ageMs / 1000).toFixed(1)} s ago`
  if (isStored)
    return `${change}: a service worker or a cache answered in place of the dev server. Check what you expect with wait_for {text}, or remove the worker and reload.`
  const reason = isAltered
    ? 'the dev server did not send that file as it is'
    : 'the page did not load that file itself'
  return `${change}: ${reason}. Check what you expect with wait_for {text}.`
}
