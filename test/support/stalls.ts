// The binary under attack: lines go in as they are, and meanwhile another session of the same server asks its page for a number, without
// pause. The longest of its waits is what the attack cost everybody else.

import { spawn } from 'node:child_process'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { binary, patience } from './client.ts'
import { trace } from './leftovers.ts'
import { initialize, toolCall } from './raw.ts'

export interface Victim {
  readonly site: string
  /** The attacker's session. */
  readonly sessionId: string
  /** Sends a call; a failure of it is an answer too. */
  call(tool: string, input?: Record<string, unknown>): Promise<any>
  /** Sends the text of arguments that no client could write. */
  callText(tool: string, text: string): Promise<any>
}

export type Attack = (victim: Victim) => Promise<unknown>

export interface Arena {
  readonly pid: number
  open(site: string): Promise<Victim>
  end(victim: Victim): Promise<unknown>
  /** The waits of the other session's `evaluate` while `work` runs, and of calls that need no browser, in milliseconds, and what came of the
   * work. */
  beside<T>(work: () => Promise<T>): Promise<Beside<T>>
  close(): Promise<void>
}

interface Beside<T> {
  readonly waits: readonly number[]
  readonly ownWaits: readonly number[]
  readonly done: T
  readonly ended: number
}

const PATIENCE = 120_000

/** `folder` is the workspace. */
export async function openArena(
  program = binary,
  folder = process.cwd(),
  tools = 'all,+compare',
): Promise<Arena> {
  const left = trace()
  const child = spawn(program, ['--headless', '--tools', tools], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...patience, ...left.env },
  })
  const exit = new Promise((done) => child.once('exit', done))
  const waiting = new Map<unknown, (message: any) => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line)
    waiting.get(message.id)?.(message)
    waiting.delete(message.id)
  })
  let count = 0
  const send = (line: (id: number) => string): Promise<any> => {
    const id = (count += 1)
    return new Promise((answered, failed) => {
      const timer = setTimeout(() => failed(new Error(`no answer to ${line(id).slice(0, 200)}`)), PATIENCE)
      waiting.set(id, ({ result, error }) => {
        clearTimeout(timer)
        answered(result?.structuredContent ?? error ?? result)
      })
      child.stdin.write(`${line(id)}\n`)
    })
  }
  const call: Victim['call'] = (tool, input = {}) => send((id) => JSON.stringify(toolCall(id, tool, input)))
  const callText: Victim['callText'] = (tool, text) =>
    send((id) => JSON.stringify(toolCall(id, tool, { HERE: 0 })).replace('{"HERE":0}', () => text))
  await send((id) => JSON.stringify({ ...initialize, id }))
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
  const { sessionId: neighbour } = await call('create_session', {})
  return {
    pid: child.pid ?? 0,
    async open(site) {
      const { sessionId } = await call('create_session', {})
      await call('navigate', { sessionId, url: site })
      return { site, sessionId, call, callText }
    },
    end: ({ sessionId }) => call('close_session', { sessionId }),
    async beside(work) {
      const waits: number[] = []
      const ownWaits: number[] = []
      let ended = 0
      const since = performance.now()
      const working = work().finally(() => (ended = performance.now() - since))
      working.catch(() => {})
      const askOften = async () => {
        while (ended === 0) {
          const asked = performance.now()
          await call('list_sessions')
          ownWaits.push(performance.now() - asked)
          await new Promise((resolve) => setTimeout(resolve, 5))
        }
      }
      const asking = askOften()
      do {
        const asked = performance.now()
        const answer = await call('evaluate', { sessionId: neighbour, script: '6 * 7' })
        if (answer.result !== 42)
          throw new Error(`the other session: ${JSON.stringify(answer).slice(0, 500)}`)
        waits.push(performance.now() - asked)
      } while (ended === 0)
      await asking
      return { waits, ownWaits, done: await working, ended }
    },
    async close() {
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
      await exit
      clearTimeout(timer)
      await left.expectNothing()
    },
  }
}
