// What a driver works with: calls to one server, each counted, and all that was read.

import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { countTokens } from 'gpt-tokenizer'
import type { Peer } from '../../test/support/client.ts'
import type { Target } from './task.ts'

export interface Tally {
  /** Calls of a server's tools and lines of the shell. */
  turns: number
  /** A line of the shell may have several. */
  commands: number
  argumentTokens: number
  answerTokens: number
  /** Milliseconds in which calls were waited for. */
  ms: number
}

export interface Agent {
  readonly tally: Tally
  /** All answers so far. */
  readonly seen: readonly string[]
  /** The answers of the last round: what is known of the page as it is now. */
  readonly latest: readonly string[]
  /** The working directory of the server and of the shell. */
  readonly cwd: string
  /** The answers before this index are of earlier rounds. */
  forgetBefore(index: number): void
  /** The tools that the server lists, by name, with the names of the fields that they require. */
  readonly tools: ReadonlyMap<string, readonly string[]>
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<string>
  /** The agent's own shell. Several commands are one line, which ends with the first that fails. */
  shell(...commands: readonly string[]): Promise<string>
}

export interface Surroundings {
  readonly cwd: string
  /** The variables of the agent's shell. */
  readonly env?: Readonly<Record<string, string>>
  report(text: string): void
}

/** An agent with the tools of a server; without one it has only its shell. */
export function createAgent(
  server: { readonly peer: Peer; readonly tools: Agent['tools'] } | undefined,
  { cwd, env, report }: Surroundings,
): Agent {
  const tally: Tally = { turns: 0, commands: 0, argumentTokens: 0, answerTokens: 0, ms: 0 }
  const seen: string[] = []
  let roundStart = 0
  const count = async (written: string, commandCount: number, answer: () => Promise<Answer>) => {
    const startedAt = performance.now()
    const { text, failure } = await answer()
    tally.ms += performance.now() - startedAt
    report(`→ ${written}\n${text}`)
    tally.turns += 1
    tally.commands += commandCount
    tally.argumentTokens += countTokens(written)
    tally.answerTokens += countTokens(text)
    seen.push(text)
    if (failure) throw new Error(`${written}: ${failure} ${text.slice(0, 2000)}`)
    return text
  }
  return {
    tally,
    seen,
    get latest() {
      return seen.slice(roundStart)
    },
    cwd,
    forgetBefore: (index) => void (roundStart = index),
    tools: server?.tools ?? new Map(),
    call: (tool, input = {}) =>
      count(`${tool} ${JSON.stringify(input)}`, 1, async () => {
        if (!server) throw new Error('there is no server')
        const { failed, result } = await server.peer.call(tool, input)
        const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
        return { text, failure: failed && 'failed' }
      }),
    shell(...commands) {
      const line = commands.join(' && ')
      return count(line, commands.length, () => runInShell(line, cwd, env))
    },
  }
}

interface Answer {
  readonly text: string
  readonly failure: string | false
}

/** What it prints, errors too, goes to a file: a server that it leaves behind may keep its outputs open. */
async function runInShell(command: string, cwd: string, env: Surroundings['env']): Promise<Answer> {
  const path = join(cwd, '.output')
  const output = openSync(path, 'w')
  const child = spawn('/bin/sh', ['-c', command], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { text: readFileSync(path, 'utf8'), failure: status !== 0 && `exit code ${status}` }
}

/** The ref of an element in these answers, newest first; undefined if it is not there. `pattern` gets the role and the name, as parts of a
 * regular expression, and captures the ref. Lines that begin with `- ` tell of an element that is gone, if `isDiff`. */
export function findRef(
  answers: readonly string[],
  { role, name }: Target,
  pattern: (role: string, name: string) => string,
  isDiff = false,
): string | undefined {
  const expression = new RegExp(pattern(escape(role), escape(name)))
  for (const answer of answers.toReversed()) {
    const lines = answer
      .replace(/\\+n/g, '\n')
      .replace(/\\+"/g, '"')
      .split('\n')
      .filter((line) => expression.test(line))
    const present = lines.find((line) => !isDiff || !/^- |:"- /.test(line))
    if (present !== undefined) return expression.exec(present)?.[1]
    if (lines.length > 0) return undefined
  }
  return undefined
}

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
