// A corpus of readings as agents get them: what must stay readable, and what must not leave. Its author knew the contract and not the code.

import { beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createRedactor } from '../../../../src/core/base/redaction/redactor.ts'
import { createTokenShapeLibrary } from '../../../../src/core/sessions/session-redactor.ts'

interface Reading {
  readonly id: string
  readonly text?: string
  readonly record?: unknown
  readonly known?: readonly string[]
  readonly must?: readonly string[]
  readonly keep?: readonly string[]
  readonly hidden?: readonly string[]
}

/** The corpora are JSON Lines: a row is a line. */
const readCorpus = (name: string): Reading[] =>
  readFileSync(join(import.meta.dir, '../../../corpus', `${name}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

const library = createTokenShapeLibrary()
beforeAll(library.load)

const shown = ({ text, record, known = [] }: Reading): string => {
  const redactor = createRedactor({ shapes: library })
  redactor.learn('typed', known)
  return text === undefined ? JSON.stringify(redactor.redactData(record)) : redactor.redactText(text)
}

const asJson = (text: string): string => JSON.stringify(text).slice(1, -1)
const lost = (reading: Reading, all: string) =>
  [...(reading.must ?? []), ...(reading.keep ?? [])].filter(
    (one) => !all.includes(one) && !all.includes(asJson(one)),
  )

describe.each([
  ['harmless', readCorpus('harmless'), 260],
  ['secret', readCorpus('secret'), 200],
  ['ordinary words', readCorpus('ordinary'), 40],
] as const)('%s', (_, readings, least) => {
  test('there are enough', () => expect(readings.length).toBeGreaterThanOrEqual(least))
  test('what must stay readable is', () =>
    expect(
      readings
        .map((one) => ({ id: one.id, lost: lost(one, shown(one)) }))
        .filter((one) => one.lost.length > 0),
    ).toEqual([]))
  test('what is hidden does not leave', () =>
    expect(
      readings
        .map((one) => ({ id: one.id, left: (one.hidden ?? []).filter((part) => shown(one).includes(part)) }))
        .filter(({ left }) => left.length > 0),
    ).toEqual([]))
  test('what was redacted stays as it is', () => {
    const redactor = createRedactor({ shapes: library })
    const texts = readings.filter(({ text }) => text !== undefined).map(shown)
    expect(texts.filter((text) => redactor.redactText(text) !== text)).toEqual([])
  })
})
