// The runs over a stack: its address, hydration, an edit, a handler that throws, source that does not compile, its repair, and the end.
// Two starts and two restarts each, or as many as the variable ROUNDS says.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Answer } from '../support/client.ts'
import { openApp, SEEN_LIMIT_MS, type App } from './app.ts'
import { edits, TITLE, type Edit, type Stack } from './stack.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 2)
const ROUND_LIMIT_MS = 300_000
const LIMIT_MS = 200_000

/** The runs, and after them, in the same session, those of `more`. */
export function runs(stack: Stack, more?: (app: () => App) => void): void {
  describe(stack.name, () => {
    let app: App
    beforeAll(async () => void (app = await openApp(stack)), 700_000)
    afterAll(() => app?.close(), LIMIT_MS)

    test(
      `${ROUNDS} starts and ${ROUNDS} restarts: the announced origin, and a first click that counts`,
      async () => {
        for (let round = 1; round <= ROUNDS; round += 1) {
          expect(await app.start()).toBe(stack.origin)
          const { data } = await app.call('read_server_logs', { lines: 1000 })
          expect(data.text).toContain(stack.origin)
          await countsAtOnce(app)
          const again = await app.call('restart_server')
          expect(again.data).toMatchObject({ url: expect.stringContaining(`${stack.origin}/`) })
          await countsAtOnce(app)
          if (round < ROUNDS) await app.stop()
        }
      },
      ROUNDS * ROUND_LIMIT_MS,
    )
    test('a click on a ref tells its effect, and the ref stays', () => changesOf(app), LIMIT_MS)
    test('an edit of the source is seen', () => isEdited(app), LIMIT_MS)
    test('a handler that throws is named by the click', () => names(app, 'throws'), LIMIT_MS)
    test('a syntax error is named by the next action', () => names(app, 'syntax'), LIMIT_MS)
    test('a missing import is named by the next action', () => names(app, 'missing'), LIMIT_MS)
    test('once repaired, nothing is reported of it any more', () => isClean(app), LIMIT_MS)
    if (more) describe('its own', () => more(() => app))
    test('closing leaves nothing running', () => app.stop(), LIMIT_MS)
  })
}

const COUNTER = { selector: '#counter' }

async function countsAtOnce(app: App): Promise<void> {
  expect((await app.open()).data).toMatchObject({ success: true })
  expect((await app.call('click', { ...COUNTER, timeout: SEEN_LIMIT_MS })).data).toMatchObject({
    success: true,
  })
  await app.shows('Count: 1')
}

async function refOf(app: App): Promise<string> {
  const { data } = await app.call('snapshot', { ...COUNTER })
  const [, ref] = /\[((?:f\d+)?e\d+)\]/.exec(data.snapshot) ?? []
  if (ref === undefined) throw new Error(`no ref in ${JSON.stringify(data)}`)
  return ref
}

async function changesOf(app: App): Promise<void> {
  await app.open()
  await app.shows('Count: 0')
  await app.call('snapshot')
  const ref = await refOf(app)
  for (const count of [1, 2]) {
    const { data } = await app.call('click', { ref })
    expect(data).toMatchObject({ success: true, changes: expect.stringContaining(`Count: ${count}`) })
    expect(data.notes).toBeUndefined()
  }
}

async function isEdited(app: App): Promise<void> {
  await app.editUntil('Second title', edits.title('Second title'))
  await app.editUntil(TITLE)
}

async function names(app: App, bug: 'throws' | 'syntax' | 'missing'): Promise<void> {
  const { syntax, missing } = app.stack
  if (bug === 'throws') {
    await app.editUntil('It throws', edits.title('It throws'), edits.handlerThrows)
    const clicked = await app.call('click', COUNTER)
    expect(toldBy(clicked)).toContain('increment is broken')
    if (app.stack.hasSources) await hasSourceLines(app, clicked)
  } else {
    const [edit, cause] = bug === 'syntax' ? [edits.syntaxError, syntax] : [edits.missingImport, missing]
    const told = await firstTold(app, edit)
    expect(told).toMatch(cause)
    expect(told).toMatch(fileOf(app.stack))
  }
  await repaired(app)
}

// The error that the handler throws and the button have their lines in the source.
async function hasSourceLines({ stack, folder, call }: App, clicked: Answer): Promise<void> {
  const lines = readFileSync(join(folder, stack.source), 'utf8').split('\n')
  const lineOf = (text: string) => `${stack.source}:${lines.findIndex((line) => line.includes(text)) + 1}`
  expect(toldBy(clicked)).toContain(`(${lineOf('increment is broken')})`)
  const { data } = await call('get_content', { ...COUNTER, format: 'source' })
  expect(data.content).toStartWith(`<button> ${lineOf('<button')}:`)
}

const fileOf = ({ source, alias }: Stack): RegExp =>
  alias ?? new RegExp((source.split('/').at(-1) ?? source).replaceAll('.', '\\.').replaceAll('+', '\\+'))

// What an answer says beside what the page shows.
function toldBy({ data }: Answer): string {
  const { changes: _, ...rest } = data
  return JSON.stringify(rest)
}

const REPEATED_EDIT_MS = 10_000

/** Writes the source, if it is asked again after a while anew: a server may miss an edit, but must not get one while it builds the one before. */
function repeatEdit(app: App, ...edits: readonly Edit[]): () => void {
  let nextAt = 0
  return () => {
    if (performance.now() < nextAt) return
    app.edit(...edits)
    nextAt = performance.now() + REPEATED_EDIT_MS
  }
}

/** What the first answer tells that meets the edit. Until the server has seen it, the page is as it was: it counts, and nothing is told. */
async function firstTold(app: App, edit: Edit): Promise<string> {
  const end = performance.now() + SEEN_LIMIT_MS
  const write = repeatEdit(app, edit)
  while (performance.now() < end) {
    write()
    for (const act of [() => app.open(), () => app.call('click', { ...COUNTER, timeout: 5000 })]) {
      const answer = await act()
      // That the page may be older than the edit is true, and names no cause.
      const notes = (answer.data.notes ?? []).filter(
        (note: string) => !note.startsWith('Perhaps a stale page'),
      )
      if (answer.failed || notes.length > 0 || answer.data.status >= 400) return toldBy(answer)
    }
    await app.shows('Count: 1')
  }
  throw new Error(`nothing was told within ${SEEN_LIMIT_MS} ms`)
}

/** Opens the page until it counts without anything to tell. */
async function repaired(app: App): Promise<void> {
  const end = performance.now() + SEEN_LIMIT_MS
  const write = repeatEdit(app)
  for (;;) {
    write()
    const opened = await app.open()
    const clicked = opened.failed ? opened : await app.call('click', { ...COUNTER, timeout: 5000 })
    if (!clicked.failed && clicked.data.notes === undefined) return app.shows('Count: 1')
    if (performance.now() > end) throw new Error(`it is not repaired: ${JSON.stringify(clicked.data)}`)
  }
}

/** Next shows the overlay of the old error once more, if the page connects before its own client was compiled again. */
async function isClean(app: App): Promise<void> {
  await repaired(app)
  const end = performance.now() + SEEN_LIMIT_MS
  for (;;) {
    await app.open()
    const clicked = await app.call('click', COUNTER)
    const { data } = await app.call('click', { selector: '#nowhere', timeout: 200 })
    const isOld = data.details?.overlay !== undefined || clicked.failed || clicked.data.notes !== undefined
    if (isOld && performance.now() < end) continue
    expect(clicked.data).toMatchObject({ success: true })
    expect(clicked.data.notes).toBeUndefined()
    expect(data.errorCode).toBe('ELEMENT_NOT_FOUND')
    expect(data.details.overlay).toBeUndefined()
    for (const part of ['console', 'requests', 'stderr', 'stdout'])
      expect(data.evidence).not.toHaveProperty(part)
    return
  }
}
