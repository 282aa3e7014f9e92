// What a client or its model should have been given, and what a model paid for it.

import { existsSync } from 'node:fs'
import { encode } from 'gpt-tokenizer'
import { readImageSize } from '../../src/core/base/image-plan.ts'
import type { Answers, Run } from './agents/run.ts'
import type { Part } from './model/api.ts'
import { lastWords } from './script.ts'

const MOST_TOKENS = 1200
const FACTS_TOKENS = 400
const PIXELS_PER_TOKEN = 750

type Image = Extract<Part, { type: 'image' }>

export const tableHead =
  '| client | screenshot | its text in tokens | click on what is missing | click on what is covered |\n| --- | --- | --- | --- | --- |'

/** What is wrong with what a client was given; `hits` are the paths that the site was asked for. */
export function problemsOfAnswers(answers: Answers, hits: readonly string[]): string[] {
  const problems: string[] = []
  for (const step of ['create', 'open', 'snapshot', 'click', 'openErrors', 'close'] as const)
    if (answers[step].length === 0 || /errorCode|^[A-Z]+(?:_[A-Z]+)+:/m.test(textsIn(answers[step])))
      problems.push(`${step}: ${textsIn(answers[step]) || 'no answer'}`)
  if (!textsIn(answers.snapshot).includes('Place order')) problems.push('the snapshot did not arrive')
  if (hits.filter((path) => path === '/ordered').length !== 1) problems.push('the click had no effect')
  const [image] = imagesIn(answers.screenshot)
  if (!image || readImageSize(image.bytes).width < 600) problems.push('the screenshot did not arrive')
  if (tokensOf(textsIn(answers.screenshot)) > FACTS_TOKENS)
    problems.push('the screenshot came with more than its facts')
  return [
    ...problems,
    ...(['missing', 'covered'] as const).flatMap((step) => problemsOfFailure(step, answers[step])),
  ]
}

/** What is wrong with the run of a client that asks a model. */
export function problemsOf({ status, output, answers, hits, left, usedEra }: Run): string[] {
  const problems = left.map((command) => `left running: ${command.slice(0, 200)}`)
  if (status !== 0) problems.push(`ended with ${status}`)
  if (!output.includes(lastWords)) problems.push('did not come to the end of the script')
  if (!usedEra) problems.push('called no tool')
  return [...problems, ...problemsOfAnswers(answers, hits)]
}

function problemsOfFailure(step: string, parts: readonly Part[]): string[] {
  const problems: string[] = []
  const cost = costOf(parts)
  if (cost > MOST_TOKENS) problems.push(`${step}: the failing click costs ${cost} tokens`)
  const [path = ''] =
    /\/[^"\\\s]*\/failure-\d+\.jpeg/.exec(textsIn(parts).replaceAll(/footlight:\S+/g, '')) ?? []
  if (!existsSync(path))
    problems.push(`${step}: the answer does not tell where the picture is: ${textsIn(parts)}`)
  return problems
}

const imagesIn = (parts: readonly Part[]): readonly Image[] => parts.filter((part) => part.type === 'image')
const textsIn = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
const tokensOf = (text: string): number => encode(text).length

// Of an image, as the makers of models count it: its area.
function costOf(parts: readonly Part[]): number {
  const areas = imagesIn(parts)
    .map(({ bytes }) => readImageSize(bytes))
    .map(({ width, height }) => width * height)
  return tokensOf(textsIn(parts)) + Math.ceil(areas.reduce((sum, area) => sum + area / PIXELS_PER_TOKEN, 0))
}

/** The row of a client that asks a model; tokens are those of the texts and pictures that the model was given. */
export function rowOf(name: string, { answers }: Run): string {
  const [image] = imagesIn(answers.screenshot)
  const size = image && readImageSize(image.bytes)
  const shown = size ? `${image.mimeType}, ${size.width} × ${size.height}` : 'none'
  const inline = (parts: readonly Part[]) => (imagesIn(parts).length > 0 ? ' with its picture' : '')
  const cost = (parts: readonly Part[]) => `${costOf(parts)}${inline(parts)}`
  return `| ${name} | ${shown} | ${tokensOf(textsIn(answers.screenshot))} | ${cost(answers.missing)} | ${cost(answers.covered)} |`
}
