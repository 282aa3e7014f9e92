// docs/failures.md: every failure, with an example that the program itself generates.

import { categoryOf, type FailureCategory } from '../../src/core/base/failure.ts'
import type { Failure } from '../../src/core/base/failure.ts'
import { failureRecordOf } from '../../src/core/mcp/answers/failure-text.ts'
import { failureResult } from '../../src/core/mcp/answers/format-result.ts'
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
    'Each failing answer says this of itself, and `footlight help agent` has the exit codes of the shell.',
    'Every failure is the same record, as structured content with `isError: true`: `errorCode`, `category`, `message`, `sessionId` (if it concerns one), `timestamp` and `details`. The message ends with the next step. `details` has the facts, so that no client has to parse the message. The text, for models, begins with the code and the message; of the rest it has only what the message, the call and earlier results do not have.',
    'A failure on a page also has `evidence`: URL and title, the last console errors, failed requests, the last lines of the dev server, the closest elements with refs for a missing element, and a screenshot: `evidence.screenshot` has its file and its resource (the newest 20 of a session are kept).\n\nThe image itself is in the result only for clients that are known to show images of failing calls (VS Code), or with `--evidence full`; such a result has no structured content but the record as JSON text, and a smaller image. Gemini CLI passes the whole result of a failing call to its model as JSON, so it gets only the text. Models in Codex print whole results, so it gets the record as structured content and the message as text.\n\nA failing call costs a model at most about 1,200 tokens, including an image. If there is more evidence, the newest lines and those with a cause are kept, and `… more: console_messages` names the tool that returns the rest. `--evidence text` omits the screenshot, `--evidence none` all evidence.',
    'An unknown tool is not such a failure but a JSON-RPC error (-32602) with the closest tool name.',
    ...categories.flatMap((category) => [
      `## ${category}`,
      ...codes.filter((code) => categoryOfCode(code) === category).map(failureSection),
    ]),
  ].join('\n\n')
}

const categoryOfCode = (code: Failure['code']): FailureCategory => categoryOf(samples[code].example)

function failureSection(code: Failure['code']): string {
  const { means, then, example } = samples[code]
  const sampleSessionId =
    categoryOfCode(code) !== 'protocol' && categoryOfCode(code) !== 'security' ? sessionId : undefined
  const { structuredContent } = failureResult(failureRecordOf(example, TIMESTAMP, sampleSessionId))
  return [`### ${code}`, `${means} ${then}`, fenced('json', JSON.stringify(structuredContent, null, 2))].join(
    '\n\n',
  )
}
