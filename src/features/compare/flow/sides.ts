// The two versions, each with its own dev server and fresh sessions: the base twice, because what differs between two runs of it is noise.
// Where they cannot run side by side, the current one begins when the base has ended.

import { invalidParameter, type Outcome } from '../../../core/base/failure.ts'
import { err, map, ok } from '../../../core/base/result.ts'
import { parseUrl } from '../../../core/base/text/parse-url.ts'
import type { OpenSession, SessionRequest } from '../../../core/sessions/types/open-session.ts'
import type { ServerRequest } from '../../../core/sessions/types/servers.ts'
import type { PageBody } from '../../../core/sessions/types/session-manager.ts'
import type { ToolCall, ToolOutcome } from '../../../core/tool/tool-call.ts'
import type { CallContext, ToolContext } from '../../../core/tool/tool.ts'
import { requestLike } from '../../lib/replay/replay-step.ts'
import type { Checkout } from '../revisions/revisions.ts'
import type { SideUse } from './shared-ports.ts'
import { watchUse } from './side-use.ts'

export interface Side {
  readonly session: OpenSession
  /** The origin of its server. */
  readonly origin: string
  /** The top folder of its files, where it has files of its own. */
  readonly root: string | undefined
  /** What it has used on this machine so far. */
  use(): SideUse
}

/** `apart`: one after the other. */
export type Arrangement = 'beside' | 'apart'

export interface Sides {
  readonly arrangement: Arrangement
  /** Whether they can be arranged as `apart`. */
  readonly canBeApart: boolean
  readonly base: Side
  /** The base once more. */
  readonly again: Side
  /** Opens the current version, which ends the base where they are apart. */
  openCurrent(): Promise<Outcome<Side>>
  /** What they are, in words. */
  readonly names: { readonly base: string; readonly current: string }
  /** The commit that the change is counted from, and the folder of the work tree. */
  readonly commit: string
  readonly folder: string
  readonly notes: readonly string[]
  /** What makes the base less than a version of its own: always, and where something differs. */
  readonly shared: readonly string[]
  readonly missing: readonly string[]
  /** Ends both. The server of the session runs as before then; fails as its start does. */
  close(): Promise<Outcome<unknown>>
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

/** How many servers the command of the session has, where it can be stopped for a while: with more than one the versions are not tried side
 * by side. */
export const countServers = ({ base, current, server, session }: SidesRequest): number =>
  server || isUrl(base) || current !== undefined || session?.server?.pause === undefined
    ? 0
    : (session.server.watchPorts?.('/')()?.own.length ?? 0)

/** Opens both versions. Fails with INVALID_PARAMETERS for a version that is none, or as servers and sessions do. */
export async function openSides(
  request: SidesRequest,
  arrangement: Arrangement,
  context: ToolContext,
): Promise<Outcome<Sides>> {
  const { revisions, files, caller } = context
  const { session } = request
  const server = request.server ?? session?.request.server
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
  const group = createGroup(request, context)
  const keeper = keepServer(request, server, caller)
  const close = async () => {
    await group.close()
    await checkout.value?.remove()
    return keeper.restore()
  }
  if (arrangement === 'apart') await keeper.pause()
  const root = checkout.value?.workTree ?? folder
  const all = { ...request, server, folder, root, keeper }
  const sides = await openAll(all, arrangement, base.value, checkout.value, group, context)
  if (!sides.ok) {
    await close()
    return sides
  }
  const name = checkout.value?.name ?? ('name' in base.value ? base.value.name : undefined) ?? 'base'
  return ok({
    ...sides.value,
    arrangement,
    canBeApart: needsServer && keeper.canPause && !isUrl(request.current),
    names: { base: name, current: request.current ?? 'the work tree' },
    commit: checkout.value?.commit ?? 'HEAD',
    folder,
    notes: checkout.value?.notes ?? [],
    shared: checkout.value?.shared ?? [],
    missing: checkout.value?.missing ?? [],
    close,
  })
}

/** Runs work on the page of a side. */
export async function runOn<T>(
  { session }: Pick<Side, 'session'>,
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
  const problem = await revisions.findRepositoryProblem(folder, text)
  if (problem) return err(problem)
  const expected = 'a git revision, a folder or a URL of the version to compare with'
  return err(invalidParameter('base', expected, JSON.stringify(text)))
}

type OpenSide = (request: Partial<SessionRequest>) => Promise<Outcome<OpenSession>>

interface Group {
  readonly open: OpenSide
  close(): Promise<void>
}

/** The sessions of a comparison, which are as that of the caller. */
function createGroup({ session, state }: SidesRequest, { sessions, caller }: ToolContext): Group {
  let open: OpenSession[] = []
  return {
    async open(more) {
      const { server: _, sharedServer: __, ...like } = session ? requestLike(session) : {}
      const storage = state && { storageState: state }
      const outcome = await sessions.create(caller.owner, { ...like, ...storage, ...more }, caller)
      if (outcome.ok) open.push(outcome.value)
      return outcome
    },
    async close() {
      const closing = open.toReversed()
      open = []
      await Promise.all(closing.map(({ record }) => sessions.close(caller.owner, record.id)))
    },
  }
}

interface ServerKeeper {
  /** Whether the current version has no server, or one that can be stopped for a while. */
  readonly canPause: boolean
  pause(): Promise<void>
  /** Starts it anew: what it keeps in memory is as it is at its start, as it is in the base. */
  restart(): Promise<Outcome<unknown>>
  /** Has it run with all its servers, if it did before. */
  restore(): Promise<Outcome<unknown>>
}

/** The server of the session, where it is that of the current version. */
function keepServer(
  { session, current }: SidesRequest,
  server: ServerRequest | undefined,
  { signal, progress }: ToolContext['caller'],
): ServerKeeper {
  const running = current === undefined && server === session?.request.server ? session?.server : undefined
  const count = () => running?.watchPorts?.('/')()?.own.length ?? 0
  const before = count()
  let isPaused = false
  const restart = async (until: AbortSignal) => {
    if (!running?.info().isOwned) return ok(undefined)
    const outcome = await running.restart(until, progress)
    isPaused &&= !outcome.ok
    return outcome
  }
  return {
    canPause: running === undefined || (running.info().isOwned && running.pause !== undefined),
    async pause() {
      if (!running?.pause) return
      isPaused = true
      await running.pause()
    },
    restart: () => restart(signal),
    restore: async () =>
      isPaused || count() < before ? restart(new AbortController().signal) : ok(undefined),
  }
}

interface OpeningRequest extends SidesRequest {
  readonly folder: string
  /** Below it programs of the same project run. */
  readonly root: string
  readonly keeper: ServerKeeper
}

async function openAll(
  request: OpeningRequest,
  arrangement: Arrangement,
  base: Version,
  checkout: Checkout | undefined,
  group: Group,
  context: ToolContext,
): Promise<Outcome<Pick<Sides, 'base' | 'again' | 'openCurrent'>>> {
  const { server, session, current, folder, root } = request
  const isApart = arrangement === 'apart'
  const openBase = () => {
    if (base.kind === 'url' || !server) return group.open({})
    return base.kind === 'folder'
      ? group.open({ server: serverIn(server, base.folder, (text) => text.replaceAll(folder, base.folder)) })
      : group.open({ server: serverIn(server, checkout?.folder ?? folder, checkout?.translate ?? String) })
  }
  const since = session?.journal.lastSeq() ?? 0
  const startCurrent = () => openCurrent(request, group.open, context)
  const [first, own] = await Promise.all([openBase(), isApart ? undefined : startCurrent()])
  if (!first.ok) return first
  if (own && !own.ok) return own
  const shared = first.value.server && { server: first.value.server, journal: first.value.journal }
  const again = await group.open(shared ? { sharedServer: shared } : {})
  if (!again.ok) return again
  const sideOf = (
    one: OpenSession,
    ownRoot: string | undefined,
    origin: string | undefined,
    source: OpenSession,
    from: number,
  ): Side => ({
    session: one,
    origin: origin ?? new URL(one.server?.info().url ?? one.url).origin,
    root: ownRoot,
    use: watchUse(one, source, root, from),
  })
  const roots = rootsOf(request, base, checkout, context)
  const currentOf = (one: OpenSession) => {
    const pageOrigin = one.server ? undefined : parseUrl(session?.url ?? '')?.origin
    const isShared = session !== undefined && one.server?.info().pid === session.server?.info().pid
    const source = isShared ? session : one
    return sideOf(
      one,
      roots.current,
      isUrl(current) ? parseUrl(current)?.origin : pageOrigin,
      source,
      isShared ? since : 0,
    )
  }
  const currentSide = own?.ok ? currentOf(own.value) : undefined
  return ok({
    base: sideOf(first.value, roots.base, roots.fixed, first.value, 0),
    again: sideOf(again.value, roots.base, roots.fixed, first.value, 0),
    async openCurrent() {
      if (currentSide) return ok(currentSide)
      await group.close()
      return map(await startCurrent(), currentOf)
    },
  })
}

/** The folders of the files of both versions, as far as they have files of their own, and the origin of a base that runs already. */
const rootsOf = (
  { root, current }: OpeningRequest,
  base: Version,
  checkout: Checkout | undefined,
  { files }: ToolContext,
) => ({
  base: base.kind === 'folder' ? base.folder : checkout?.translate(root),
  fixed: base.kind === 'url' ? base.origin : undefined,
  current: current === undefined ? root : isUrl(current) ? undefined : files.resolve(current),
})

const isUrl = (text: string | undefined): text is string => text !== undefined && URL_FORM.test(text)

async function openCurrent(
  { server, session, current, keeper }: OpeningRequest,
  open: OpenSide,
  { files, revisions }: ToolContext,
): Promise<Outcome<OpenSession>> {
  if (isUrl(current)) return open({})
  if (current !== undefined) {
    const path = files.resolve(current)
    if (!revisions.isFolder(path) || !server)
      return err(invalidParameter('current', 'a folder or a URL', JSON.stringify(current)))
    return open({ server: { ...withoutAddress(server), cwd: path } })
  }
  const running = session?.server
  if (!running) return open(server ? { server } : {})
  if (server !== session.request.server) return open({ server: server ?? {} })
  const restart = await keeper.restart()
  return restart.ok ? open({ sharedServer: { server: running, journal: session.journal } }) : restart
}

// The address of the user's server belongs to that one.
function withoutAddress({ port, readyUrl: _, env, ...rest }: ServerRequest): ServerRequest {
  const { PORT: __, ...variables } = env ?? {}
  return { ...rest, ...(port === 'none' && { port }), env: env && variables }
}

function serverIn(server: ServerRequest, cwd: string, translate: (text: string) => string): ServerRequest {
  const { command, commandPath, args, env, ...rest } = withoutAddress(server)
  const translated = typeof command === 'string' ? translate(command) : command?.map(translate)
  const variables = Object.entries(env ?? {}).map(([name, value]) => [name, translate(value)])
  return {
    ...rest,
    command: translated,
    ...(commandPath !== undefined && { commandPath: translate(commandPath) }),
    args: args?.map(translate),
    env: env && (Object.fromEntries(variables) as Record<string, string>),
    cwd,
  }
}
