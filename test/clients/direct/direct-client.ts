// A client without a model: the test itself calls the tools through it.

import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Era } from '../../../src/core/mcp/calls/era.ts'
import type { Answers } from '../agents/run.ts'
import { imagePart, otherPart, type Part, textPart } from '../model/api.ts'
import { fillSessionId, type Step, stepsFor } from '../script.ts'
import type { Stage } from '../stage.ts'
import { problemsOfAnswers } from '../verdict.ts'

export interface DirectClient {
  readonly eras: readonly Era[]
  /** Does all steps; the problems. */
  readonly use: (stage: Stage, era: Era) => Promise<readonly string[]>
}

/** Does the steps one after the other, each with one call. */
export async function playSteps(
  { site }: Stage,
  call: (step: Step) => Promise<readonly Part[]>,
): Promise<readonly string[]> {
  const answers: [name: string, parts: readonly Part[]][] = []
  for (const [name, step] of Object.entries(stepsFor(site.url))) {
    const parts = answers.map(([, answer]) => answer)
    answers.push([name, await call(fillSessionId(step, parts))])
  }
  return problemsOfAnswers(Object.fromEntries(answers) as Answers, site.hits)
}

/** What a model would be given of a result. */
export const partsOf = ({ content }: Pick<CallToolResult, 'content'>): Part[] =>
  content.map((block) => {
    if (block.type === 'text') return textPart(block.text)
    return block.type === 'image' ? imagePart(block.mimeType, block.data) : otherPart(block)
  })
