// A visitor is one session with a sign of its own in everything that a session keeps: cookie, storage, page, console, requests, files.
// Each step is one thing an agent does, and fails if the answer is wrong or shows another visitor's sign.

import { readFileSync } from 'node:fs'
import type { Answer } from '../test/support/client.ts'
import { page, type Route } from '../test/support/site.ts'

export interface Visitor {
  /** Five letters, which no other visitor has; a shorter one would be found by chance, a longer one be taken for a secret. */
  readonly sign: string
  readonly sessionId: string
  call(tool: string, input?: Record<string, unknown>): Promise<Answer>
}

type Call = (tool: string, input: Record<string, unknown>) => Promise<Answer>

export const signOf = (index: number): string => `q${String(index % 10_000).padStart(4, '0')}`
const signs = (text: string): string[] => text.match(/\bq\d{4}\b/g) ?? []

/** What the visitors' site serves. */
export const app: Route = (request, response) => {
  const sign = signs(request.url ?? '')[0] ?? ''
  if (request.url?.startsWith('/echo/')) return void response.end(sign)
  response.setHeader('content-type', 'text/html')
  response.end(
    page(
      `<h1>${sign}</h1><input id="text" aria-label="Text"><button onclick="list.append(Object.assign(document.createElement('li'), { textContent: text.value }))">Add</button><ul id="list"></ul>`,
      sign,
    ),
  )
}

/** Opens a session for a sign, on its own page of the site. */
export async function arrive(
  call: Call,
  sign: string,
  site: string,
  options: Record<string, unknown> = {},
): Promise<Visitor> {
  const { sessionId } = good(await call('create_session', { name: `n-${sign}`, ...options }))
  const visitor = {
    sign,
    sessionId,
    call: (tool: string, input: Record<string, unknown> = {}) => call(tool, { sessionId, ...input }),
  }
  const { title } = good(await visitor.call('navigate', { url: `${site}/${sign}` }))
  own(visitor, title)
  const script = `document.cookie = 'who=${sign}; path=/'; localStorage.who = '${sign}'`
  good(await visitor.call('evaluate', { script }))
  return visitor
}

export const leave = async ({ call }: Visitor): Promise<void> => void good(await call('close_session'))

export const steps: Readonly<Record<string, (visitor: Visitor) => Promise<void>>> = {
  async cookie(visitor) {
    own(visitor, good(await visitor.call('evaluate', { script: 'document.cookie' })).result)
  },
  async storage(visitor) {
    own(visitor, good(await visitor.call('evaluate', { script: 'localStorage.who' })).result)
  },
  async console(visitor) {
    good(await visitor.call('evaluate', { script: `console.log('${visitor.sign} says')` }))
    own(visitor, good(await visitor.call('console_messages', { limit: 20 })).entries)
  },
  async type(visitor) {
    good(await visitor.call('type', { selector: '#text', text: visitor.sign, clear: true }))
    own(visitor, good(await visitor.call('evaluate', { script: 'text.value' })).result)
  },
  async click(visitor) {
    good(await visitor.call('click', { selector: 'button' }))
    own(visitor, good(await visitor.call('get_content', { format: 'text' })).content)
  },
  async snapshot(visitor) {
    own(visitor, good(await visitor.call('snapshot')).snapshot)
  },
  async request(visitor) {
    const script = `fetch('/echo/${visitor.sign}').then((r) => r.text())`
    own(visitor, good(await visitor.call('evaluate', { script })).result)
    own(visitor, good(await visitor.call('network_requests', { limit: 20 })).entries)
  },
  async screenshot(visitor) {
    const { width } = good(await visitor.call('screenshot', { maxWidth: 200 }))
    if (!(width > 0)) throw new Error('a screenshot without a width')
  },
  async file(visitor) {
    const { path } = good(
      await visitor.call('storage_state', {
        action: 'save',
        path: `${visitor.sign}-${crypto.randomUUID()}.json`,
      }),
    )
    own(visitor, readFileSync(path, 'utf8'))
  },
  async failure(visitor) {
    const { failed, data } = await visitor.call('click', { selector: '#nowhere', timeout: 500 })
    // Among many sessions the time to say what is missing may run out too.
    if (!failed || !/^(ELEMENT_NOT_FOUND|TIMEOUT)$/.test(data.errorCode))
      throw new Error(`not missed: ${JSON.stringify(data)}`)
    own(visitor, data.evidence)
  },
  async timeline(visitor) {
    good(await visitor.call('evaluate', { script: `console.log('${visitor.sign} was here')` }))
    own(visitor, good(await visitor.call('timeline', { limit: 30 })).entries)
  },
}

function good({ failed, data }: Answer): any {
  if (failed) throw new Error(`${data.errorCode}: ${data.message}`)
  return data
}

function own({ sign }: Visitor, value: unknown): void {
  const seen = signs(typeof value === 'string' ? value : JSON.stringify(value))
  if (!seen.includes(sign)) throw new Error(`${sign} is missing in ${JSON.stringify(value)?.slice(0, 200)}`)
  const foreign = seen.find((one) => one !== sign)
  if (foreign) throw new Error(`${sign} sees ${foreign}`)
}
