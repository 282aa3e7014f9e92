// Records the output and the events of a dev server in the journal of its session.

import type { Clock } from '../clock.ts'
import type { ServerHooks } from '../ports/servers.ts'
import type { SessionRecords } from './session-records.ts'
import type { DevServer } from '../../core/dev-server.ts'
import { revealingRedactor } from '../../core/redaction/redactor.ts'

export const createServerHooks = (
  { journal, redactor }: Pick<SessionRecords, 'journal' | 'redactor'>,
  clock: Clock,
  allow: (server: DevServer) => Promise<void>,
  { onProgress, onServerExit }: Pick<ServerHooks, 'onProgress'> & { onServerExit(reason: string): void },
): ServerHooks => ({
  onProgress,
  ...(redactor !== revealingRedactor && { redact: redactor.redactText }),
  onMove(current, previous) {
    const text = `The dev server moved from ${previous.url} to ${current.url}`
    journal.add({ kind: 'page', at: clock(), text, level: 'warning' })
    void allow(current)
  },
  onLine: (stream: 'stdout' | 'stderr', text: string) =>
    journal.add({ kind: 'server', at: clock(), text, level: stream === 'stderr' ? 'warning' : 'info' }),
  onExit: (reason: string) => {
    journal.add({ kind: 'server', at: clock(), text: `the dev server ${reason}`, level: 'error' })
    onServerExit(reason)
  },
})
