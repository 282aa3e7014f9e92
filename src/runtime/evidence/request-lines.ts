// The failed requests of a page, as evidence, each with what the server said about it.

import { ageOf, oneLine } from './evidence-lines.ts'
import type { OwnedPage } from '../ports/browsers.ts'
import type { SessionResources } from '../resources/session-resources.ts'
import type { JournalEntry } from '../../core/session/journal.ts'
import { readableBodyOf } from '../../core/text/readable-body.ts'

const REQUEST_LIMIT_CHARS = 200

/** One line for each request, oldest first. The body of its response is left out if a later request has the same. */
export async function requestLinesOf(
  entries: readonly JournalEntry[],
  { readFailedBody }: Pick<OwnedPage, 'readFailedBody'>,
  { redactor }: Pick<SessionResources, 'redactor'>,
  now: number,
): Promise<readonly string[]> {
  const bodies = await Promise.all(
    entries.map(async ({ data }) => {
      const seq = data?.['request']
      const body = typeof seq === 'number' ? await readFailedBody(seq) : undefined
      return readableBodyOf(redactor.redactData({ body: body ?? '' }).body)
    }),
  )
  return entries.map((entry, index) => {
    const body = bodies[index] ?? ''
    const request = oneLine(redactor.redactText(entry.text), REQUEST_LIMIT_CHARS)
    return [ageOf(entry, now), request, !bodies.includes(body, index + 1) && body].filter(Boolean).join(' ')
  })
}
