// A minimal CDP client: Chromium's protocol over a WebSocket.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Send = (method: string, params?: Record<string, unknown>) => Promise<any>

export interface ProtocolPage {
  readonly send: Send
  /** Resolves with the next event of this name. */
  once(event: string): Promise<void>
}

/** Starts a headless browser; `page` opens a page in a context of its own. */
export async function openProtocol(
  executablePath: string,
  sandbox: boolean,
  env: Readonly<Record<string, string>>,
): Promise<{ page(): Promise<ProtocolPage>; close(): Promise<void> }> {
  const profile = mkdtempSync(join(env['TMPDIR'] ?? tmpdir(), 'fl-bench-'))
  const flags = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--no-first-run']
  const child = Bun.spawn([executablePath, ...flags, ...(sandbox ? [] : ['--no-sandbox'])], {
    env: { ...process.env, ...env },
    stderr: 'pipe',
    stdout: 'ignore',
  })
  const socket = new WebSocket(await readDevToolsUrl(child.stderr))
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  let count = 0
  const pending = new Map<number, (result: any) => void>()
  const events = new Map<string, () => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, method, sessionId, result, error } = JSON.parse(String(data))
    if (method) return events.get(`${sessionId} ${method}`)?.()
    if (error) throw new Error(`bench: ${error.message}`)
    pending.get(id)?.(result)
    pending.delete(id)
  })
  const sendTo =
    (sessionId?: string): Send =>
    (method, params = {}) =>
      new Promise((resolve) => {
        pending.set((count += 1), resolve)
        socket.send(JSON.stringify({ id: count, method, params, ...(sessionId && { sessionId }) }))
      })
  const browser = sendTo()
  return {
    async page() {
      const { browserContextId } = await browser('Target.createBrowserContext')
      const { targetId } = await browser('Target.createTarget', { url: 'about:blank', browserContextId })
      const { sessionId } = await browser('Target.attachToTarget', { targetId, flatten: true })
      const send = sendTo(sessionId)
      await send('Page.enable')
      const once = (event: string) =>
        new Promise<void>((resolve) => events.set(`${sessionId} ${event}`, resolve))
      return { send, once }
    },
    async close() {
      void browser('Browser.close')
      await child.exited
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

async function readDevToolsUrl(stderr: ReadableStream<Uint8Array>): Promise<string> {
  let output = ''
  for await (const chunk of stderr) {
    output += new TextDecoder().decode(chunk)
    const address = /DevTools listening on (ws:\S+)/.exec(output)?.[1]
    if (address) return address
  }
  throw new Error(`bench: the browser did not start: ${output}`)
}
