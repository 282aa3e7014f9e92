// docs/failures.md: every failure, with an example that is worded by the program itself.

import { categoryOf, type FailureCategory, type Failure } from '../../src/core/failure.ts'
import { failureResult, failureRecordOf } from '../../src/mcp/answers/failure-text.ts'
import { fenced } from './markdown.ts'
import { samples } from './samples.ts'

const categories: readonly FailureCategory[] = [
  'protocol',
  'session',
  'browser',
  'server',
  'security',
  'system',
]
const codes = Object.keys(samples) as Failure['code'][]
const TIMESTAMP = 1_790_000_000_000
const sessionId = '3f0c1b52-6a1d-4a7e-9a55-0e2f4c8d7b11'

export function failuresPage(): string {
  return [
    '# Failures',
    'Every failure is the same record, as structured content and as JSON text, with `isError: true`: `errorCode`, `category`, `message`, `sessionId` (where there is one), `timestamp` and `details`. The message ends with the next step. `details` has the facts, so nobody needs to read them out of the message.',
    'A failure on a page also has `evidence`: address and title, the last errors of the console, failed requests, the last lines of the dev server, for a missing element the closest ones with refs, and a picture: `evidence.screenshot` names its file and its resource (the newest 20 of a session are kept). The picture itself is in the answer only where the client is known to show pictures of failing calls (VS Code), or with `--evidence full`; such an answer has no structured content, and a smaller picture. Gemini CLI, which hands its model the whole answer of a failing call as JSON, gets the record as text alone; Codex, whose models print whole answers, as structured content with the message as text. A failing call costs a model at most about 1,200 tokens, a picture in it included: where there is more evidence, the newest lines stay, of a log those that name a cause, and `… more: console_messages` names the tool that has the rest. `--evidence text` leaves the picture out, `--evidence none` all of it.',
    'A tool that does not exist is no failure of this kind but an error of the protocol (-32602) that names the nearest tool.',
    ...categories.flatMap((category) => [
      `## ${category}`,
      ...codes.filter((code) => of(code) === category).map(section),
    ]),
  ].join('\n\n')
}

const of = (code: Failure['code']): FailureCategory => categoryOf(samples[code].example)

function section(code: Failure['code']): string {
  const { means, then, example } = samples[code]
  const known = of(code) !== 'protocol' && of(code) !== 'security' ? sessionId : undefined
  const { structuredContent } = failureResult(failureRecordOf(example, TIMESTAMP, known))
  return [`### ${code}`, `${means} ${then}`, fenced('json', JSON.stringify(structuredContent, null, 2))].join(
    '\n\n',
  )
}
