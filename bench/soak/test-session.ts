// A test session has its own marker in everything that a session stores: cookie, storage, page, console, requests, files. Each step is one
// action of an agent, and fails if the result is wrong or contains the marker of another session.

import { readFileSync } from 'node:fs'
import type { Answer } from '../../test/support/client.ts'
import { page, type Route } from '../../test/support/site.ts'

export interface TestSession {
  /** Five unique characters; a shorter marker could occur by chance, a longer one would be redacted as a secret. */
  readonly marker: string
  readonly sessionId: string
  call(tool: string, input?: Record<string, unknown>): Promise<Answer>
}

type Call = (tool: string, input: Record<string, unknown>) => Promise<Answer>

export const markerOf = (index: number): string => `q${String(index % 10_000).padStart(4, '0')}`
const findMarkers = (text: string): string[] => text.match(/\bq\d{4}\b/g) ?? []

/** The site of the test sessions. */
export const app: Route = (request, response) => {
  const marker = findMarkers(request.url ?? '')[0] ?? ''
  if (request.url?.startsWith('/echo/')) return void response.end(marker)
  response.setHeader('content-type', 'text/html')
  response.end(
    page(
      `<h1>${marker}</h1><input id="text" aria-label="Text"><button onclick="list.append(Object.assign(document.createElement('li'), { textContent: text.value }))">Add</button><ul id="list"></ul>`,
      marker,
    ),
  )
}

/** Opens a session for a marker, on its own page of the site. */
export async function openTestSession(
  call: Call,
  marker: string,
  site: string,
  options: Record<string, unknown> = {},
): Promise<TestSession> {
  const { sessionId } = requireSuccess(await call('create_session', { name: `n-${marker}`, ...options }))
  const testSession = {
    marker,
    sessionId,
    call: (tool: string, input: Record<string, unknown> = {}) => call(tool, { sessionId, ...input }),
  }
  const { title } = requireSuccess(await testSession.call('navigate', { url: `${site}/${marker}` }))
  requireOwnMarker(testSession, title)
  const script = `document.cookie = 'who=${marker}; path=/'; localStorage.who = sessionStorage.who = '${marker}'`
  requireSuccess(await testSession.call('evaluate', { script }))
  return testSession
}

export const closeTestSession = async ({ call }: TestSession): Promise<void> =>
  void requireSuccess(await call('close_session'))

export const steps: Readonly<Record<string, (testSession: TestSession) => Promise<void>>> = {
  async cookie(testSession) {
    requireOwnMarker(
      testSession,
      requireSuccess(await testSession.call('evaluate', { script: 'document.cookie' })).result,
    )
  },
  async storage(testSession) {
    requireOwnMarker(
      testSession,
      requireSuccess(await testSession.call('evaluate', { script: '[localStorage.who, sessionStorage.who]' }))
        .result,
    )
  },
  async console(testSession) {
    requireSuccess(
      await testSession.call('evaluate', { script: `console.log('${testSession.marker} says')` }),
    )
    requireOwnMarker(
      testSession,
      requireSuccess(await testSession.call('console_messages', { limit: 20 })).entries,
    )
  },
  async type(testSession) {
    requireSuccess(
      await testSession.call('type', { selector: '#text', text: testSession.marker, clear: true }),
    )
    requireOwnMarker(
      testSession,
      requireSuccess(await testSession.call('evaluate', { script: 'text.value' })).result,
    )
  },
  async click(testSession) {
    requireSuccess(await testSession.call('click', { selector: 'button' }))
    requireOwnMarker(
      testSession,
      requireSuccess(await testSession.call('get_content', { format: 'text' })).content,
    )
  },
  async snapshot(testSession) {
    requireOwnMarker(testSession, requireSuccess(await testSession.call('snapshot')).snapshot)
  },
  async request(testSession) {
    const script = `fetch('/echo/${testSession.marker}').then((r) => r.text())`
    requireOwnMarker(testSession, requireSuccess(await testSession.call('evaluate', { script })).result)
    requireOwnMarker(
      testSession,
      requireSuccess(await testSession.call('network_requests', { limit: 20 })).entries,
    )
  },
  async screenshot(testSession) {
    const { width } = requireSuccess(await testSession.call('screenshot', { maxWidth: 200 }))
    if (!(width > 0)) throw new Error('a screenshot without a width')
  },
  async file(testSession) {
    const { path } = requireSuccess(
      await testSession.call('storage_state', {
        action: 'save',
        path: `${testSession.marker}-${crypto.randomUUID()}.json`,
      }),
    )
    requireOwnMarker(testSession, readFileSync(path, 'utf8'))
  },
  async failure(testSession) {
    const { failed, data } = await testSession.call('click', { selector: '#nowhere', timeout: 500 })
    // With many sessions, the search for the missing element may time out too.
    if (!failed || !/^(ELEMENT_NOT_FOUND|TIMEOUT)$/.test(data.errorCode))
      throw new Error(`not missed: ${JSON.stringify(data)}`)
    requireOwnMarker(testSession, data.evidence)
  },
  async timeline(testSession) {
    requireSuccess(
      await testSession.call('evaluate', { script: `console.log('${testSession.marker} was here')` }),
    )
    requireOwnMarker(testSession, requireSuccess(await testSession.call('timeline', { limit: 30 })).entries)
  },
}

function requireSuccess({ failed, data }: Answer): any {
  if (failed) throw new Error(`${data.errorCode}: ${data.message}`)
  return data
}

function requireOwnMarker({ marker }: TestSession, value: unknown): void {
  const markers = findMarkers(typeof value === 'string' ? value : JSON.stringify(value))
  if (!markers.includes(marker))
    throw new Error(`${marker} is missing in ${JSON.stringify(value)?.slice(0, 200)}`)
  const foreignMarker = markers.find((one) => one !== marker)
  if (foreignMarker) throw new Error(`${marker} sees ${foreignMarker}`)
}
