// What a player works with: calls to one server, each counted, and all that was read.

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

export interface Hands {
  readonly tally: Tally
  /** All answers so far. */
  readonly seen: string[]
  /** The tools that the server lists, by name, with the names of the fields that they require. */
  readonly tools: ReadonlyMap<string, readonly string[]>
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<string>
  /** The agent's own shell, for what a server cannot do. */
  shell(command: string): Promise<string>
}

export function createHands(
  peer: Peer,
  tools: Hands['tools'],
  cwd: string,
  report: (text: string) => void,
): Hands {
  const tally: Tally = { turns: 0, argumentTokens: 0, answerTokens: 0, ms: 0 }
  const seen: string[] = []
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

const escape = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** The ref of an element in what was read, newest first; undefined if it was not seen. `pattern` gets the role and the name, as parts of a
 * regular expression, and captures the ref. */
export function findRef(
  { seen }: Hands,
  { role, name }: Target,
  pattern: (role: string, name: string) => string,
): string | undefined {
  const expression = new RegExp(pattern(escape(role), escape(name)))
  for (const text of seen.toReversed()) {
    const ref = expression.exec(text)?.[1]
    if (ref !== undefined) return ref
  }
  return undefined
}
