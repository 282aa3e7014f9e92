// The two versions, each with its own dev server and fresh sessions: the base twice, because what differs between two runs of it is noise.

import { requestLike } from '../saved-test/replay-step.ts'
import type { CallContext, ToolContext } from '../define/tool.ts'
import type { ServerRequest } from '../../core/dev-server.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import { parseUrl } from '../../core/text/parse-url.ts'
import type { OpenSession, SessionRequest } from '../../runtime/ports/open-session.ts'
import type { PageBody, ToolCall, ToolOutcome } from '../../runtime/ports/tool-call.ts'
import type { Checkout } from '../../runtime/ports/revisions.ts'

export interface Side {
  readonly session: OpenSession
  /** The origin of its server. */
  readonly origin: string
}

export interface Sides {
  readonly base: Side
  /** The base once more. */
  readonly again: Side
  readonly current: Side
  /** What they are, in words. */
  readonly names: { readonly base: string; readonly current: string }
  /** The commit that the change is counted from, and the folder of the work tree. */
  readonly commit: string
  readonly folder: string
  readonly notes: readonly string[]
  close(): Promise<void>
}

export interface SidesRequest {
  readonly base: string | undefined
  readonly current: string | undefined
  /** The server of the current version, if it is not that of a session. */
  readonly server: ServerRequest | undefined
  /** The session that it is called in. */
  readonly session: OpenSession | undefined
  readonly state: SessionRequest['storageState'] | undefined
}

/** Opens both versions. Fails with INVALID_PARAMETERS for a version that is none, or as servers and sessions do. */
export async function openSides(request: SidesRequest, context: ToolContext): Promise<Outcome<Sides>> {
  const { revisions, files, caller } = context
  const { session } = request
  const ownRequest = session?.request.server
  const server = request.server ?? ownRequest
  const folder = files.resolve(server?.cwd ?? '.')
  const base = await findVersion(request.base, folder, context)
  if (!base.ok) return base
  const needsServer = base.value.kind !== 'url'
  if (needsServer && !server)
    return err(
      invalidParameter(
        'command',
        'the command of the dev server, or a session that has one',
        'neither',
        'Pass a URL as base to compare with a server that runs already.',
      ),
    )
  const checkout =
    base.value.kind === 'revision'
      ? await revisions.checkOut(folder, base.value.name, caller.signal)
      : ok(undefined)
  if (!checkout.ok) return checkout
  const openSessions: OpenSession[] = []
  const close = async () => {
    await Promise.all(
      openSessions.toReversed().map(({ record }) => context.sessions.close(caller.owner, record.id)),
    )
    await checkout.value?.remove()
  }
  const open = async (more: Partial<SessionRequest>): Promise<Outcome<OpenSession>> => {
    const { server: _, sharedServer: __, ...like } = session ? requestLike(session) : {}
    const state = request.state && { storageState: request.state }
    const outcome = await context.sessions.create(caller.owner, { ...like, ...state, ...more }, caller)
    if (outcome.ok) openSessions.push(outcome.value)
    return outcome
  }
  const sides = await openAll({ ...request, server, folder }, base.value, checkout.value, open, context)
  if (!sides.ok) {
    await close()
    return sides
  }
  const name = checkout.value?.name ?? ('name' in base.value ? base.value.name : undefined) ?? 'base'
  const commit = checkout.value?.commit ?? 'HEAD'
  return ok({
    ...sides.value,
    names: { base: name, current: request.current ?? 'the work tree' },
    commit,
    folder,
    notes: checkout.value?.notes ?? [],
    close,
  })
}

/** Runs work on the page of a side. */
export async function runOn<T>(
  { session }: Side,
  description: string,
  { sessions, caller }: CallContext,
  timeout: number,
  body: PageBody<T>,
): Promise<ToolOutcome<T>> {
  const call: ToolCall = {
    ...caller,
    sessionKey: session.record.id,
    description,
    timeoutKind: 'navigation',
    requestedTimeout: timeout,
    graceMs: 0,
    changesPage: false,
    isRead: true,
  }
  return sessions.runOnPage(call, body)
}

// --- internal ---

type Version =
  | { readonly kind: 'url'; readonly name: string; readonly origin: string }
  | { readonly kind: 'folder'; readonly name: string; readonly folder: string }
  /** Without a name it is where the branch left the main one. */
  | { readonly kind: 'revision'; readonly name: string | undefined }

const URL_FORM = /^https?:\/\//i
const PATH_FORM = /^([./~]|[a-z]:[\\/])/i

async function findVersion(
  text: string | undefined,
  folder: string,
  { files, revisions }: ToolContext,
): Promise<Outcome<Version>> {
  if (text === undefined) return ok({ kind: 'revision', name: undefined })
  if (URL_FORM.test(text)) {
    const url = parseUrl(text)
    if (url) return ok({ kind: 'url', name: text, origin: url.origin })
  } else {
    const path = files.resolve(text)
    if (!PATH_FORM.test(text) && (await revisions.isRevision(folder, text)))
      return ok({ kind: 'revision', name: text })
    if (revisions.isFolder(path)) return ok({ kind: 'folder', name: text, folder: path })
  }
  const expected = 'a git revision, a folder or a URL of the version to compare with'
  return err(invalidParameter('base', expected, JSON.stringify(text)))
}

type OpenSide = (request: Partial<SessionRequest>) => Promise<Outcome<OpenSession>>

async function openAll(
  { server, session, current, folder }: SidesRequest & { readonly folder: string },
  base: Version,
  checkout: Checkout | undefined,
  open: OpenSide,
  context: ToolContext,
): Promise<Outcome<Pick<Sides, 'base' | 'again' | 'current'>>> {
  const openBase = () => {
    if (base.kind === 'url' || !server) return open({})
    return base.kind === 'folder'
      ? open({ server: serverIn(server, base.folder, (text) => text.replaceAll(folder, base.folder)) })
      : open({ server: serverIn(server, checkout?.folder ?? folder, checkout?.translate ?? String) })
  }
  const [first, own] = await Promise.all([
    openBase(),
    openCurrent({ server, session, current }, open, context),
  ])
  if (!first.ok) return first
  if (!own.ok) return own
  const shared = first.value.server && { server: first.value.server, journal: first.value.journal }
  const again = await open(shared ? { sharedServer: shared } : {})
  if (!again.ok) return again
  const fixed = base.kind === 'url' ? base.origin : undefined
  const sideOf = (one: OpenSession, origin?: string): Side => ({
    session: one,
    origin: origin ?? new URL(one.server?.info().url ?? one.url).origin,
  })
  const currentUrl = current !== undefined && URL_FORM.test(current) ? parseUrl(current)?.origin : undefined
  const pageOrigin = own.value.server ? undefined : parseUrl(session?.url ?? '')?.origin
  return ok({
    base: sideOf(first.value, fixed),
    again: sideOf(again.value, fixed),
    current: sideOf(own.value, currentUrl ?? pageOrigin),
  })
}

async function openCurrent(
  { server, session, current }: Pick<SidesRequest, 'server' | 'session' | 'current'>,
  open: OpenSide,
  { caller, files, revisions }: ToolContext,
): Promise<Outcome<OpenSession>> {
  if (current !== undefined && URL_FORM.test(current)) return open({})
  if (current !== undefined) {
    const path = files.resolve(current)
    if (!revisions.isFolder(path) || !server)
      return err(invalidParameter('current', 'a folder or a URL', JSON.stringify(current)))
    return open({ server: { ...withoutAddress(server), cwd: path } })
  }
  const running = session?.server
  if (!running) return open(server ? { server } : {})
  if (server !== session.request.server) return open({ server: server ?? {} })
  // What the server keeps in memory is as it is at its start, as it is in the base.
  if (running.info().isOwned) {
    const restart = await running.restart(caller.signal, caller.progress)
    if (!restart.ok) return restart
  }
  return open({ sharedServer: { server: running, journal: session.journal } })
}

// The address of the user's server belongs to that one.
function withoutAddress({ port: _, readyUrl: __, env, ...rest }: ServerRequest): ServerRequest {
  const { PORT: ___, ...variables } = env ?? {}
  return { ...rest, ...(env && { env: variables }) }
}

function serverIn(server: ServerRequest, cwd: string, translate: (text: string) => string): ServerRequest {
  const { command, commandPath, args, env, ...rest } = withoutAddress(server)
  const translated = typeof command === 'string' ? translate(command) : command?.map(translate)
  const variables = Object.entries(env ?? {}).map(([name, value]) => [name, translate(value)])
  return {
    ...rest,
    ...(translated !== undefined && { command: translated }),
    ...(commandPath !== undefined && { commandPath: translate(commandPath) }),
    ...(args && { args: args.map(translate) }),
    ...(env && { env: Object.fromEntries(variables) as Record<string, string> }),
    cwd,
  }
}
