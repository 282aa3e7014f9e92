// Where a server that is coming up answers: at what it announced, at its PORT, or else at any port that it opened.

import { answerOf } from './http-probe.ts'
import { isLocalName } from '../../core/network/host-rules.ts'
import type { Activity } from '../process/process-tree.ts'
import type { Place } from './server-place.ts'
import { isReady, isUpWith, portOf, type ServerAnswer, type ServerRequest } from '../../core/dev-server.ts'

const ASK_TIMEOUT_MS = 1000
/** Between two questions to a server that answers with an error. */
const ASK_AGAIN_MS = 400

export interface Search {
  readonly request: Pick<ServerRequest, 'readyUrl'> & { readonly port: number }
  readonly place: Pick<Place, 'reach'>
  /** What its output named so far, first things first. */
  readonly announced: ReadonlySet<string>
  /** What answered as it should; it is not asked again, because a server may log every request. */
  readonly answers: Map<string, ServerAnswer>
  /** What answered otherwise, for the failure. */
  readonly seen: Map<string, string>
  /** What answers with an error, since when, and when it was asked last. */
  readonly failing: Map<string, { readonly status: number; readonly since: number; readonly asked: number }>
}

export const createSearch = (
  request: Search['request'],
  place: Search['place'],
  announced: Search['announced'],
): Search => ({ request, place, announced, answers: new Map(), seen: new Map(), failing: new Map() })

/** How far the start has come. */
export interface Progress {
  /** Whether ports that nobody named are asked too. */
  readonly any: boolean
  /** Whether this is the last question. */
  readonly isLate: boolean
  /** Whether the server has printed an error. */
  readonly isExplained: boolean
}

interface Candidate {
  readonly url: string
  readonly isAnnounced: boolean
  /** Nobody named it; a debugger's port answers 400, and that is no application. */
  readonly guessed: boolean
}

/** The answers of the server's own ports, and whether one of its announced ports listens but does not answer yet. */
export async function probeAddress(
  search: Search,
  activity: Activity,
  progress: Progress,
): Promise<{ readonly answers: readonly ServerAnswer[]; readonly pending: boolean }> {
  // Another program's server on a port must not be taken for this one.
  const mine = candidates(search, activity, progress.any)
    .filter(({ url }) => activity.listens(portOf(url)) !== false)
    .map((candidate) => ({ ...candidate, url: unshared(candidate.url, activity) }))
  await Promise.all(mine.map((candidate) => askOne(candidate, search, progress)))
  const { announced, answers, request } = search
  const held = mine.flatMap(({ url }) => answers.get(url) ?? [])
  const pending = mine.some(({ url, isAnnounced }) => isAnnounced && !answers.has(url))
  return { answers: held.map((answer) => namedAs(answer, request, announced)), pending }
}

function candidates({ request, announced }: Search, activity: Activity, any: boolean): Candidate[] {
  const { readyUrl, port } = request
  if (readyUrl !== undefined) return [{ url: readyUrl, isAnnounced: false, guessed: false }]
  const named = [...announced]
  const isNamed = (one: number) => named.some((url) => portOf(url) === one)
  const at = (one: number) => `http://localhost:${one}/`
  const opened = any ? activity.ports.filter((one) => one !== port && !isNamed(one)) : []
  return [
    ...named.map((url) => ({ url, isAnnounced: true, guessed: false })),
    ...(isNamed(port) ? [] : [{ url: at(port), isAnnounced: false, guessed: false }]),
    ...opened.map((one) => ({ url: at(one), isAnnounced: false, guessed: true })),
  ]
}

// Where another program has the same port at the other loopback address, `localhost` would lead pages to that one.
function unshared(url: string, activity: Activity): string {
  const parsed = new URL(url)
  const host = isLocalName(parsed.hostname) ? activity.loopbackAt(portOf(url)) : undefined
  if (host === undefined) return url
  parsed.hostname = host
  return parsed.href
}

async function askOne(candidate: Candidate, search: Search, progress: Progress): Promise<void> {
  const { url, isAnnounced, guessed } = candidate
  const { place, answers, seen, request, failing } = search
  if (answers.get(url)?.isAnnounced === isAnnounced) return
  const now = performance.now()
  const failed = failing.get(url)
  if (failed && !progress.isLate && now - failed.asked < ASK_AGAIN_MS) return
  const plain = await answerOf(url, ASK_TIMEOUT_MS, place.reach, true)
  // What speaks TLS only hangs up on plain HTTP, or answers that it is a bad request.
  const isOpen = isAnnounced || request.readyUrl !== undefined || (plain && plain.status !== 400)
  const secured = url.replace('http:', 'https:')
  const secure = isOpen ? undefined : await answerOf(secured, ASK_TIMEOUT_MS, place.reach, true)
  const answer = secure ?? plain
  if (!answer) return void failing.delete(url)
  const { status } = answer
  const isUp = isReady(status)
    ? !(guessed && status === 400)
    : isUpFailing(candidate, status, search, progress)
  if (isUp) answers.set(url, { url: secure ? secured : url, ...answer, isAnnounced })
  else seen.set(url, `${url} responds with ${status}`)
}

// A page that fails from the start is there to be looked at; but what the caller named as the sign of readiness must be ready.
function isUpFailing(
  { url, isAnnounced, guessed }: Candidate,
  status: number,
  { request, failing }: Search,
  { isLate, isExplained }: Progress,
): boolean {
  const asked = performance.now()
  const before = failing.get(url)
  const since = before?.status === status ? before.since : asked
  failing.set(url, { status, since, asked })
  if (request.readyUrl !== undefined || guessed) return false
  return isUpWith(status, asked - since, isExplained) || (isLate && isAnnounced && status === 500)
}

// A path that says ready need not be where the application is; what the server announced on the same port is.
function namedAs(
  answer: ServerAnswer,
  { readyUrl }: Search['request'],
  announced: ReadonlySet<string>,
): ServerAnswer {
  if (readyUrl === undefined) return answer
  const named = [...announced].find((one) => portOf(one) === portOf(readyUrl))
  const url = named ?? `${new URL(readyUrl).origin}/`
  return { ...answer, url, isPage: true, isAnnounced: named !== undefined }
}
