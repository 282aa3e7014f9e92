// What a driver works with: calls to one server, each counted, and all that was read.

import { spawn } from 'node:child_process'
import { countTokens } from 'gpt-tokenizer'
import type { Peer } from '../../test/support/client.ts'
import type { Target } from './task.ts'

export interface Tally {
  turns: number
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
  /** The agent's own shell, for what a server cannot do. */
  shell(command: string): Promise<string>
}

export function createAgent(
  peer: Peer,
  tools: Agent['tools'],
  cwd: string,
  report: (text: string) => void,
): Agent {
  const tally: Tally = { turns: 0, argumentTokens: 0, answerTokens: 0, ms: 0 }
  const seen: string[] = []
  let roundStart = 0
  const count = async (tool: string, input: object, answer: () => Promise<string>): Promise<string> => {
    const startedAt = performance.now()
    const text = await answer()
    tally.ms += performance.now() - startedAt
    const written = JSON.stringify(input)
    report(`→ ${tool} ${written}\n${text}`)
    tally.turns += 1
    tally.argumentTokens += countTokens(`${tool} ${written}`)
    tally.answerTokens += countTokens(text)
    seen.push(text)
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
    tools,
    call: (tool, input = {}) =>
      count(tool, input, async () => {
        const { failed, result } = await peer.call(tool, input)
        const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
        if (failed) throw new Error(`${tool} ${JSON.stringify(input)}: ${text.slice(0, 2000)}`)
        return text
      }),
    shell: (command) =>
      count('shell', { command }, () => {
        const child = spawn('/bin/sh', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
        let out = ''
        child.stdout.on('data', (chunk) => (out += String(chunk)))
        return new Promise((resolve) => child.once('exit', () => resolve(out)))
      }),
  }
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
