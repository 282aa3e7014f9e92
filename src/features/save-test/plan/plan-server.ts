// How a configuration starts the server of a session: from what was seen of it.

import { relative } from 'node:path'
import { type Failure, invalidParameter, type Outcome } from '../../../core/base/failure.ts'
import { err, ok } from '../../../core/base/result.ts'
import { findLeftPort } from '../../../core/devserver/start/moved-port.ts'
import type { OpenSession } from '../../../core/sessions/types/open-session.ts'
import type { RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import type { DevServer, GroupEnd } from '../../../core/sessions/types/servers.ts'
import type { CallContext } from '../../../core/tool/tool.ts'
import { readText } from '../../lib/test-files/find-config.ts'
import type { WebServer } from '../code/test-plan.ts'
import { webServerOf } from '../code/write-config.ts'
import { toPosix } from './plan-test.ts'

/** What the pages of a server need, and how a configuration starts it. */
export interface ServerPlan {
  readonly origin: string
  /** Whether its certificate is not trusted. */
  readonly ignoreHTTPSErrors: boolean
  /** Undefined for a server that no command of the session has started. */
  readonly webServer: WebServer | undefined
}

/** Why no test can start the server of a session at the address that it has now; undefined if one can. */
export async function findAddressObstacle({ server }: OpenSession): Promise<Failure | undefined> {
  if (!server) return undefined
  const { mode, variablePort, url } = server.info()
  if (mode !== 'direct' || variablePort !== undefined) return undefined
  const logs = await server.logs({ type: 'combined', lines: LOG_LINES })
  const left = logs.ok ? findLeftPort(logs.value.lines, url) : undefined
  return left === undefined ? undefined : leftPortFailure(left, url)
}

/** As `findAddressObstacle`, for a server that says nothing: where the port before its own is another program's, it is started once more. Then
 * it has ended. */
export async function findSilentMove(
  { request, server }: Pick<OpenSession, 'request' | 'server'>,
  { files, caller }: Pick<CallContext, 'files' | 'caller'>,
): Promise<Failure | undefined> {
  if (!server || !request.server) return undefined
  const { command, cwd = '.', port: givenPort, readyUrl } = request.server
  const { mode, variablePort, url, port } = server.info()
  const isChosen = typeof givenPort === 'number' || readyUrl !== undefined || variablePort !== undefined
  if (mode !== 'direct' || isChosen || !server.hasLostPort?.(port - 1)) return undefined
  const manifest = await readText(`${files.resolve(cwd)}/package.json`, files)
  const isNamed = new RegExp(`(?<!\\d)${port}(?!\\d)`).test(
    `${[command].flat().join(' ')}\n${manifest ?? ''}`,
  )
  if (isNamed || !(await server.leavesTakenPort?.(caller.signal))) return undefined
  return leftPortFailure(port - 1, url)
}

/** Why a server that was restarted is another one for a test; undefined if it has the address that it had. */
export function findMovedAddress(before: DevServer, after: DevServer): Failure | undefined {
  if (before.url === after.url) return undefined
  return invalidParameter(
    'sessionId',
    'a session whose server has the same address at every start',
    `one whose server was at ${before.url} and is at ${after.url} after a restart`,
    'Nothing was written: a test opens one address. Give the server a fixed port (let it listen on PORT, or pass port), then create a new session and repeat the steps.',
  )
}

/** Ends the server as a run of its tests will. Fails if something of it goes on then: the run would wait for that, or the next one find its
 * port taken. Undefined if its process group is all of it; then it runs on. */
export async function endAsTestRun({ server }: OpenSession): Promise<Outcome<GroupEnd | undefined>> {
  const end = await server?.endGroup?.()
  if (end?.left === undefined) return ok(end)
  return err(
    invalidParameter(
      'sessionId',
      'a session whose server ends with its command',
      `one whose command leaves ${end.left} running when it is ended`,
      'Nothing was written: a test run would wait for that process, or leave it running. Let the command start the server itself, or end what it has started; then create a new session and repeat the steps.',
    ),
  )
}

/** Plans it while the server runs; undefined without one. */
export async function planServer(
  steps: readonly RecordedStep[],
  { project, end }: { readonly project: string; readonly end: GroupEnd | undefined },
  { request, server }: Pick<OpenSession, 'request' | 'server'>,
  { files, caller }: Pick<CallContext, 'files' | 'caller'>,
): Promise<ServerPlan | undefined> {
  if (!server) return undefined
  const info = server.info()
  const { origin } = new URL(info.url)
  const pages = steps.flatMap(({ action, durationMs }) =>
    action.kind === 'navigate' && URL.canParse(action.url, info.url)
      ? [{ url: new URL(action.url, info.url), durationMs }]
      : [],
  )
  const own = pages.filter(({ url }) => url.origin === origin)
  const slow = own.find(({ durationMs }) => durationMs > SLOW_PAGE_MS)
  const candidates = [
    request.server?.readyUrl,
    // Playwright waits for it longer than a test does.
    ...(slow ? [withoutQuery(slow.url)] : []),
    info.url,
    ...own.flatMap(({ url }) => [withoutQuery(url), withoutHash(url)]),
  ].filter((url) => url !== undefined)
  const ready = await server.findReadyUrl?.([...new Set(candidates)], caller.signal)
  const isInsecure = origin.startsWith('https:') && ready?.isTrusted !== true
  const ignoreHTTPSErrors = request.ignoreHTTPSErrors === true || isInsecure
  if (!request.server) return { origin, ignoreHTTPSErrors, webServer: undefined }
  const cwd = files.resolve(request.server.cwd ?? '.')
  const timeout = timeoutOf(request.server.readyTimeout, slow && ready ? slow.durationMs : 0)
  const readiness = {
    url: ready?.url ?? info.url,
    ...(!ready && { isPortOnly: true }),
    ...(ignoreHTTPSErrors && { ignoreHTTPSErrors }),
    timeout,
    ...(end && { needsSignal: true }),
    env: server.foregroundVariables ?? {},
  }
  const folder = toPosix(relative(project, cwd))
  return { origin, ignoreHTTPSErrors, webServer: webServerOf(request.server, info, folder, readiness) }
}

// --- internal ---

const leftPortFailure = (left: number, url: string): Failure =>
  invalidParameter(
    'sessionId',
    'a session whose server has the same address at every start',
    `one whose server left port ${left}, which another program has, for ${url}`,
    `Nothing was written. Stop what listens on port ${left}, or give the server a port of its own (port, or PORT in env); then create a new session and repeat the steps.`,
  )

const LOG_LINES = 300
const SLOW_PAGE_MS = 8000
/** The limit of Playwright. */
const READY_TIMEOUT_MS = 60_000
const ROUND_MS = 10_000

function timeoutOf(readyTimeout = READY_TIMEOUT_MS, pageMs: number): number | undefined {
  const timeout = Math.max(readyTimeout, READY_TIMEOUT_MS) + 2 * pageMs
  return timeout > READY_TIMEOUT_MS ? Math.ceil(timeout / ROUND_MS) * ROUND_MS : undefined
}

const withoutHash = ({ origin, pathname, search }: URL): string => `${origin}${pathname}${search}`
const withoutQuery = ({ origin, pathname }: URL): string => `${origin}${pathname}`
