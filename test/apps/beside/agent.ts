// How an agent works with a browser server: it acts with what the answers said, reads the page when they did not say it, and everything
// that it had to read, ask and wait for is counted.

import { countTokens } from 'gpt-tokenizer'
import type { Peer } from '../../support/client.ts'

export interface Turn {
  readonly tool: string
  readonly failed: boolean
  readonly text: string
  readonly ms: number
}

type Call = readonly [tool: string, input?: Record<string, unknown>]

/** What each thing that an agent wants is called with, by contender. Several calls are tried one after the other, until one succeeds. */
export interface Vocabulary {
  open(url: string): Call
  read(): Call
  click(target: string): Call
  /** Puts the text in the place of what a field has. */
  enter(target: string, text: string): readonly Call[]
  choose(target: string, value: string): Call
  drag(from: string, to: string): Call
  /** What follows the click on the control where that opened a chooser of files, else instead of it. */
  upload(target: string, paths: readonly string[]): readonly Call[]
  dialog(accept: boolean): Call
  lastTab(answer: string): readonly Call[]
  console(): Call
  network(): Call
  /** The body that the last request with this address was answered with. */
  body(pattern: string, answer: string): Call
  failedRequests(pattern: string): Call
  search(text: string): Call
  hover(target: string): Call
  fill(fields: readonly (readonly [target: string, type: string, value: string | boolean])[]): Call
  drop(target: string, paths: readonly string[]): Call
  /** Text for what has the focus. */
  keys(text: string): readonly Call[]
  wait(text: string): Call
  resize(width: number, height: number): Call
}

export interface Agent {
  readonly turns: readonly Turn[]
  open(url: string): Promise<Turn>
  read(): Promise<Turn>
  click(line: RegExp | string): Promise<Turn>
  enter(line: RegExp, text: string): Promise<void>
  choose(line: RegExp, value: string): Promise<Turn>
  drag(from: RegExp, to: RegExp): Promise<Turn>
  upload(line: RegExp, paths: readonly string[]): Promise<void>
  drop(line: RegExp, paths: readonly string[]): Promise<Turn>
  hover(line: RegExp): Promise<Turn>
  fill(fields: readonly (readonly [line: RegExp, type: string, value: string | boolean])[]): Promise<Turn>
  keys(text: string): Promise<void>
  search(text: string): Promise<Turn>
  /** Asks the console, or the network for one response's body. */
  readConsole(): Promise<Turn>
  readBody(pattern: string): Promise<Turn>
  dialog(accept: boolean): Promise<Turn>
  enterLastTab(): Promise<void>
  /** Asks on until the answers of this step say it: the page, the console, the network. */
  learn(told: RegExp): Promise<boolean>
  wait(text: string): Promise<Turn>
  resize(width: number, height: number): Promise<Turn>
  /** The newest answer that has the line, and its ref; the page is read where none has it. */
  find(line: RegExp): Promise<string>
}

/** How often an agent looks again for what is not there yet, and how long a model takes to decide that. */
const READS = 2
const THOUGHT_MS = 1000
/** How long a client waits for an answer. */
const CLIENT_LIMIT_MS = 30_000

const REF = /\[(?:ref=)?((?:f\d+)?e\d+)\]/

export function agentOf(peer: Peer, words: Vocabulary): Agent {
  const turns: Turn[] = []
  const perform = async ([tool, input = {}]: Call): Promise<Turn> => {
    const since = performance.now()
    const { text, failed } = await answered(peer, tool, input)
    const turn = { tool, failed, text, ms: performance.now() - since }
    turns.push(turn)
    return turn
  }
  const tryAll = async (calls: readonly Call[]): Promise<void> => {
    for (const call of calls) if (!(await perform(call)).failed) return
  }
  const find = async (line: RegExp): Promise<string> => {
    const known = refIn(turns, line)
    if (known !== undefined) return known
    for (let left = READS; left > 0; left--) {
      await perform(words.read())
      const read = refIn(turns.slice(-1), line)
      if (read !== undefined) return read
      await Bun.sleep(THOUGHT_MS)
    }
    throw new Error(`nothing to use at ${line}`)
  }
  const says = (told: RegExp) => turns.some(({ text }) => told.test(plain(text)))
  return {
    turns,
    find,
    open: (url) => perform(words.open(url)),
    read: () => perform(words.read()),
    click: async (line) => perform(words.click(typeof line === 'string' ? line : await find(line))),
    enter: async (line, text) => tryAll(words.enter(await find(line), text)),
    choose: async (line, value) => perform(words.choose(await find(line), value)),
    drag: async (from, to) => perform(words.drag(await find(from), await find(to))),
    upload: async (line, paths) => {
      for (const call of words.upload(await find(line), paths)) await perform(call)
    },
    drop: async (line, paths) => perform(words.drop(await find(line), paths)),
    hover: async (line) => perform(words.hover(await find(line))),
    fill: async (fields) => {
      const found: [string, string, string | boolean][] = []
      for (const [line, type, value] of fields) found.push([await find(line), type, value])
      return perform(words.fill(found))
    },
    keys: async (text) => {
      for (const call of words.keys(text)) await perform(call)
    },
    search: (text) => perform(words.search(text)),
    readConsole: () => perform(words.console()),
    readBody: async (pattern) => {
      const { text } = await perform(words.failedRequests(pattern))
      return perform(words.body(pattern, text))
    },
    dialog: (accept) => perform(words.dialog(accept)),
    wait: (text) => perform(words.wait(text)),
    resize: (width, height) => perform(words.resize(width, height)),
    enterLastTab: async () => {
      for (const call of words.lastTab(turns.at(-1)?.text ?? '')) await perform(call)
    },
    async learn(told) {
      const asked = [words.read(), words.console(), words.network()]
      for (const call of asked) {
        if (says(told)) return true
        await perform(call)
      }
      return says(told)
    },
  }
}

/** A call as its client waits for it; one that is not answered has failed. */
export async function answered(
  peer: Peer,
  tool: string,
  input: Record<string, unknown>,
): Promise<{ text: string; failed: boolean }> {
  const late = Bun.sleep(CLIENT_LIMIT_MS).then(() => undefined)
  const answer = await Promise.race([peer.call(tool, input).catch(() => undefined), late])
  if (answer === undefined) return { text: `no answer within ${CLIENT_LIMIT_MS} ms`, failed: true }
  const { result, failed } = answer
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  return { text, failed }
}

/** JSON's own quoting is no obstacle to a model. */
const plain = (text: string): string => text.replaceAll('\\n', '\n').replaceAll('\\"', '"')

function refIn(turns: readonly Turn[], line: RegExp): string | undefined {
  for (const { text } of turns.toReversed()) {
    const all = plain(text)
    // A pattern over several lines ends at the line that has the ref.
    const found = line.exec(all)
    if (found === null) continue
    const rest = all.slice(found.index + found[0].length).split('\n')[0] ?? ''
    const last = found[0].split('\n').at(-1) ?? ''
    const ref = REF.exec(last + rest)?.[1]
    if (ref !== undefined) return ref
  }
  return undefined
}

export interface Cost {
  readonly turns: number
  readonly bytes: number
  readonly tokens: number
  readonly ms: number
}

export function costOf(turns: readonly Turn[]): Cost {
  const text = turns.map((turn) => turn.text).join('\n')
  return {
    turns: turns.length,
    bytes: Buffer.byteLength(text),
    tokens: countTokens(text),
    ms: Math.round(turns.reduce((sum, { ms }) => sum + ms, 0)),
  }
}
