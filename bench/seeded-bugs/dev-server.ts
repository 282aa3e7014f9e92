// A dev server for the peers, which start none: in a process group of its own, on a free port.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import process from 'node:process'

export interface DevServer {
  readonly url: string
  stop(): Promise<void>
}

const READY_LIMIT_MS = 120_000
const POLL_INTERVAL_MS = 200

/** Starts a command with `$PORT`, and returns once its first page is served. */
export async function startDevServer(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<DevServer> {
  const port = await findFreePort()
  const child = spawn('sh', ['-c', command], {
    cwd,
    detached: true,
    stdio: 'ignore',
    env: { ...process.env, ...env, PORT: String(port) },
  })
  const url = `http://localhost:${port}/`
  const stop = async () => {
    const exit = once(child, 'exit')
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await exit
  }
  const end = performance.now() + READY_LIMIT_MS
  while (performance.now() < end) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return { url, stop }
    await Bun.sleep(POLL_INTERVAL_MS)
  }
  await stop()
  throw new Error(`${command} served nothing within ${READY_LIMIT_MS} ms`)
}

// --- internal ---

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
