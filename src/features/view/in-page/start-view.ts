// The script of the page of the view.

import { createHostCalls } from './host-calls.ts'
import { createServerCalls } from './server-calls.ts'
import { createGrid } from './session-grid.ts'
import { createStage } from './session-stage.ts'
import { createTimeline } from './timeline.ts'
import type { FrameAnswer, ServedFrame, ServedSession } from './view-answers.ts'

export const startServerView = (): void => startView(createServerCalls)
export const startHostView = (): void => startView(createHostCalls)

function startView(createCalls: typeof createServerCalls): void {
  const HEARTBEAT_INTERVAL_MS = 1000
  const RETRY_INTERVAL_MS = 3000
  const GRID_FRAME_INTERVAL_MS = 1000
  const stateTexts = {
    signedIn: '',
    signedOut:
      'You are not signed in: the link was used or has expired. Run footlight view again and open the address that it prints.',
    unreachable: 'The server has ended. footlight view starts one.',
  }
  const find = (id: string) => document.querySelector<HTMLElement>(`#${id}`)!
  const setText = (id: string, text: string) => {
    if (find(id).textContent !== text) find(id).textContent = text
  }
  // Names this page: what it holds ends with it.
  const viewer = crypto.randomUUID()
  const frames = new Map<string, ServedFrame>()
  let state: keyof typeof stateTexts = 'signedIn'
  let sessions: readonly ServedSession[] = []
  // What the address names, and the session that is shown large.
  let [openKey, shownKey, lastRequest] = ['', '', 0]
  let framesRequest = new AbortController()
  const keyOf = ({ server, id }: ServedSession) => `${encodeURIComponent(server)}/${encodeURIComponent(id)}`
  // A session may have the name of one that was closed.
  const instanceOf = (session: ServedSession) => `${keyOf(session)} ${session.createdAt}`
  const findOpen = () => sessions.find((session) => keyOf(session) === openKey)
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const describeControl = ({ control }: ServedSession): string => {
    if (control.by === 'agent') return ''
    if (control.by === 'nobody') return `The agent asks for a person: ${control.reason}`
    const person = control.isYou ? 'You are in control.' : 'Another person is in control.'
    return control.reason ? `${person} The agent asked for: ${control.reason}` : person
  }
  const { enter, call } = createCalls((next) => (state = next))
  const describeFailures = ({ failures }: ServedSession): string =>
    failures === 0 ? '' : failures === 1 ? '1 call failed' : `${failures} calls failed`
  const grid = createGrid({ describeControl, describeFailures, keyOf })
  const timeline = createTimeline(call)
  const report = (text: string) => setText('problem', text)
  const stage = createStage({ viewer, call, describeControl, describeFailures, refresh, report })
  function show(): void {
    const waiting = sessions.filter(({ control }) => control.by === 'nobody')
    const [first] = waiting
    document.title = first ? `(${waiting.length}) ${first.name} asks for a person – Footlight` : 'Footlight'
    setText('state', stateTexts[state])
    find('grid').hidden = openKey !== '' || state !== 'signedIn'
    find('session').hidden = openKey === '' || state === 'signedOut'
    grid.show(sessions)
    const open = findOpen()
    if (open && instanceOf(open) !== shownKey) {
      shownKey = instanceOf(open)
      stage.open(open)
      timeline.open(open)
      const frame = frames.get(shownKey)
      if (frame) stage.setFrame(frame)
    } else if (openKey !== '') stage.update(open)
  }
  async function refresh(): Promise<void> {
    const request = (lastRequest += 1)
    const answer = await call('', 'list', { viewer })
    // Since it was asked for, something was done.
    if (request !== lastRequest) return
    sessions = answer.ok ? (answer.value as ServedSession[]) : []
    const instances = sessions.map(instanceOf)
    for (const key of frames.keys()) if (!instances.includes(key)) frames.delete(key)
    show()
  }
  async function beat(): Promise<void> {
    for (;;) {
      await Promise.all([refresh(), ...(openKey === '' ? [] : [timeline.update(), stage.updatePins()])])
      await wait(state === 'signedIn' ? HEARTBEAT_INTERVAL_MS : RETRY_INTERVAL_MS)
    }
  }
  function applyFrame({ server, session: id, frame }: FrameAnswer): void {
    const session = sessions.find((one) => one.server === server && one.id === id)
    if (!session) return
    frames.set(instanceOf(session), frame)
    grid.setFrame(keyOf(session), frame)
    if (instanceOf(session) === shownKey) stage.setFrame(frame)
  }
  async function requestFrames(): Promise<readonly FrameAnswer[]> {
    const viewed = sessions.filter((session) => openKey === '' || keyOf(session) === openKey)
    if (document.hidden || viewed.length === 0) return []
    framesRequest = new AbortController()
    const requests = viewed.map((session) => {
      const { sequence = 0 } = frames.get(instanceOf(session)) ?? {}
      return { server: session.server, session: session.id, after: sequence }
    })
    const answer = await call('', 'frames', { requests }, framesRequest.signal)
    return answer.ok ? (answer.value as FrameAnswer[]) : []
  }
  async function followFrames(): Promise<void> {
    for (;;) {
      const answers = await requestFrames()
      answers.forEach(applyFrame)
      if (openKey === '' || answers.length === 0) await wait(GRID_FRAME_INTERVAL_MS)
    }
  }
  /** The address names the session that is open, or has a token. */
  async function readAddress(): Promise<void> {
    const text = location.hash.slice(1)
    if (text !== '' && !text.startsWith('/')) {
      history.replaceState(null, '', location.pathname)
      await enter(text)
    }
    openKey = location.hash.slice(2)
    shownKey = ''
    framesRequest.abort()
    await refresh()
  }
  document.addEventListener('visibilitychange', () => document.hidden && framesRequest.abort())
  addEventListener('hashchange', () => void readAddress())
  void readAddress().then(() => Promise.all([beat(), followFrames()]))
}
