// What was done before a failed call and what the scripts of the page asked a server for since: an answer that is no error may be the cause.

import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import { withoutOrigin } from '../lib/html/report.ts'
import type { DescribedStep } from '../lib/recording/describe-steps.ts'

const REQUEST_LIMIT = 5

/** Such as `Clicked Pay`, `GET /api/cart → 200 text/html`. `seq` is that of the failed call. */
export function readBefore(
  { network, redactor, url: pageUrl }: OwnedSession,
  described: readonly DescribedStep[],
  seq: number,
): readonly string[] {
  const steps = described.filter((step) => step.kind === 'action' && step.words !== '' && step.seq < seq)
  const [earlier, last] = [steps.at(-2), steps.at(-1)]
  // What an action causes begins before its entry, which is of its end.
  const requests = network.read({
    since: earlier?.seq ?? 0,
    before: seq,
    limit: REQUEST_LIMIT,
    accept: ({ type }) => type === 'fetch' || type === 'xhr',
  }).entries
  const lines = requests.map(({ method, url, status, failure, state, mimeType }) =>
    [method, withoutOrigin(url, pageUrl), '→', status ?? failure ?? state, mimeType]
      .filter(Boolean)
      .join(' '),
  )
  return [...(last ? [last.words] : []), ...lines].map(redactor.redactText)
}
