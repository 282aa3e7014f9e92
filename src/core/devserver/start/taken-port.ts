// Whether a server goes on to another port in silence if its own is taken: then the one that it has now may be that of a day on which
// another program ran.

import { createServer, type Server } from 'node:net'
import { removeFolder } from '../../base/files/remove-folder.ts'
import { portOf } from '../dev-server.ts'
import { createLogFolder } from '../logs/log-folder.ts'
import type { ServerContext } from '../process/start-context.ts'
import { createLaunchedServer } from './launched-server.ts'
import { findLeftPort } from './moved-port.ts'
import type { LaunchRequest } from './wait-until-ready.ts'

const READY_TIMEOUT_MS = 20_000
const STOP_GRACE_MS = 3000

/** Starts it while its port is taken. It must not run. One that says that it goes on would have said so before. */
export async function leavesTakenPort(
  request: Omit<LaunchRequest, 'isPortGiven' | 'previous' | 'logs'>,
  port: number,
  context: ServerContext,
  signal: AbortSignal,
): Promise<boolean> {
  const holder = await holdPort(port)
  if (!holder) return false
  const logs = createLogFolder(context.folder)
  const lines: string[] = []
  const hooks = {
    onLine: (_stream: string, text: string) => void lines.push(text),
    ...{ onExit() {}, onMove() {}, async onStarted() {}, onProgress() {} },
  }
  const launch = { ...request, logs, readyTimeout: READY_TIMEOUT_MS }
  const server = createLaunchedServer(launch, undefined, context, hooks)
  try {
    const start = await server.launch(request.port, signal, () => {})
    if (!start.ok) return false
    const { url } = start.value.server
    await server.stop(STOP_GRACE_MS)
    return portOf(url) !== port && findLeftPort(lines, url) === undefined
  } finally {
    removeFolder(logs.path)
    holder.close()
  }
}

// --- internal ---

/** Of all addresses; undefined if it is taken. */
const holdPort = (port: number): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', () => resolve(undefined))
    server.listen(port, () => resolve(server))
  })
