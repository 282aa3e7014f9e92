// Browsers of a service that creates them: a call before each connection, and one that releases the browser after it.

import type { Browser } from 'playwright'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { err, ok } from '../../core/base/result.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import type { BrowserRequest, BrowserSource } from '../../core/browser/playwright/browser-source.ts'
import { connectToChromium } from './endpoint-source.ts'
import { sendCall } from './http-call.ts'
import { releaseBrowser } from './release-remote.ts'
import { parseRemoteAddress } from './remote-address.ts'
import type { HttpCall } from './remote-release.ts'
import { watchConnection } from './watch-connection.ts'

/** The calls of a service. `{NAME}` stands for a field of the answer to the first one, `{NAME.INNER}` for one in a field. */
export interface ServiceCalls {
  readonly create: ServiceCall
  /** The CDP address of the browser. */
  readonly connect: string
  readonly release?: ServiceCall
}

interface ServiceCall {
  readonly method?: string
  readonly url: string
  readonly body?: unknown
}

interface CreatedOptions {
  readonly calls: ServiceCalls
  /** For the calls; the address of the browser has keys of its own. */
  readonly headers: Readonly<Record<string, string>>
  readonly label: string
  readonly timeoutMs: number
  readonly onNotice: (text: string) => void
  /** Called with the address of each browser, which may hold keys. */
  readonly onAddress: (address: string) => void
  /** Has a call sent should this process be killed; the function that it returns ends that. */
  readonly guard: (release: HttpCall) => () => void
}

const END_TIMEOUT_MS = 3000

export function createCreatedSource(options: CreatedOptions): BrowserSource {
  const releases = createReleases(options)
  return {
    async open(request) {
      const answer = await create(options, releases)
      if (!answer.ok) return answer
      const release = releases.begin(answer.value)
      const browser = await connect(answer.value, request, options)
      if (browser.ok && browser.value.isConnected()) browser.value.once('disconnected', release)
      else release()
      return browser
    },
    // The browsers that the service has not released by then are released after this process has ended.
    end: () => releases.end(),
  }
}

// --- internal ---

interface Releases {
  /** Begins the life of the browser of an answer; the function that it returns ends it. */
  begin(answer: unknown): () => void
  end(): Promise<void>
}

function createReleases({ calls, headers, label, onNotice, guard }: CreatedOptions): Releases {
  const running = new Set<Promise<void>>()
  return {
    begin(answer) {
      if (!calls.release) return () => {}
      const call = callOf(calls.release, 'DELETE', headers, answer)
      const endGuard = guard(call)
      return () => {
        const release = releaseBrowser(call).then((reason) => {
          endGuard()
          running.delete(release)
          if (reason !== undefined) onNotice(`a browser of ${label} was not released: ${reason}`)
        })
        running.add(release)
      }
    },
    end: async () => void (await settleWithin(END_TIMEOUT_MS, Promise.all(running))),
  }
}

async function create(
  { calls, headers, label, timeoutMs }: CreatedOptions,
  releases: Releases,
): Promise<Outcome<unknown>> {
  const creating = sendCall(callOf(calls.create, 'POST', headers, {}), CREATE_TIMEOUT_MS)
  const answer = await settleWithin(timeoutMs, creating)
  if (answer === undefined) {
    // A browser that is created later belongs to no session, so it is released.
    void creating.then((late) => releases.begin(late)()).catch(() => {})
    return err(createFailure(label, `no answer within ${timeoutMs} ms`))
  }
  return answer instanceof Error ? err(createFailure(label, answer.message)) : ok(answer)
}

async function connect(
  answer: unknown,
  request: BrowserRequest,
  { calls, label, timeoutMs, onNotice, onAddress }: CreatedOptions,
): Promise<Outcome<Browser>> {
  const text = fillFields(calls.connect, answer)
  if (!/^(https?|wss?):\/\//.test(text) || !URL.canParse(text))
    return err(createFailure(label, `its answer has no ${calls.connect.replace(/\?.*/s, '')}`))
  onAddress(text)
  const { url, headers } = parseRemoteAddress(text)
  const connectRequest = { url, headers, timeoutMs, label }
  const connection = await connectToChromium(connectRequest, request, '--endpoint-create')
  if (!connection.ok) return connection
  watchConnection(connection.value, {
    describe: () => `the browser of ${label} does not answer`,
    onNotice,
  })
  return ok(connection.value.browser)
}

/** A service that is full may keep a request for some time. */
const CREATE_TIMEOUT_MS = 120_000

const createFailure = (label: string, reason: string): Failure => ({
  code: 'BROWSER_ERROR',
  text: `the service at ${label} created no browser: ${reason.replace(/[.?]+$/, '')}`,
  next: 'Look at --endpoint-create and --endpoint-header; or omit them for a local browser.',
})

function callOf(
  { url, method, body }: ServiceCall,
  byDefault: string,
  headers: HttpCall['headers'],
  answer: unknown,
): HttpCall {
  return {
    method: method ?? byDefault,
    url: fillFields(url, answer, encodeSegment),
    headers,
    ...(body !== undefined && { body: fillBody(body, answer) }),
  }
}

// A segment of dots would name another path.
const encodeSegment = (text: string): string =>
  /^\.+$/.test(text) ? text.replaceAll('.', '%252E') : encodeURIComponent(text)

function fillBody(body: unknown, answer: unknown): unknown {
  if (typeof body === 'string') return fillFields(body, answer)
  if (Array.isArray(body)) return body.map((item) => fillBody(item, answer))
  if (typeof body !== 'object' || body === null) return body
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, fillBody(value, answer)]))
}

function fillFields(text: string, answer: unknown, encode = (value: string) => value): string {
  return text.replace(/\{(\w+(?:\.\w+)*)\}/g, (placeholder, path: string) => {
    const value = path
      .split('.')
      .reduce<unknown>((record, name) => (record as Record<string, unknown>)?.[name], answer)
    return typeof value === 'string' || typeof value === 'number' ? encode(String(value)) : placeholder
  })
}
