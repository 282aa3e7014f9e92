// The command lines of each tool, as its skill shows them: one command for each step, or its form for several. The commands of a round and
// the look after it are one line.

import { join } from 'node:path'
import { type Agent, findRef } from '../agent.ts'
import type { CreateDriver } from '../driver.ts'
import type { Intent, Target } from '../task.ts'
import { createOwnProgram } from './own-program.ts'

type Command = readonly string[]

/** The grammar of a tool. */
interface Grammar {
  readonly refPattern: (role: string, name: string) => string
  /** Whether a look may print only what has changed. */
  readonly isDelta?: boolean
  /** Opens a session on a page. */
  open(url: string): Command
  /** Gets each answer. The look at a new page needs what the answer to its opening says. */
  readAnswer?(text: string): void
  commandsFor(intent: Intent, refOf: (target: Target) => string, cwd: string): readonly Command[]
  /** With `isText` the agent wants to read the text of the page. */
  look(isText: boolean): Command
  close(): Command
  /** Several commands as one, where it has that. */
  join?(commands: readonly Command[]): Command
  /** Adds the look to the last command, where it can. */
  addLook?(command: Command): Command
}

/** Footlight: `do` for several commands, `fill` for a form. Answers say what has changed, so a look is needed only at first. */
export const createFootlightShellDriver: CreateDriver = (agent) => {
  const refOf = (target: Target) =>
    findRef(agent.seen, target, (role, name) => `\\b${role} (?:.*, )?"${name}".*?\\[(\\w+)\\]`, true)
  const run = (commands: readonly Command[]) => {
    const [first = [], ...others] = commands
    const lines = commands.map((command) =>
      command.length > 1 ? `'${joinWords(command)}'` : joinWords(command),
    )
    return agent.shell(`footlight ${others.length > 0 ? `do ${lines.join(' ')}` : joinWords(first)}`)
  }
  return {
    async open(url, program) {
      const opening = program === undefined ? ['open', url] : ['up', `node ${program}`]
      const answer = await run([opening, ['snap']])
      return program === undefined ? url : (/http:\/\/[\w.]+:\d+/.exec(answer)?.[0] ?? '')
    },
    knows: (target) => refOf(target) !== undefined,
    act: async (intents) => void (await run(footlightCommands(intents, (target) => refOf(target) ?? ''))),
    look: async () => void (await run([['snap']])),
    readLog: async () => void (await run([['log', '--log-type', 'stderr']])),
    close: async () => void (await run([['close']])),
  }
}

export const createPlaywrightCliDriver: CreateDriver = (agent) =>
  createShellDriver(agent, 'playwright-cli', playwrightCli)

/** Its option that leaves out the code, the address and the link to a snapshot. */
export const createPlaywrightCliRawDriver: CreateDriver = (agent) =>
  createShellDriver(agent, 'playwright-cli --raw', playwrightCli)

const playwrightCli: Grammar = {
  refPattern: (role, name) => `${role} "${name}".*?\\[ref=(\\w+)\\]`,
  open: (url) => ['open', url],
  commandsFor(intent, refOf, cwd) {
    const ref = refOf(intent.target)
    switch (intent.kind) {
      case 'fill':
        return [['fill', ref, intent.value, ...(intent.submit ? ['--submit'] : [])]]
      case 'select':
        return [['select', ref, intent.value]]
      case 'check':
        return [['check', ref]]
      case 'drag':
        return [['drag', ref, refOf(intent.to)]]
      case 'upload':
        return [
          ['click', ref],
          ['upload', join(cwd, intent.path)],
        ]
      case 'click':
      case 'download':
        return [['click', ref]]
    }
  },
  look: () => ['snapshot'],
  close: () => ['close'],
}

const agentBrowser: Grammar = {
  refPattern: (role, name) => `${role} "${name}" \\[.*?ref=(\\w+)`,
  open: (url) => ['open', url],
  commandsFor(intent, refOf, cwd) {
    const ref = `@${refOf(intent.target)}`
    switch (intent.kind) {
      case 'fill':
        return [['fill', ref, intent.value], ...(intent.submit ? [['press', 'Enter']] : [])]
      case 'select':
        return [['select', ref, intent.value]]
      case 'check':
        return [['check', ref]]
      case 'drag':
        return [['drag', ref, `@${refOf(intent.to)}`]]
      case 'upload':
        // It takes a relative path without an error, but its browser cannot read the file.
        return [['upload', ref, join(cwd, intent.path)]]
      case 'click':
        return [['click', ref]]
      case 'download':
        return [['download', ref, 'template.csv']]
    }
  },
  look: (isText) => (isText ? ['read'] : ['snapshot', '-i']),
  close: () => ['close'],
}

export const createAgentBrowserShellDriver: CreateDriver = (agent) =>
  createShellDriver(agent, 'agent-browser', agentBrowser)

/** After the first look it prints only what has changed, if that is short. */
export const createAgentBrowserDeltaShellDriver: CreateDriver = (agent) =>
  createShellDriver(agent, 'agent-browser', {
    ...agentBrowser,
    isDelta: true,
    look: (isText) => (isText ? ['read'] : ['snapshot', '-i', '--delta']),
  })

export const createAgentBrowserBatchShellDriver: CreateDriver = (agent) =>
  createShellDriver(agent, 'agent-browser', {
    ...agentBrowser,
    join: (commands) => ['batch', ...commands.map((command) => command.map(quoteInside).join(' '))],
  })

export const createDevtoolsShellDriver: CreateDriver = (agent) => {
  let page = ''
  return createShellDriver(agent, 'chrome-devtools', {
    refPattern: (role, name) => `uid=(\\w+) ${role} "${name}(?:: [^"]*)?"`,
    open: (url) => ['new_page', url],
    readAnswer: (text) => void (page ||= /(\d+): [^\n]*\[selected\]/.exec(text)?.[1] ?? ''),
    commandsFor(intent, refOf, cwd) {
      const uid = refOf(intent.target)
      switch (intent.kind) {
        case 'fill':
          return [['fill', page, uid, intent.value], ...(intent.submit ? [['press_key', page, 'Enter']] : [])]
        case 'select':
          return [['fill', page, uid, intent.value]]
        case 'check':
          return [['fill', page, uid, 'true']]
        case 'drag':
          return [['drag', page, uid, refOf(intent.to)]]
        case 'upload':
          return [['upload_file', page, uid, join(cwd, intent.path)]]
        case 'click':
        case 'download':
          return [['click', page, uid]]
      }
    },
    look: () => ['take_snapshot', page],
    close: () => ['close_page', page],
    addLook: (command) => [...command, '--includeSnapshot', 'true'],
  })
}

// --- internal ---

function createShellDriver(agent: Agent, name: string, grammar: Grammar): ReturnType<CreateDriver> {
  const refOf = (target: Target) =>
    findRef(grammar.isDelta ? agent.seen : agent.latest, target, grammar.refPattern)
  const run = async (commands: readonly Command[]) => {
    const joined = commands.length > 1 && grammar.join ? [grammar.join(commands)] : commands
    const answer = await agent.shell(...joined.map((command) => `${name} ${joinWords(command)}`))
    grammar.readAnswer?.(answer)
  }
  // An agent whose line failed looks again.
  const tryRun = (commands: readonly Command[]) => run(commands).catch(() => {})
  const program = createOwnProgram(agent, async (url) => {
    if (!grammar.readAnswer) return run([grammar.open(url), grammar.look(false)])
    await run([grammar.open(url)])
    await run([grammar.look(false)])
  })
  return {
    open: program.open,
    knows: (target) => refOf(target) !== undefined,
    act(intents, isLast) {
      const commands = intents.flatMap((intent) =>
        grammar.commandsFor(intent, (target) => refOf(target) ?? '', agent.cwd),
      )
      const { addLook } = grammar
      return tryRun(
        addLook
          ? commands.map((command, index) => (index === commands.length - 1 ? addLook(command) : command))
          : [...commands, grammar.look(isLast)],
      )
    },
    look: (isText) => tryRun([grammar.look(isText)]),
    readLog: program.readLog,
    async close() {
      await run([grammar.close()])
      await program.stop()
    },
  }
}

/** Fields that follow each other are one `fill`. */
function footlightCommands(
  intents: readonly Intent[],
  refOf: (target: Target) => string,
): readonly Command[] {
  const commands: Command[] = []
  let fields: Command[] = []
  const flush = () => {
    const [first] = fields
    if (first && fields.length === 1) commands.push(first)
    // A form has the values of all fields in pairs.
    else if (first) commands.push(['fill', ...fields.flatMap(([, ref = '', value = 'true']) => [ref, value])])
    fields = []
  }
  for (const intent of intents) {
    const ref = refOf(intent.target)
    if (intent.kind === 'check') fields.push(['check', ref])
    else if (intent.kind === 'select' || (intent.kind === 'fill' && !intent.submit))
      fields.push([intent.kind, ref, intent.value])
    else {
      flush()
      if (intent.kind === 'fill') commands.push(['fill', ref, intent.value, '--submit'])
      if (intent.kind === 'click' || intent.kind === 'download') commands.push(['click', ref])
      if (intent.kind === 'drag') commands.push(['drag', ref, refOf(intent.to)])
      if (intent.kind === 'upload') commands.push(['upload', ref, intent.path])
    }
  }
  flush()
  return commands
}

// No text of the tasks has a quote of its own.
const isPlain = (word: string): boolean => /^[\w@./:+=-]+$/.test(word)
const joinWords = (words: Command): string =>
  words.map((word) => (isPlain(word) ? word : `"${word}"`)).join(' ')
const quoteInside = (word: string): string => (isPlain(word) ? word : `'${word}'`)
