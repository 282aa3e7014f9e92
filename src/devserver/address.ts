// Where a server that is coming up answers: at what it announced, at its PORT, or else at any port that it opened.

import { answerOf, isReady } from './http.ts'
import { isLocalName } from '../core/hosts.ts'
import type { Activity } from './processes.ts'
import type { Place } from './server.ts'
import { portOf, type ServerAnswer, type ServerRequest } from '../core/server.ts'

const ASK_TIMEOUT_MS = 1000

export interface Search {
  readonly request: Pick<ServerRequest, 'readyUrl'> & { readonly port: number }
  readonly place: Pick<Place, 'reach'>
  /** What its output named so far, first things first. */
  readonly announced: ReadonlySet<string>
  /** What answered as it should; it is not asked again, because a server may log every request. */
  readonly answers: Map<string, ServerAnswer>
  /** What answered otherwise, for the failure. */
  readonly seen: Map<string, string>
}

interface Candidate {
  readonly url: string
  readonly isAnnounced: boolean
  /** Nobody named it; a debugger's port answers 400, and that is no application. */
  readonly guessed: boolean
}

/** The answers of the server's own ports, and whether one of its announced ports listens but does not answer yet. Ports that nobody
 * named are asked only where `any` says so. */
export async function ask(
  search: Search,
  activity: Activity,
  any: boolean,
): Promise<{ readonly answers: readonly ServerAnswer[]; readonly pending: boolean }> {
  // Another program's server on a port must not be taken for this one.
  const mine = candidates(search, activity, any)
    .filter(({ url }) => activity.listens(portOf(url)) !== false)
    .map((candidate) => ({ ...candidate, url: unshared(candidate.url, activity) }))
  await Promise.all(mine.map((candidate) => askOne(candidate, search)))
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

async function askOne({ url, isAnnounced, guessed }: Candidate, search: Search): Promise<void> {
  const { place, answers, seen, request } = search
  if (answers.get(url)?.isAnnounced === isAnnounced) return
  const plain = await answerOf(url, ASK_TIMEOUT_MS, place.reach, true)
  // What speaks TLS only hangs up on plain HTTP, or answers that it is a bad request.
  const isOpen = isAnnounced || request.readyUrl !== undefined || (plain && plain.status !== 400)
  const secured = url.replace('http:', 'https:')
  const secure = isOpen ? undefined : await answerOf(secured, ASK_TIMEOUT_MS, place.reach, true)
  const answer = secure ?? plain
  if (!answer) return
  if (isReady(answer.status) && !(guessed && answer.status === 400))
    answers.set(url, { url: secure ? secured : url, ...answer, isAnnounced })
  else seen.set(url, `${url} answers with ${answer.status}`)
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
