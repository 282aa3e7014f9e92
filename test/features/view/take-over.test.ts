import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { ok } from '../../../src/core/base/result.ts'
import type { ToolCall } from '../../../src/core/tool/tool-call.ts'
import { sessionSettings, stillBrowsers, stillSessionManager } from '../../support/pages.ts'

const signal = new AbortController().signal
const request = (key: string, more: Partial<ToolCall> = {}): ToolCall => ({
  owner: 'me',
  sessionKey: key,
  signal,
  progress: () => {},
  ask: undefined,
  description: 'click',
  timeoutKind: 'action',
  changesPage: true,
  graceMs: 0,
  ...more,
})

async function open(performed: string[] = []) {
  const events: object[] = []
  let tell = () => {}
  const asked = new Promise<void>((resolve) => (tell = resolve))
  const browsers = stillBrowsers({
    async performInput(inputs) {
      performed.push(...inputs.map(({ kind }) => `person ${kind}`))
      return ok(undefined)
    },
    elementAt: async () =>
      ok({ ref: 'e1', role: 'button', name: 'Go', box: { x: 0, y: 0, width: 9, height: 9 } }),
  })
  const manager = stillSessionManager(
    browsers,
    {
      ...sessionSettings,
      onEvent: (event) => void (events.push(event), event.event === 'person_needed' && tell()),
    },
    () => Math.floor(performance.now()),
  )
  const session = await manager.create('me', {}, { signal, progress: () => {} })
  if (!session.ok) throw new Error('no session')
  const { id } = session.value.record
  const click = (work = async () => void performed.push('agent click')) =>
    manager.runPageTool(request(id), async () => {
      await work()
      return ok({ data: { success: true } })
    })
  return { manager, views: manager.viewsOf(), id, click, events, asked, performed }
}

type Result = Awaited<ReturnType<Awaited<ReturnType<typeof open>>['click']>>
const dataOf = (result: Result) => (result.ok ? result.value.data : result.error)
const BUSY = { code: 'SESSION_BUSY', reason: 'person' }

test('while a person has the session every call of the agent is refused; afterwards it has the note once', async () => {
  const { manager, views, id, click, performed } = await open()
  expect(await views.takeOver('v1', id)).toEqual(ok(undefined))
  expect(await views.list('v1')).toMatchObject([{ id, control: { by: 'person', isYou: true } }])
  expect(await views.list('v2')).toMatchObject([{ control: { by: 'person', isYou: false } }])
  const refused = [
    dataOf(await click()),
    dataOf(await manager.runOnPage(request(id), async () => ok({ data: {} }))),
    dataOf(await manager.runOnSession(request(id), async () => ok({ data: {} }))),
    await manager.close('me', id).then((result) => !result.ok && result.error),
  ]
  for (const failure of refused) expect(failure).toMatchObject(BUSY)
  expect(await views.sendInput('v2', id, [{ kind: 'text', text: 'no' }])).toMatchObject({ error: BUSY })
  expect(await views.giveBack('v2', id, 'no')).toMatchObject({ error: BUSY })
  expect((await views.sendInput('v1', id, [{ kind: 'text', text: 'yes' }])).ok).toBe(true)
  expect((await views.giveBack('v1', id, 'solved it')).ok).toBe(true)
  expect(dataOf(await click())).toMatchObject({ success: true, person: { note: 'solved it' } })
  expect(dataOf(await click())).not.toHaveProperty('person')
  expect(performed).toEqual(['person text', 'agent click', 'agent click'])
  const actions = await views.read(id, 0)
  expect(actions.ok && actions.value.entries.map(({ text }) => text)).toEqual([
    'a person took the session over',
    'the person returned the session: solved it',
    'Clicked an element',
    'Clicked an element',
  ])
  await manager.end(0)
})

test('a person gets the session when the call that runs has ended, before those that wait', async () => {
  const { manager, views, id, click, performed } = await open()
  let [end, begin] = [() => {}, () => {}]
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const running = click(() => {
    begin()
    return new Promise<void>((resolve) => (end = resolve)).then(() => void performed.push('first'))
  })
  await begun
  const waiting = click()
  while (manager.calls() < 2) await Promise.resolve()
  const taking = views.takeOver('v1', id)
  await Promise.resolve()
  end()
  expect([dataOf(await running), dataOf(await waiting), await taking]).toMatchObject([
    { success: true },
    BUSY,
    { ok: true },
  ])
  expect(performed).toEqual(['first'])
  await manager.end(0)
})

test('handover waits for a person and says what they say; without one it times out, and a decline ends it', async () => {
  const { manager, views, id, events, asked, click } = await open()
  const handover = manager.handOver(request(id), { reason: 'a captcha', timeout: 60_000 })
  await asked
  expect(await views.list('v1')).toMatchObject([{ control: { by: 'nobody', reason: 'a captcha' } }])
  expect(events).toContainEqual({ event: 'person_needed', sessionId: id, reason: 'a captcha' })
  expect(dataOf(await click())).toMatchObject(BUSY)
  await views.takeOver('v1', id)
  await views.giveBack('v1', id, 'done')
  const result = await handover
  expect(result.ok && result.value.data).toEqual({ success: true, note: 'done' })
  const late = await manager.handOver(request(id), { reason: 'r', timeout: 1 })
  expect(!late.ok && late.error).toMatchObject({
    code: 'TIMEOUT',
    observed: ['nobody took it in footlight view'],
  })
  const ask = (note: string | undefined) =>
    manager.handOver(request(id, { askForPerson: async () => (note === undefined ? note : { note }) }), {
      reason: 'r',
      timeout: 60_000,
    })
  const declined = await ask(undefined)
  expect(!declined.ok && declined.error).toMatchObject({ code: 'TIMEOUT', observed: ['the user declined'] })
  const accepted = await ask('by hand')
  expect(accepted.ok && accepted.value.data).toEqual({ success: true, note: 'by hand' })
  expect(dataOf(await click())).not.toHaveProperty('person')
  await manager.end(0)
})

test('comments that are sent together come together; one that nobody waits for is in the next answer', async () => {
  const { manager, views, id, click } = await open()
  const element = { ref: 'e1', role: 'button', name: 'Go' }
  const wait = () =>
    manager.runOnPage(request(id), (_, deadline, session) =>
      session.waitForComments!({ ...deadline, remaining: () => 60_000 }),
    )
  // Nothing is told before it is sent.
  await views.addPin(id, element, 'too small')
  await views.addPin(id, element, 'too far')
  expect(dataOf(await click())).not.toHaveProperty('comments')
  const waiting = wait()
  await views.editPin(id, 2, 'too near')
  await views.sendPins(id)
  const told = { ref: 'e1', name: 'button "Go"' }
  expect(await waiting).toMatchObject({
    value: {
      comments: [
        { ...told, number: 1, note: 'too small' },
        { ...told, number: 2, note: 'too near' },
      ],
    },
  })
  await views.addPin(id, element, 'and too red')
  await views.sendPins(id)
  const result = dataOf(await click())
  expect(result).toMatchObject({ comments: [{ ...told, number: 3, note: 'and too red' }] })
  expect(dataOf(await click())).not.toHaveProperty('comments')
  const states = async () => {
    const pins = await views.pins(id)
    return pins.ok && pins.value.map(({ number, state, answer }) => [number, state, answer ?? ''].join(' '))
  }
  const answer = (...answers: string[]) =>
    manager.runOnPage(request(id), async (_, __, session) => session.answerComments!(answers))
  expect(await states()).toEqual(['1 read ', '2 read ', '3 read '])
  expect(await answer('1 done', '7 done')).toMatchObject({ error: { field: 'answers[1]' } })
  expect(await states()).toEqual(['1 read ', '2 read ', '3 read '])
  expect((await answer('1 done: it is 20 px', '#2 question - how near?')).ok).toBe(true)
  expect(await states()).toEqual(['1 done it is 20 px', '2 question how near?', '3 read '])
  // Other words are sent again, under the same number.
  await views.editPin(id, 2, '4 px')
  await views.removePin(id, 1)
  const again = wait()
  await views.sendPins(id)
  expect(await again).toMatchObject({ value: { comments: [{ number: 2, note: '4 px' }] } })
  expect(await states()).toEqual(['2 read ', '3 read '])
  const interrupted = wait()
  await views.takeOver('v1', id)
  expect(await interrupted).toMatchObject({ error: BUSY })
  await manager.end(0)
})

// What the agent does and what a person does, in any order: nothing of the agent lands between take-over and return.
test('1,000 random interleavings of agent and person', async () => {
  const { manager, views, id } = await open()
  let holder: string | undefined
  let count = 0
  let [landed, refused] = [0, 0]
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ who: fc.constant('agent' as const), ticks: fc.nat(4) }) },
    {
      weight: 1,
      arbitrary: fc.record({ who: fc.constant('person' as const), ticks: fc.nat(6) }),
    },
  )
  const pause = async (ticks: number) => {
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve()
  }
  const act = async ({ who, ticks }: { who: 'agent' | 'person'; ticks: number }) => {
    if (who === 'agent') {
      const result = await manager.runPageTool(request(id), async () => {
        for (let tick = 0; tick <= ticks; tick += 1) {
          if (holder !== undefined) throw new Error(`the agent acts while ${holder} has the session`)
          await Promise.resolve()
        }
        landed += 1
        return ok({ data: {} })
      })
      if (!result.ok) {
        expect(result.error).toMatchObject(BUSY)
        refused += 1
      }
      return
    }
    const viewer = `v${(count += 1)}`
    if (!(await views.takeOver(viewer, id)).ok) return
    expect(holder).toBeUndefined()
    holder = viewer
    await pause(ticks)
    holder = undefined
    expect((await views.giveBack(viewer, id, '')).ok).toBe(true)
  }
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(6)), { minLength: 2, maxLength: 12 }), async (steps) => {
      const acts: Promise<void>[] = []
      for (const [one, ticks] of steps) {
        acts.push(act(one))
        await pause(ticks)
      }
      await Promise.all(acts)
    }),
    { numRuns: 1000 },
  )
  expect([landed > 100, refused > 100]).toEqual([true, true])
  await manager.end(0)
}, 120_000)
