// What a case of the benchmark of claims does: edits of the application, calls of the built binary, and one verdict at the end.

import { rmSync } from 'node:fs'
import { callOrThrow, type Peer } from '../../test/support/client.ts'
import { edit, git } from '../../test/support/small-shop.ts'
import { read, restore, write } from './shop.ts'

export interface Bench {
  readonly folder: string
  /** Where the ledgers are. */
  readonly output: string
  call(tool: string, input?: Record<string, unknown>): Promise<any>
  /** The answer whether it fails or not. */
  tryCall(tool: string, input?: Record<string, unknown>): Promise<any>
  edit(path: string, before: string, after: string): void
  write(path: string, text: string): void
  read(path: string): string
  git(...args: readonly string[]): string
  /** Commits all on the main branch. */
  commit(message: string): void
  /** Opens a session with the server of the application and a page of it. */
  open(path?: string, more?: Record<string, unknown>): Promise<void>
  verify(claims?: readonly Claim[], input?: Record<string, unknown>): Promise<Answer>
}

interface Claim {
  readonly say: string
  readonly check?: Record<string, unknown>
}

export interface Answer {
  readonly verdict: string
  readonly lines: readonly string[]
  readonly files: readonly Record<string, any>[]
}

export interface Case {
  readonly name: string
  /** `evaluate`: PASS is right if the answer says what ran it; `forged`: nothing can prevent it; `rule`: the rule itself lets it pass. */
  readonly kind?: 'evaluate' | 'forged' | 'rule'
  run(bench: Bench): Promise<Answer>
}

/** Runs a case in the application as it was committed, with an empty ledger. */
export async function runCase({ run }: Case, peer: Peer, folder: string, output: string): Promise<Answer> {
  restore(folder)
  rmSync(`${output}/verify`, { recursive: true, force: true })
  const call: Bench['call'] = (tool, input = {}) => callOrThrow(peer, tool, input)
  try {
    return await run({
      folder,
      output,
      call,
      tryCall: async (tool, input = {}) => (await peer.call(tool, input)).data,
      edit: (path, before, after) => edit(folder, path, before, after),
      write: (path, text) => write(folder, path, text),
      read: (path) => read(folder, path),
      git: (...args) => git(folder, ...args),
      commit(message) {
        git(folder, 'add', '--all')
        git(folder, 'commit', '--quiet', `--message=${message}`)
      },
      async open(path = '/', more = {}) {
        await call('create_session', { command: ['node', 'server.js'], cwd: folder, ...more })
        await call('navigate', { url: path })
      },
      async verify(claims = [], input = {}) {
        const { failed, data, result } = await peer.call('verify', { claims, ...input })
        if (failed) throw new Error(`verify: ${JSON.stringify(data)}`)
        return { ...data, lines: textOf(result.content).split('\n') }
      },
    })
  } finally {
    const { sessions } = await callOrThrow(peer, 'list_sessions')
    for (const { sessionId } of sessions) await peer.call('close_session', { sessionId })
  }
}

// --- internal ---

const textOf = (content: Awaited<ReturnType<Peer['call']>>['result']['content']): string =>
  content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
