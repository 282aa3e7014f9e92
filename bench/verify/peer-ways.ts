// How an agent learns which changed lines ran, with each server: by one call, by a script that it writes for the coverage of Playwright, or by
// counters that it writes into its change and takes away again.

import type { Act, Edit, PeerChange, PeerLine, State } from './peer-changes.ts'

/** What an agent can do; each is one call, and what is written and read is counted. `isFlow`: it would be done anyway. */
export interface Hands {
  /** A tool of the server; answers its text. */
  tool(name: string, input?: Record<string, unknown>, isFlow?: boolean): Promise<string>
  shell(command: string, isFlow?: boolean): string
  /** Writes into files as they are edited. */
  edit(edits: readonly Edit[]): void
  /** Starts the server of the application anew, by the shell. */
  restart(isFlow?: boolean): Promise<void>
  /** The change of the task itself; costs nothing. */
  apply(edits: readonly Edit[]): void
  /** The whole line of the file with its number, which an agent that wrote it knows. */
  lineOf(line: PeerLine): { readonly number: number; readonly text: string }
  readonly url: string
}

/** Where a line of the change is. */
interface Place {
  readonly path: string
  readonly line: number
}

interface Known {
  /** What is said of a line; undefined where nothing can be. */
  stateOf(place: Place): State | undefined
  /** All that the answers said of errors. */
  readonly errors: string
}

export interface Way {
  readonly name: string
  readonly how: string
  /** What is done once. */
  begin(hands: Hands): Promise<void>
  learn(hands: Hands, change: PeerChange): Promise<Known>
}

/** The calls of a flow, in the words of a server. */
type Flow = (hands: Hands, change: PeerChange) => Promise<string>

const find = (text: string, pattern: RegExp): string => pattern.exec(text)?.[1] ?? ''
const inLines = (ranges: string, line: number): boolean =>
  ranges.split(',').some((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return line >= first && line <= last
  })

export const footlightWay: Way = {
  name: 'Footlight',
  how: '`verify`',
  begin: async ({ tool }) => void (await tool('create_session', { command: 'node server.js' }, true)),
  async learn({ tool, apply }, { page, acts, later, isServer }) {
    if (isServer) await tool('restart_server', {}, true)
    await tool('navigate', { url: page }, true)
    for (const act of acts) await tool(...footlightAct(act), true)
    if (later) apply([later])
    const answer = await tool('verify')
    const rowOf = (name: string) => find(answer, new RegExp(`^ ${name} +(.*)$`, 'm'))
    const has = (row: string, { path, line }: Place) =>
      row.split(/, (?=[\w/]+\.\w)/).some((part) => {
        const [file = '', ranges] = part.replace(/ \(.*/, '').split(':')
        return file === path && (ranges === undefined || inLines(ranges, line))
      })
    return {
      stateOf(place) {
        if (has(rowOf('ran'), place) || has(rowOf('partly'), place)) return 'ran'
        if (has(rowOf('not run'), place)) return 'not run'
        return has(rowOf('not loaded'), place) ? 'stale' : undefined
      },
      errors: rowOf('errors'),
    }
  },
}

function footlightAct(act: Act): [string, Record<string, unknown>] {
  if ('wait' in act) return ['wait_for', { text: act.wait }]
  return 'click' in act
    ? ['click', { selector: act.click }]
    : ['type', { selector: act.type, text: act.text }]
}

const playwrightFlow: Flow = async ({ tool, url }, { page, acts }) => {
  let said = await tool('browser_navigate', { url: url + page }, true)
  for (const act of acts)
    if ('wait' in act) said += await tool('browser_wait_for', { text: act.wait }, true)
    else if ('click' in act)
      said += await tool('browser_click', { element: act.name, target: act.click }, true)
    else said += await tool('browser_type', { element: act.name, target: act.type, text: act.text }, true)
  return said
}

/** What an agent would write: the lines of each file that ran and that did not, and whether the server has another text now.
 * Kept in the server, because each answer repeats the code that was sent. */
const COVERAGE_SCRIPT = `async (page) => { page.context().lines = async () => {
  const out = []
  const told = async (url, text, countAt) => {
    const ran = [], not = []
    let offset = 0
    text.split('\\n').forEach((line, index) => {
      const counts = [...line].flatMap((letter, at) => /[\\s{}();]/.test(letter) ? [] : [countAt(offset + at)])
      if (counts.length) (counts.every(Boolean) ? ran : not).push(index + 1)
      offset += line.length + 1
    })
    const served = await (await page.request.get(url)).text()
    out.push(new URL(url).pathname + (served === text ? '' : ' STALE') + ' ran ' + ran + ' not ' + not)
  }
  for (const { url, source, functions } of await page.coverage.stopJSCoverage()) {
    const ranges = functions.flatMap((one) => one.ranges).sort((a, b) => (b.endOffset - b.startOffset) - (a.endOffset - a.startOffset))
    await told(url, source, (at) => ranges.findLast((range) => range.startOffset <= at && at < range.endOffset)?.count)
  }
  for (const { url, text, ranges } of await page.coverage.stopCSSCoverage())
    await told(url, text, (at) => ranges.some(({ start, end }) => start <= at && at < end))
  return out.join('\\n')
} }
`

const START_CODE =
  'async (page) => { await page.coverage.startJSCoverage(); await page.coverage.startCSSCoverage() }'

const STOP_CODE = 'async (page) => page.context().lines()'

export const coverageWay: Way = {
  name: '@playwright/mcp',
  how: 'a script of its own for `page.coverage`; counters for the server',
  async begin({ tool, restart }) {
    await restart(true)
    await tool('browser_run_code_unsafe', { code: COVERAGE_SCRIPT })
  },
  async learn(hands, change) {
    if (change.isServer) return learnByCounters(hands, change, playwrightFlow, look)
    const { tool, shell, apply } = hands
    shell(DIFF)
    await tool('browser_run_code_unsafe', { code: START_CODE })
    const said = await playwrightFlow(hands, change)
    if (change.later) apply([change.later])
    const answer = (await tool('browser_run_code_unsafe', { code: STOP_CODE })).replaceAll('\\n', '\n')
    const console = await tool('browser_console_messages', { level: 'error' })
    return {
      stateOf({ path, line }) {
        const row = answer.split('\n').find((text) => text.includes(path.replace('public', '')))
        const [, stale, ran = '', not = ''] = /( STALE)? ran (\S*) not ([\d,]*)/.exec(row ?? '') ?? []
        if (stale) return 'stale'
        if (inLines(ran, line)) return 'ran'
        return inLines(not, line) ? 'not run' : undefined
      },
      errors: said + console,
    }
  },
}

const DIFF = 'git add -AN && git diff -U0'
const isScript = ({ path }: PeerLine): boolean => path.endsWith('.js')

/** What a page is asked for: its counters, and which selectors match. */
const questionOf = ({ lines }: PeerChange): string => {
  const selectors = lines.filter((line) => !isScript(line)).map(({ text }) => text.replace(/ \{.*/, ''))
  const style = `${JSON.stringify(selectors)}.filter((one) => document.querySelector(one))`
  return `() => JSON.stringify({ ran: globalThis.ran${selectors.length > 0 ? `, style: ${style}` : ''} })`
}

/** Puts a counter before each changed line, does the flow, reads the counters, and puts back what was there. */
async function learnByCounters(
  hands: Hands,
  change: PeerChange,
  flow: Flow,
  look: (hands: Hands, question: string) => Promise<{ readonly counted: string; readonly errors: string }>,
): Promise<Known> {
  const { shell, edit, restart, apply, lineOf } = hands
  const { lines, isServer, later } = change
  shell(`${DIFF} && rm -rf ../kept && cp -r . ../kept`)
  // After the later edit it would have to do all of this again.
  const counted = later ? lines.map((line) => ({ ...line, text: later.before })) : lines
  const counters = counted.flatMap((line, index): Edit[] => {
    if (!isScript(line)) return []
    const { text } = lineOf(line)
    const counter = isServer ? `console.log('ran ${index}')` : `(globalThis.ran ??= []).push(${index})`
    return [{ path: line.path, before: text, after: `;${counter};${text}` }]
  })
  if (counters.length > 0) edit(counters)
  if (isServer) await restart(true)
  const said = await flow(hands, change)
  const seen = isServer
    ? { counted: shell('grep ^ran ../server.log'), errors: '' }
    : await look(hands, questionOf(change))
  if (counters.length > 0) shell('cp -r ../kept/. .')
  if (isServer) await restart()
  if (later) apply([later])
  const ids = isServer
    ? seen.counted.match(/\d+/g)
    : /ran\\*":\[([\d,]*)\]/.exec(seen.counted)?.[1]?.split(',')
  const hasRun = (line: PeerLine, index: number): boolean =>
    isScript(line)
      ? (ids ?? []).includes(String(index))
      : seen.counted.includes(line.text.replace(/ \{.*/, ''))
  return {
    stateOf({ path, line }) {
      const index = lines.findIndex((one) => one.path === path && lineOf(one).number === line)
      const own = lines[index]
      return own && (hasRun(own, index) ? 'ran' : 'not run')
    },
    errors: said + seen.errors,
  }
}

const look = async ({ tool }: Hands, question: string) => ({
  counted: await tool('browser_evaluate', { function: question }),
  errors: await tool('browser_console_messages', { level: 'error' }),
})

let pageId = 0

const devtoolsFlow: Flow = async ({ tool, url }, { page, acts }) => {
  let said = await tool('navigate_page', { pageId, type: 'url', url: url + page }, true)
  const needsSnapshot = acts.some((act) => !('wait' in act))
  const snapshot = needsSnapshot ? await tool('take_snapshot', { pageId }, true) : ''
  for (const act of acts) {
    const uid = 'name' in act ? find(snapshot, new RegExp(`uid=(\\w+) \\w+ "${act.name}"`)) : ''
    if ('wait' in act) said += await tool('wait_for', { pageId, text: [act.wait] }, true)
    else if ('click' in act) said += await tool('click', { pageId, uid }, true)
    else said += await tool('fill', { pageId, uid, value: act.text }, true)
  }
  return said
}

export const devtoolsWay: Way = {
  name: 'chrome-devtools-mcp',
  how: 'counters that are written into the change and taken away',
  async begin({ tool, restart }) {
    await restart(true)
    pageId = Number(find(await tool('new_page', { url: 'about:blank' }, true), /(\d+): [^\n]*\[selected\]/))
  },
  learn: (hands, change) =>
    learnByCounters(hands, change, devtoolsFlow, async ({ tool }, question) => {
      const counted = await tool('evaluate_script', { pageId, function: question })
      const list = await tool('list_console_messages', { pageId, types: ['error'] })
      const msgid = Number(find(list, /msgid=(\d+) \[error\] .*Error/))
      return { counted, errors: msgid ? await tool('get_console_message', { pageId, msgid }) : list }
    }),
}

const LISTENER =
  "globalThis.errors = []; addEventListener('error', (e) => errors.push(e.message + ' ' + e.filename + ':' + e.lineno)); 1"

const agentBrowserFlow: Flow = async ({ tool, url }, { page, acts }) => {
  let said = await tool('agent_browser_open', { url: url + page }, true)
  // None of its tools tells errors of a page.
  await tool('agent_browser_eval', { script: LISTENER })
  for (const act of acts)
    if ('wait' in act) said += await tool('agent_browser_wait_for_text', { text: act.wait }, true)
    else if ('click' in act) said += await tool('agent_browser_click', { selector: act.click }, true)
    else said += await tool('agent_browser_fill', { selector: act.type, text: act.text }, true)
  return said
}

export const agentBrowserWay: Way = {
  name: 'agent-browser',
  how: 'counters that are written into the change and taken away',
  begin: ({ restart }) => restart(true),
  learn: (hands, change) =>
    learnByCounters(hands, change, agentBrowserFlow, async ({ tool }, question) => {
      const script = `(${question.replace('{', '{ errors,')})()`
      const counted = await tool('agent_browser_eval', { script })
      return { counted, errors: counted }
    }),
}
