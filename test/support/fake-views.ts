// Sessions as the view sees them, without a browser: what a person does is recorded.

import { err, ok } from '../../src/core/base/result.ts'
import type {
  CommentedElement,
  Control,
  ShownElement,
  ViewedEntry,
  ViewedPin,
  ViewedSession,
} from '../../src/features/view/in-page/viewed-session.ts'
import type { SessionViews } from '../../src/features/view/viewing.ts'

/** A white JPEG of one pixel. */
const JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
  'base64',
)

export interface FakeViews extends SessionViews {
  readonly sessions: Map<string, ViewedSession>
  readonly entries: ViewedEntry[]
  /** What was called, but for lists, reads and frames. */
  readonly calls: unknown[][]
  /** What is at every point. */
  element: CommentedElement
  /** Those that the keyboard moves through. */
  shown: readonly ShownElement[]
  pinned: ViewedPin[]
  /** Inputs are performed once it resolves. */
  ready: Promise<void>
  /** How many wait for a picture. */
  waiting(): number
  draw(session: string, bytes?: Uint8Array): void
  setControl(session: string, control: Control): void
}

export function createFakeViews(...names: readonly string[]): FakeViews {
  const sessions = new Map(
    names.map((name, index) => [
      name,
      {
        id: name,
        name,
        browser: 'chromium 156',
        url: `http://localhost:5173/${name}`,
        createdAt: 1000 + index,
        control: { by: 'agent' },
        failures: 0,
      } as ViewedSession,
    ]),
  )
  let lastPin = 0
  const [calls, entries]: [unknown[][], ViewedEntry[]] = [[], []]
  const [drawings, waits] = [new Map<string, [number, Uint8Array]>(), new Set<() => void>()]
  const holder = (session: string) => sessions.get(session)?.control
  const setControl = (session: string, control: Control) => {
    const viewed = sessions.get(session)
    if (viewed) sessions.set(session, { ...viewed, control })
  }
  const views: FakeViews = {
    sessions,
    entries,
    calls,
    element: { ref: 'e5', role: 'button', name: 'Add to cart', source: 'src/cart.tsx:12' },
    shown: [],
    pinned: [],
    ready: Promise.resolve(),
    setControl,
    waiting: () => waits.size,
    draw(session, bytes = JPEG) {
      drawings.set(session, [(drawings.get(session)?.[0] ?? 0) + 1, bytes])
      for (const wake of waits) wake()
    },
    list: async () => [...sessions.values()],
    read: async (session, after) =>
      sessions.has(session)
        ? ok({ entries: entries.filter(({ seq }) => seq > after), dropped: 2 })
        : err({ code: 'SESSION_CLOSED', sessionId: session }),
    async nextFrame(session, after, signal) {
      for (;;) {
        const [sequence, bytes] = drawings.get(session) ?? [0, JPEG]
        if (sequence > after) return ok({ sequence, bytes, width: 1280, height: 720 })
        if (signal.aborted) return ok(undefined)
        await new Promise<void>((resolve) => {
          const wake = () => {
            waits.delete(wake)
            resolve()
          }
          waits.add(wake)
          signal.addEventListener('abort', wake)
        })
      }
    },
    async takeOver(_viewer, session) {
      calls.push(['takeOver', session])
      setControl(session, { by: 'person', isYou: true })
      return ok(undefined)
    },
    async giveBack(_viewer, session, note) {
      calls.push(['giveBack', session, note])
      setControl(session, { by: 'agent' })
      return ok(undefined)
    },
    async sendInput(_viewer, session, inputs) {
      if (holder(session)?.by !== 'person') return err({ code: 'SESSION_CLOSED', sessionId: session })
      calls.push(['request'])
      await views.ready
      calls.push(...inputs.map((input) => ['input', input]))
      return ok(undefined)
    },
    async elementAt(_session, point) {
      calls.push(['elementAt', point])
      const box = { x: 100, y: 60, width: 200, height: 40 }
      return ok({ ...views.element, box })
    },
    elements: async () => ok(views.shown),
    async elementOf(_session, ref) {
      const shown = views.shown.find((one) => one.ref === ref)
      return ok(shown && { ...shown, source: `src/${ref}.tsx:1` })
    },
    pins: async () => ok(views.pinned),
    async addPin(session, element, note) {
      calls.push(['addPin', session, element, note])
      const name = `${element.role} "${element.name}"`
      const box = { x: 100, y: 60, width: 200, height: 40 }
      lastPin += 1
      const { source } = element
      views.pinned.push({ number: lastPin, name, note, state: 'draft', isGone: false, box, source })
      return ok(undefined)
    },
    async editPin(session, pin, note) {
      calls.push(['editPin', session, pin, note])
      views.pinned = views.pinned.map((one) =>
        one.number === pin ? { ...one, note, state: 'draft', answer: undefined } : one,
      )
      return ok(undefined)
    },
    async removePin(session, pin) {
      calls.push(['removePin', session, pin])
      views.pinned = views.pinned.filter(({ number }) => number !== pin)
      return ok(undefined)
    },
    async sendPins(session) {
      calls.push(['sendPins', session])
      views.pinned = views.pinned.map((one) => (one.state === 'draft' ? { ...one, state: 'sent' } : one))
      return ok(undefined)
    },
  }
  return views
}
