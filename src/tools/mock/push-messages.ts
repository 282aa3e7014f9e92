// answer.push: messages to WebSockets that mocks have answered, now.

import * as v from 'valibot'
import { pushedRules } from './socket-answer.ts'
import { compileUrlPattern } from '../define/pattern.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { clip } from '../../core/text/clip.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Page } from '../../runtime/ports/page/page.ts'

const FORM = 'a text, or a list of texts and {send, close, reason, delay}; JSON is {send: {…}}'

/** Pushes to the open WebSockets of mocks whose URL matches, all of them without `url`. Returns their number; INVALID_PARAMETERS if there are
 * none. */
export async function pushMessages(
  url: string | undefined,
  answer: Record<string, unknown>,
  page: Page,
  deadline: Deadline,
): Promise<Outcome<number>> {
  const other = Object.keys(answer).find((name) => name !== 'push')
  if (other !== undefined) return err(invalidParameter(`answer.${other}`, 'nothing with push', 'a value'))
  const rules = v.safeParse(pushedRules, answer['push'])
  if (!rules.success)
    return err(invalidParameter('answer.push', FORM, clip(JSON.stringify(answer['push']) ?? '', 200)))
  const matchesUrl = url === undefined ? ok(() => true) : await compileUrlPattern(url)
  if (!matchesUrl.ok) return matchesUrl
  const push = { ...(url !== undefined && { url }), matchesUrl: matchesUrl.value, rules: rules.output }
  return page.pushToSockets(push, deadline)
}
