import * as v from 'valibot'
import { type Failure, invalidParameter, type Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import { ENDLESS_MS } from '../../sessions/store/session.ts'
import { defineSessionTool } from '../../sessions/tools/define-session-tool.ts'
import { nameText, serverFieldsOf, serverTexts } from '../../sessions/tools/server-fields.ts'
import type { OpenSession } from '../../sessions/types/open-session.ts'
import type { OwnedServer } from '../../sessions/types/servers.ts'
import { answer } from '../../tool/define-tool.ts'
import { omit } from '../../tool/field-texts.ts'
import { durationText, pageLineOf } from '../../tool/plain-lines.ts'

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
    notes: v.optional(v.array(v.string())),
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
    const [title, server, summaries] = await Promise.all([
      session.title(),
      session.server?.status(),
      session.summaries(),
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
        ...(summaries.length > 0 && {
          notes: summaries.map(({ name: subject, text }) => `${subject}: ${text}`),
        }),
      },
    })
  },
})
