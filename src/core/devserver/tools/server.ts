import * as v from 'valibot'
import { freshnessLineOf } from '../../../features/freshness/describe-freshness.ts'
import { type Failure, invalidParameter, type Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import { ENDLESS_MS } from '../../sessions/store/session.ts'
import type { OpenSession } from '../../sessions/types/open-session.ts'
import type { OwnedServer } from '../../sessions/types/servers.ts'
import { answer, defineSessionTool } from '../../tool/define-tool.ts'
import { type FieldText, omit } from '../../tool/field-texts.ts'
import {
  argument,
  ARGUMENT_LIMIT_CHARS,
  described,
  environment,
  filePath,
  integerBetween,
  text,
} from '../../tool/fields.ts'
import { durationText, pageLineOf } from '../../tool/plain-lines.ts'
import type { FieldTexts } from '../../tool/tool.ts'
import type { DevServer, ServerRequest } from '../dev-server.ts'

export const logPathsOutput = v.object({ stdout: v.string(), stderr: v.string(), combined: v.string() })

/** The input fields of create_session for a dev server. */
export const serverInput = {
  command: v.optional(
    described(
      v.union([
        v.pipe(argument(ARGUMENT_LIMIT_CHARS), v.minLength(1)),
        v.pipe(v.array(argument(ARGUMENT_LIMIT_CHARS)), v.minLength(1), v.maxLength(1000)),
      ]),
      'Dev server; array: no shell',
    ),
  ),
  commandPath: v.optional(
    described(filePath, 'Or a program with --start|--restart|--status|--shutdown that prints JSON'),
  ),
  args: v.optional(
    described(v.pipe(v.array(argument(ARGUMENT_LIMIT_CHARS)), v.maxLength(1000)), 'Of commandPath'),
  ),
  cwd: v.optional(described(filePath, 'Of the server')),
  env: environment,
  port: v.optional(
    described(
      v.union([integerBetween(1, 65_535), v.picklist(['none'])]),
      'PORT, or none. Vite: --port $PORT',
    ),
  ),
  readyUrl: v.optional(
    described(v.pipe(text(2000), v.url('a URL')), 'Ready when it responds; reused if it already does'),
  ),
  readyTimeout: v.optional(described(integerBetween(1, 600_000), 'ms; 60000')),
}

type ServerInput = { readonly [K in keyof typeof serverInput]?: unknown }

/** Separates the fields of the dev server from the other fields of create_session; INVALID_PARAMETERS if they contradict each other. */
export function splitServerRequest<I extends ServerInput>(
  input: I,
): { server: Outcome<ServerRequest | undefined>; rest: Omit<I, keyof ServerInput> } {
  const { command, commandPath, args, cwd, env, port, readyUrl, readyTimeout, ...rest } = input
  const request = { command, commandPath, args, cwd, env, port, readyUrl, readyTimeout }
  const fields = Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined))
  return { server: checkServerFields(fields, command !== undefined, commandPath !== undefined), rest }
}

function checkServerFields(
  fields: Record<string, unknown>,
  hasCommand: boolean,
  hasPath: boolean,
): Outcome<ServerRequest | undefined> {
  const [firstField] = Object.keys(fields)
  if (firstField === undefined) return ok(undefined)
  const invalid = (expected: string, received: string): Outcome<never> =>
    err(invalidParameter('command', expected, received))
  if (hasCommand && hasPath) return invalid('either command or commandPath', 'both')
  if (hasCommand && 'args' in fields)
    return invalid('args only with commandPath; include them in command', 'both')
  const conflict = ['port', 'readyUrl'].find((field) => hasPath && field in fields)
  if (conflict) return invalid(`no ${conflict} with commandPath, whose output has it`, conflict)
  if (!hasCommand && !hasPath) return invalid(`command or commandPath with ${firstField}`, 'neither')
  return ok(fields as ServerRequest)
}

/** How the fields of a server read: what is for programs only is left out. */
export const serverTexts: FieldTexts = { port: omit, pid: omit, startedAt: omit }

export const nameText: FieldText = (name: string, { message }) =>
  String(message).includes(name) ? [] : [`name: ${name}`]

export const serverFieldsOf = ({ url, port, pid, startedAt, logs, output }: DevServer) => ({
  url,
  port,
  startedAt,
  pid,
  ...(logs && { logs: { stdout: logs.stdout, stderr: logs.stderr, combined: logs.combined } }),
  ...(output && output.length > 0 && { serverOutput: [...output] }),
})

/** The dev server of a session; INVALID_PARAMETERS if it has none. */
export function requireServer({ server }: OpenSession): Outcome<OwnedServer> {
  if (server) return ok(server)
  const failure: Failure = invalidParameter('sessionId', 'a session with a dev server', 'one without')
  return err(failure)
}

export const restartServer = defineSessionTool({
  name: 'restart_server',
  title: 'Restart dev server',
  description: 'Restart the dev server; page and cookies stay.',
  effect: 'acts',
  input: {},
  output: {
    url: v.string(),
    port: v.number(),
    pid: v.optional(v.number()),
    startedAt: v.string(),
    previousPid: v.optional(v.number()),
    previousPort: v.optional(v.number()),
    message: v.string(),
  },
  texts: { ...serverTexts, previousPid: omit, previousPort: omit },
  async run(_, session, { caller: { signal, progress } }) {
    const server = requireServer(session)
    if (!server.ok) return server
    return answer(await server.value.restart(signal, progress), ({ server: current, ...previous }) => ({
      ...serverFieldsOf(current),
      ...previous,
      message: current.message,
    }))
  },
})

export const getSessionStatus = defineSessionTool({
  name: 'get_session_status',
  title: 'Session status',
  description: 'Name, page URL, expiry, and the state of the dev server.',
  effect: 'reads',
  input: {},
  output: {
    name: v.string(),
    status: v.picklist(['running', 'stopped', 'unhealthy', 'none']),
    page: v.object({ url: v.string(), title: v.string() }),
    expiresAt: v.optional(v.number()),
    url: v.optional(v.string()),
    port: v.optional(v.number()),
    uptime: v.optional(v.number()),
    healthy: v.optional(v.boolean()),
    message: v.optional(v.string()),
    dialog: v.optional(v.object({ type: v.string(), message: v.string() })),
    freshness: v.optional(v.string()),
  },
  texts: {
    name: nameText,
    port: omit,
    message: omit,
    // The message explains it.
    status: (status: string, { message }) => [`server: ${[status, message].filter(Boolean).join('. ')}`],
    page: (page: { readonly url: string; readonly title: string }) => [pageLineOf(page)],
    expiresAt: (at: number) => [`expires: ${new Date(at).toISOString().replace(/\.\d+/, '')}`],
    uptime: (ms: number) => [`up ${durationText(ms)}`],
    healthy: omit,
  },
  async run(_, session) {
    const [title, server, freshness] = await Promise.all([
      session.title(),
      session.server?.status(),
      session.freshness().then(freshnessLineOf),
    ])
    const { name, expiresAt, timeout } = session.record
    const dialog = session.dialog()
    const page = { url: session.url, title }
    return ok({
      data: {
        name,
        status: 'none' as const,
        page,
        ...(timeout !== ENDLESS_MS && { expiresAt }),
        ...server,
        dialog,
        freshness,
      },
    })
  },
})
