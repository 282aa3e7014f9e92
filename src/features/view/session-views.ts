// What people see of the sessions of this process, and do in them. Texts are redacted as those of answers are; pictures are what a window
// would show.

import { basename, resolve } from 'node:path'
import type { Outcome } from '../../core/base/failure.ts'
import type { Point } from '../../core/base/geometry.ts'
import { err, map, ok } from '../../core/base/result.ts'
import { createDeadline } from '../../core/base/system/race-deadline.ts'
import type { Clock } from '../../core/base/system/timer.ts'
import type { CallSteps } from '../../core/sessions/types/call-steps.ts'
import type { OpeningSession, OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { ManagerParts } from '../../core/sessions/types/session-feature.ts'
import type { ClosableSessionManager } from '../../core/sessions/types/session-manager.ts'
import { readRevision } from '../report/git-revision.ts'
import { readOrigin } from '../sources/element-origin.ts'
import { summarizeSource } from '../sources/element-source.ts'
import { hasSession } from './control.ts'
import { handOver } from './handover.ts'
import type { Control, PointedElement, ViewedSession } from './in-page/viewed-session.ts'
import { recordPerson } from './record-person.ts'
import type {} from './session-pins.ts'
import { describeLastAction, readViewedEntries } from './viewed-entries.ts'
import type { SessionViews } from './viewing.ts'

interface ViewOptions {
  readonly list: () => readonly OpeningSession[]
  readonly find: (id: string) => OpeningSession | undefined
  readonly steps: CallSteps
  readonly clock: Clock
}

const PAGE_TIMEOUT_MS = 2000

/** Lets people see and use the sessions of the server, and the agent ask for one of them. */
export const addViews = ({ steps, onEvent, openings }: ManagerParts): Partial<ClosableSessionManager> => ({
  handOver: (call, request) => handOver(steps, call, request, onEvent),
  viewsOf: (owner) => createSessionViews({ ...openings(owner), steps, clock: steps.clock }),
})

// --- internal ---

function createSessionViews({ list, find, steps, clock }: ViewOptions): SessionViews {
  const withSession = async <T>(
    id: string,
    work: (session: OwnedSession, opening: OpeningSession) => Promise<Outcome<T>>,
  ): Promise<Outcome<T>> => {
    const opening = find(id)
    if (!opening) return err({ code: 'SESSION_NOT_FOUND', sessionId: id })
    const openResult = await opening.ready
    return openResult.ok ? work(openResult.value, opening) : openResult
  }
  return {
    async list(viewer) {
      const sessions = await Promise.all(
        list().map(async ({ control, ready }) => {
          control.send({ type: 'seen', viewer })
          const openResult = await ready
          return openResult.ok ? [viewOf(openResult.value, viewer)] : []
        }),
      )
      return sessions.flat()
    },
    read: (id, after) => withSession(id, async (session) => ok(await readViewedEntries(session, after))),
    nextFrame: (id, after, signal) =>
      withSession(id, async ({ page }) => ok(await page.nextFrame(after, signal))),
    takeOver: (viewer, id) =>
      withSession(id, (session, opening) => takeOver(session, { opening, viewer, steps, clock })),
    giveBack: (viewer, id, note) =>
      withSession(id, async ({ control, journal, page, redactor, personRecording }) => {
        if (!hasSession(control.state(), viewer)) return busy(id)
        await page.releaseInput()
        await (await personRecording)?.settle()
        control.leaveNote(note)
        const text = ['the person returned the session', redactor.redactText(note)].filter(Boolean).join(': ')
        journal.add({ kind: 'action', at: clock(), level: 'info', text })
        control.send({ type: 'returned', viewer })
        return ok(undefined)
      }),
    sendInput: (viewer, id, inputs) =>
      withSession(id, async ({ control, page }) =>
        hasSession(control.send({ type: 'acted', viewer }), viewer) ? page.performInput(inputs) : busy(id),
      ),
    elementAt: (id, point) => withSession(id, (session) => readElement(session, point, clock)),
    elements: (id) =>
      withSession(id, async ({ page, redactor }) =>
        map(await page.shownElements(pageDeadline(clock)), (list) => redactor.redactData(list)),
      ),
    elementOf: (id, ref) => withSession(id, (session) => readShown(session, ref, clock)),
    pins: (id) => withSession(id, async ({ pins }) => ok(await pins.list())),
    addPin: (id, element, note) => withSession(id, ({ pins }) => pins.add(element, note)),
    editPin: (id, number, note) => withSession(id, async ({ pins }) => ok(pins.edit(number, note))),
    removePin: (id, number) => withSession(id, async ({ pins }) => ok(pins.remove(number))),
    sendPins: (id) => withSession(id, async ({ pins }) => ok(pins.send())),
  }
}

interface TakeOver extends Pick<ViewOptions, 'steps' | 'clock'> {
  readonly opening: OpeningSession
  readonly viewer: string
}

async function takeOver(
  session: OwnedSession,
  { opening, viewer, steps, clock }: TakeOver,
): Promise<Outcome<void>> {
  const { control, journal, record } = session
  if (!hasSession(control.send({ type: 'taken', viewer }), viewer)) return busy(record.id)
  // The session stays open while a person has it, and the call that runs ends first.
  void steps.countCall(opening, () => control.waitForAgent())
  await steps.queue.add(record.id, async () => {}).result
  if (!hasSession(control.state(), viewer)) return busy(record.id)
  if (session.personRecording) return ok(undefined)
  journal.add({ kind: 'action', at: clock(), level: 'info', text: 'a person took the session over' })
  const recording = recordPerson(session, clock)
  session.personRecording = recording
  void control.waitForAgent().then(() => {
    session.personRecording = undefined
    void recording.then(({ end }) => end())
  })
  await recording
  return ok(undefined)
}

async function readElement(
  { page, sources, redactor, url }: OwnedSession,
  point: Point,
  clock: Clock,
): Promise<Outcome<PointedElement | undefined>> {
  const element = await page.elementAt(point, pageDeadline(clock))
  if (!element.ok || !element.value) return map(element, () => undefined)
  const { origin, ...rest } = element.value
  const source = origin && summarizeSource(await sources.locateElement(origin, url))
  return ok(redactor.redactData({ ...rest, source }))
}

/** The same of an element that the person has moved to. */
async function readShown(
  session: OwnedSession,
  ref: string,
  clock: Clock,
): Promise<Outcome<PointedElement | undefined>> {
  const { page, sources, redactor, url } = session
  const deadline = pageDeadline(clock)
  const elements = await page.shownElements(deadline)
  if (!elements.ok) return elements
  const element = elements.value.find((one) => one.ref === ref)
  if (!element) return ok(undefined)
  const origin = await readOrigin(page, { ref }, deadline)
  const source = origin.ok ? summarizeSource(await sources.locateElement(origin.value, url)) : undefined
  return ok(redactor.redactData({ ...element, source }))
}

const pageDeadline = (clock: Clock) => createDeadline(PAGE_TIMEOUT_MS, new AbortController().signal, clock)

const busy = (sessionId: string) => err({ code: 'SESSION_BUSY', sessionId, reason: 'person' } as const)

function viewOf(session: OwnedSession, viewer: string): ViewedSession {
  const { record, request, notes, redactor, url, server, control } = session
  const folder = resolve(request.server?.cwd ?? '.')
  return {
    id: record.id,
    name: record.name,
    browser: record.browser,
    folder: basename(folder),
    branch: readRevision(folder)?.branch,
    url: redactor.redactText(url),
    serverUrl: server?.info().url,
    createdAt: record.createdAt,
    control: redactor.redactData(controlOf(control.state(), viewer)),
    lastAction: describeLastAction(session),
    failures: notes.failures.size,
  }
}

function controlOf(state: ReturnType<OwnedSession['control']['state']>, viewer: string): Control {
  if (state.by === 'agent') return state
  const { by, reason } = state
  if (by === 'nobody') return { by, reason }
  return { by, isYou: hasSession(state, viewer), reason }
}
