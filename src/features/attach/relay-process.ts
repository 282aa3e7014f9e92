// Starts the relay to the user's own browser. Like the watchdog it is no child of this process, so that it does not end with it.

import { spawn } from 'node:child_process'
import process from 'node:process'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers'
import { err, ok, type Result } from '../../core/base/result.ts'
import { createDeferred, settleWithin } from '../../core/base/system/settle-within.ts'
import { selfCommand } from '../../core/cli/terminal/start-command.ts'
import { startDetachedScript } from '../../core/devserver/process/detached-script.ts'
import { formatRelayLine, readRelayLines, RELAY_COMMAND, type RelayStart } from './relay-lines.ts'

const CLOSE_TIMEOUT_MS = 5000

/** One client of the connection: it sees only the tabs that it opens. */
interface RelayClient {
  send(message: object): void
  onmessage?: (message: object) => void
  onclose?: (reason?: string) => void
  /** Closes its tabs; resolves when they are gone. */
  close(): Promise<void>
}

export interface AttachRelay {
  /** A new client. Starts the relay and connects to the browser, unless it is connected; an error is the reason. */
  connect(start: RelayStart): Promise<Result<RelayClient, string>>
  /** Closes all tabs and the connection. */
  end(): Promise<void>
}

/** The connection behind one relay process. */
interface RelayProcess {
  readonly opening: Promise<Result<void, string>>
  addClient(): RelayClient
  end(): Promise<void>
}

export function createAttachRelay(): AttachRelay {
  const { command, args } = selfCommand([RELAY_COMMAND])
  let current: RelayProcess | undefined
  return {
    async connect(start) {
      const relay = (current ??= startRelay([command, ...args], start, () => {
        if (current === relay) current = undefined
      }))
      const openResult = await relay.opening
      return openResult.ok ? ok(relay.addClient()) : openResult
    },
    async end() {
      await current?.end()
    },
  }
}

// --- internal ---

function startRelay(command: readonly string[], start: RelayStart, onEnd: () => void): RelayProcess {
  const [input, output] = spawnRelay(command)
  const clients = new Map<string, RelayClient>()
  const closings = new Map<string, () => void>()
  const opening = createDeferred<Result<void, string>>()
  const end = createDeferred()
  let lastClient = 0
  const handleEnd = () => {
    onEnd()
    opening.resolve(err('the connection was closed'))
    end.resolve()
    for (const client of clients.values()) client.onclose?.('The browser has ended the connection.')
    for (const close of closings.values()) close()
    clients.clear()
  }
  readRelayLines(output, ({ kind, client, data }) => {
    if (kind === 'ready') opening.resolve(ok(undefined))
    if (kind === 'failed') opening.resolve(err(String(data)))
    if (kind === 'closed') closings.get(client)?.()
    // Playwright adds its listeners between two messages.
    if (kind === 'message') setImmediate(() => clients.get(client)?.onmessage?.(data as object))
  })
  for (const event of ['end', 'close', 'error']) output.once(event, handleEnd)
  input.on('error', () => {})
  input.write(formatRelayLine('start', '-', start))
  return {
    opening: opening.promise,
    addClient() {
      const key = String((lastClient += 1))
      const closing = createDeferred()
      closings.set(key, closing.resolve)
      const client: RelayClient = {
        send: (message) => void input.write(formatRelayLine('message', key, message)),
        async close() {
          if (!clients.delete(key)) return closing.promise
          input.write(formatRelayLine('close', key))
          await settleWithin(CLOSE_TIMEOUT_MS, closing.promise)
          client.onclose?.()
        },
      }
      clients.set(key, client)
      return client
    },
    async end() {
      input.end()
      await settleWithin(CLOSE_TIMEOUT_MS, end.promise)
    },
  }
}

function spawnRelay(command: readonly string[]): readonly [Duplex, Duplex] {
  if (process.platform !== 'win32')
    return startDetachedScript('"$@"; exit', command, { hasOutput: true }) as unknown as readonly [
      Duplex,
      Duplex,
    ]
  const [name = '', ...args] = command
  const child = spawn(name, args, { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true })
  child.on('error', () => {})
  child.unref()
  return [child.stdin, child.stdout] as unknown as readonly [Duplex, Duplex]
}
