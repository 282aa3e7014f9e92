// How a page that may not show the latest source files is described to a caller.

import { clip } from '../../core/base/text/clip.ts'
import type { EditedFile, Freshness, UntoldFile } from '../../core/sessions/types/freshness.ts'

const LINE_LIMIT_CHARS = 300

const changeOf = ({ file, ageMs }: EditedFile): string => `${file} changed ${(ageMs / 1000).toFixed(1)} s ago`

/** One line with the file, the age of its change and the next step; undefined if the page is fresh or failed to load, or nothing tells whether
 * it is fresh. `hasWaited`: the caller has waited for it in vain, and has the next step already. */
export function freshnessLineOf(freshness: Freshness, hasWaited = false): string | undefined {
  if (!('file' in freshness)) return undefined
  const change = changeOf(freshness)
  if (freshness.state === 'failed')
    return `Stale page: ${change}, and the dev server reports: ${clip((freshness.line ?? '').trim(), LINE_LIMIT_CHARS)}`
  const [fact, step] = FACTS[freshness.state](change)
  return hasWaited ? fact : `${fact} ${step}`
}

const FACTS: Readonly<
  Record<'restart' | 'stale' | 'reload' | 'pending', (change: string) => readonly [string, string]>
> = {
  restart: (change) => [
    `Stale server: ${change}, after the dev server had read it, and it has not started again since.`,
    'Call restart_server.',
  ],
  reload: (change) => [
    `Stale page: ${change}, and the page is from before.`,
    'Call history {direction: "reload"}.',
  ],
  stale: (change) => [
    `Stale page: ${change}, after the page loaded it.`,
    'Call wait_for {fresh: true}, or history reload.',
  ],
  pending: (change) => [`Perhaps a stale page: ${change}.`, 'Call wait_for {fresh: true}.'],
}

const FILE_LIMIT = 5

/** The same for who waits for a fresh page: also if nothing tells whether it is. */
export function freshnessNoteOf(freshness: Freshness): string | undefined {
  if (freshness.state !== 'unknown') return freshnessLineOf(freshness)
  const [first, ...others] = freshness.untold
  const start = 'It cannot be told whether the page shows'
  if (!first)
    return `${start} the latest sources: the project has too many files to look at all of them. ${STEPS.look}`
  const rest = others.slice(0, FILE_LIMIT - 1).map(({ file }) => file)
  const more = others.length - rest.length
  const also = [...rest, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  const freshFiles = freshness.freshFiles.slice(0, FILE_LIMIT).map(({ file }) => file)
  return [
    `${start} ${first.file}, changed ${(first.ageMs / 1000).toFixed(1)} s ago: ${REASONS[first.reason]}.`,
    STEPS[first.step],
    also && `The same of ${also}.`,
    freshFiles.length > 0 && `It shows ${freshFiles.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const REASONS: Readonly<Record<UntoldFile['reason'], string>> = {
  unnamed: 'nothing that the page has loaded and the dev server has reported names that file',
  stored: 'a service worker or a cache answered in place of the dev server',
  altered: 'the dev server did not send that file as it is',
  hot: 'the dev server read it before, and may have taken the change without a start',
  exited: 'the dev server does not run',
  loaded: 'the page was loaded while the dev server answered with errors',
}

const STEPS: Readonly<Record<UntoldFile['step'], string>> = {
  reload:
    'The page is older: call history {direction: "reload"}, then check what you expect with wait_for {text}.',
  restart:
    'Check what you expect with wait_for {text}; if it is not there, the dev server may have read the file at its start: call restart_server.',
  look: 'Check what you expect with wait_for {text}; if it is not there, it may have to be built first.',
}
