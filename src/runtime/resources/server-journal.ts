// What a session notes of its dev server.

import type { Clock } from '../clock.ts'
import type { ServerHooks } from '../ports/servers.ts'
import type { Journal } from '../../core/session/journal.ts'
import type { DevServer } from '../../core/dev-server.ts'

export const serverHooks = (
  journal: Journal,
  clock: Clock,
  allow: (server: DevServer) => Promise<void>,
  { progress, serverEnded }: Pick<ServerHooks, 'progress'> & { serverEnded(how: string): void },
): ServerHooks => ({
  progress,
  moved(now, before) {
    const text = `The dev server moved from ${before.url} to ${now.url}`
    journal.add({ kind: 'page', at: clock(), text, level: 'warning' })
    void allow(now)
  },
  line: (stream: 'stdout' | 'stderr', text: string) =>
    journal.add({ kind: 'server', at: clock(), text, level: stream === 'stderr' ? 'warning' : 'info' }),
  ended: (how: string) => {
    journal.add({ kind: 'server', at: clock(), text: `the dev server ${how}`, level: 'error' })
    serverEnded(how)
  },
})
