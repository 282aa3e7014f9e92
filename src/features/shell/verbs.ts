// The verbs: every tool under its own name, and the short names. A usage names the fields of the words after a verb.

import { extname } from 'node:path'
import { parseJson } from '../../core/base/text/json.ts'
import { tools } from '../../core/cli/tools/catalogue.ts'
import type { Tool } from '../../core/sessions/tools/tool.ts'
import { parseTarget } from './target.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What is not in the table. */
interface VerbDetails {
  readonly about?: string
  readonly fixed?: Fields
  /** Its own options: the fields that a switch sets, or the field that it is another name of. */
  readonly flags?: Readonly<Record<string, Fields | string>>
  /** The fields of the words, where they are not what their places say. */
  readonly read?: (words: readonly string[], options: Fields) => Fields
}

export interface Verb extends VerbDetails {
  /** The first one is shown. */
  readonly names: readonly string[]
  /** Those whose fields are its options. */
  readonly tools: readonly [Tool, ...Tool[]]
  /** The words after it, as its help shows them: `TARGET`, `[PATH]`, `VALUES...`. */
  readonly usage: string
  readonly about: string
  readonly examples: readonly [string, string]
}

export const findVerb = (name: string): Verb | undefined => verbsByName.get(name.replaceAll('_', '-'))

/** The fields that can be options. */
export function entriesOf({ tools }: Verb): Tool['input']['entries'] {
  const entries = Object.assign({}, ...tools.map(({ input }) => input.entries)) as Tool['input']['entries']
  // A verb of two tools opens the session, whose name is that of -s.
  const isOption = (name: string) => name !== 'sessionId' && (name !== 'name' || tools.length === 1)
  return Object.fromEntries(Object.entries(entries).filter(([name]) => isOption(name)))
}

const ofNewSession = { headed: { headless: false }, noPort: { port: 'none' } }
const opening = [tools.createSession, tools.navigate] as const

const rows: readonly Verb[] = [
  verb('open', opening, 'URL', 'https://example.org', 'localhost:5173 --device "iPhone 15"', {
    about: 'Open a page, and the session if it is not open; the options are those of a new session.',
    flags: ofNewSession,
  }),
  verb('up', opening, 'COMMAND [URL]', '"npm run dev"', '"npm run dev" /login --env NODE_ENV=test', {
    about: 'Start a dev server in a new session and open its first page.',
    flags: ofNewSession,
  }),
  verb('create-session', tools.createSession, '', '', '--browser firefox', { flags: ofNewSession }),
  verb('close', tools.closeSession, '', '', '--all', {
    about: 'Close the session and all it started, or all sessions.',
    flags: { all: { all: true } },
  }),
  verb('list', tools.listSessions, '', '', '--json'),
  verb('status', tools.getSessionStatus, '', '', '--json'),
  verb('restart', tools.restartServer, '', '', '--json'),
  verb('log', tools.readServerLogs, '[PATTERN]', '', 'error --lines 20'),
  verb('do', tools.steps, '[LINES...]', "'fill e3 ada' 'click e4' snap", '< lines.txt', {
    about:
      'Run lines, each a command without footlight, as one call that stops at the first failure. Without LINES they are read from stdin.',
  }),
  verb(
    'steps',
    tools.steps,
    'CALLS',
    `'[{"tool":"click","ref":"e4"}]'`,
    `'[{"tool":"snapshot"}]' --on-failure continue`,
  ),
  verb('goto', tools.navigate, 'URL', '/cart', 'https://example.org --wait-until commit'),
  verb('history', tools.history, 'DIRECTION', 'back', 'reload'),
  verb('back', tools.history, '', '', '--timeout 10000', { about: 'Go back.', fixed: { direction: 'back' } }),
  verb('forward', tools.history, '', '', '--timeout 10000', {
    about: 'Go forward.',
    fixed: { direction: 'forward' },
  }),
  verb('reload', tools.history, '', '', '--timeout 10000', {
    about: 'Load the page again.',
    fixed: { direction: 'reload' },
  }),
  verb('click', tools.click, 'TARGET', 'e12', `'button:"Add to cart"'`),
  verb('dblclick', tools.click, 'TARGET', 'e12', 'row:Milk', {
    about: 'Click twice.',
    fixed: { clickCount: 2 },
  }),
  verb('type', tools.type, '[TARGET] TEXT', 'e5 hello', 'hello --submit'),
  verb(
    'fill',
    tools.type,
    'TARGET TEXT [MORE...]',
    'e5 ada@example.org --submit',
    'Name Ada Email ada@example.org e9 true',
    {
      about:
        'Replace the text of a field. More pairs of TARGET and TEXT are a form: true or false for a checkbox, a label for a select.',
      fixed: { clear: true },
    },
  ),
  verb(
    'fill-form',
    tools.fillForm,
    'FIELDS',
    `'[{"ref":"e5","value":"Ada"}]'`,
    `'[{"ref":"e9","value":true}]' --submit`,
  ),
  verb('check', tools.fillForm, 'TARGET', 'e9', '"Remember me"', {
    about: 'Set a checkbox, radio button or switch.',
    fixed: { value: true },
  }),
  verb('uncheck', tools.fillForm, 'TARGET', 'e9', '"Remember me"', {
    about: 'Clear a checkbox or switch.',
    fixed: { value: false },
  }),
  verb('select', tools.select, 'TARGET VALUES...', 'e7 France', 'combobox:Size S M'),
  verb('hover', tools.hover, 'TARGET', 'e3', 'menuitem:File'),
  verb('drag', tools.drag, 'TARGET TO', 'e3 e8', 'listitem:Milk "#done"'),
  verb('press', tools.pressKey, '[TARGET] KEY', 'Enter', 'e5 Control+A'),
  verb('upload', tools.uploadFile, 'TARGET PATHS...', 'e4 photo.png', 'Photos a.png b.png'),
  verb('dialog', tools.handleDialog, 'accept|dismiss [PROMPT_TEXT]', 'accept', 'dismiss', {
    read: ([answer, promptText]) => ({
      accept: answer === 'accept' || (answer === 'dismiss' ? false : answer),
      ...(promptText !== undefined && { promptText }),
    }),
  }),
  verb('tabs', tools.tabs, '[list|new|select|close] [TAB_ID|URL]', '', 'new /help', {
    read: ([action, subject]) => ({
      ...(action !== undefined && { action }),
      ...(subject !== undefined && { [action === 'new' ? 'url' : 'tabId']: subject }),
    }),
  }),
  verb('wait', tools.waitFor, '[TEXT|TARGET]', '"Order placed"', 'e4 --is enabled', {
    about: 'Wait for a text, an element or another condition; save writes it into the test as an assertion.',
    flags: { gone: 'textGone' },
    read: ([word], options) => {
      if (word === undefined) return {}
      const { text, fields } = parseTarget(word, false)
      const isOfElement = ['is', 'value', 'count', 'aria', 'text', 'not'].some((name) => name in options)
      return text === undefined || isOfElement ? fields : { text }
    },
  }),
  verb('exists', tools.exists, 'TARGET', '"#cart"', 'row:Milk --raw'),
  verb('content', tools.getContent, '[TARGET]', '', 'main --format text'),
  verb('source', tools.getContent, 'TARGET', 'e12', '"#save"', {
    about: 'The source file and line of an element, and its locator.',
    fixed: { format: 'source' },
  }),
  verb('snap', tools.snapshot, '[TARGET]', '', 'dialog:Settings', {
    about: 'The page as text: its accessibility tree. A page above 4 KB is an outline and a file.',
  }),
  verb('find', tools.snapshot, 'PATTERN', 'checkout', "'total|price'", {
    about: 'The lines of the snapshot that match a text or a regular expression.',
    read: ([pattern = '']) => ({ pattern: searchPattern(pattern) }),
  }),
  verb('dom-snapshot', tools.domSnapshot, '[TARGET]', '', '"#menu" --max-nodes 50'),
  verb('shot', tools.screenshot, '[TARGET] [PATH]', 'page.png --full-page', 'e3 --baseline shots/card.png', {
    read: (words) => {
      const targets = PICTURE.test(words.at(-1) ?? '') || words.length > 1 ? words.slice(0, -1) : words
      const [path] = words.slice(targets.length)
      return {
        ...(targets[0] !== undefined && parseTarget(targets[0], false).fields),
        ...(path !== undefined && { path, format: formatOf(path) }),
      }
    },
  }),
  verb('eval', tools.evaluate, 'SCRIPT [TARGET]', 'document.title', "'(e) => e.value' e5 --raw"),
  verb('console', tools.consoleMessages, '[LEVEL|PATTERN]', '', 'error', {
    read: ([word]) =>
      word === undefined
        ? {}
        : { [/^(error|warn|warning|info|debug)$/.test(word) ? 'level' : 'pattern']: word },
  }),
  verb('net', tools.networkRequests, '[PATTERN|FILTER|ID] [PART]', 'failed', '31 body', {
    read: ([word, part]) => ({
      ...(word !== undefined && { [requestField(word)]: /^\d+$/.test(word) ? Number(word) : word }),
      ...(part !== undefined && { part }),
    }),
  }),
  verb('timeline', tools.timeline, '', '', '--since 120'),
  verb('handover', tools.handover, 'REASON', '"Solve the captcha"', '"Log in as Ada" --timeout 600000'),
  verb('report', tools.report, '[PATH]', '', 'reports/', {
    about:
      'Write what the session did as one HTML file, and Markdown beside it. A folder, with a slash: an index of the reports in it.',
  }),
  verb('test', tools.runTest, '[PATH]', '', 'tests/cart.spec.ts:12'),
  verb('save', tools.saveTest, 'PATH', 'tests/cart.spec.ts', 'tests/cart.spec.ts --name "buys milk" --run'),
  verb('compare', tools.compare, '[FLOW...]', '--base main / /cart', 'session --ci', {
    about:
      'What the change does for a user, against --base or where the branch began. FLOW: paths, session, or a saved test. --ci prints Markdown, and exits 1 unless it proves that what differs is in the diff.',
    flags: { ci: { ci: true } },
  }),
  verb('emulate', tools.emulate, '', '--viewport 390x844', '--color-scheme dark --offline'),
  verb('mock', tools.mock, '[URL] [STATUS|ANSWER]', '/api/price 503', `/api/price '{"json":{"price":5}}'`, {
    read: ([url, answer]) => ({
      ...(url !== undefined && { url }),
      ...(answer !== undefined && {
        answer: /^\d+$/.test(answer) ? { status: Number(answer) } : (parseJson(answer) ?? answer),
      }),
    }),
  }),
  verb(
    'storage',
    tools.storageState,
    'ACTION [PATH|NAME] [VALUE]',
    'save ada.json',
    'set theme dark --kind local',
    {
      read: ([action = '', subject, value]) => ({
        action,
        ...(subject !== undefined && { [/^(save|load)$/.test(action) ? 'path' : 'name']: subject }),
        ...(value !== undefined && { value }),
      }),
    },
  ),
  verb('mouse', tools.mouse, 'ACTION X Y [TO_X] [TO_Y]', 'click 120 80', 'wheel 400 300 --delta-y 600'),
  verb('touch', tools.touch, 'ACTION [TARGET]', 'tap e12', 'swipe e3 --delta-x -200'),
  verb('trace', tools.trace, 'ACTION', 'start', 'stop'),
  verb('pdf', tools.pdf, '[PATH]', 'page.pdf', '--raw', {
    read: ([path]) => (path === undefined ? {} : { path }),
  }),
  verb('video', tools.video, 'ACTION [PATH]', 'start', 'stop checkout.webm'),
  verb('audit', tools.audit, '', '', '--since edit'),
  verb('page-tools', tools.pageTools, '[NAME] [INPUT]', '', `add '{"a":1,"b":2}'`),
]

function verb(
  name: string,
  tool: Tool | Verb['tools'],
  usage: string,
  first: string,
  second: string,
  details: VerbDetails = {},
): Verb {
  const tools = 'name' in tool ? ([tool] as const) : tool
  const examples = [`${name} ${first}`.trim(), `${name} ${second}`.trim()] as const
  return { about: tools[0].description, ...details, names: [name], tools, usage, examples }
}

const PICTURE = /\.(png|jpe?g)$/i

/** The format of a picture by the end of its path. */
const formatOf = (path: string): string => extname(path).slice(1).toLowerCase().replace('jpg', 'jpeg')

function requestField(word: string): string {
  if (/^\d+$/.test(word)) return 'id'
  return /^(all|failed|fetch|document|script|stylesheet|image|websocket)$/.test(word) ? 'filter' : 'pattern'
}

/** What can be a regular expression is one, with or without slashes. */
function searchPattern(word: string): string {
  const pattern = /^\/(.+)\/i?$/s.exec(word)?.[1] ?? word
  try {
    return new RegExp(pattern) && pattern
  } catch {
    return pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  }
}

/** A tool without a verb of its name gives it to the first of its verbs. */
function addToolName(verb: Verb): Verb {
  const [tool] = verb.tools
  const name = tool.name.replaceAll('_', '-')
  const verbsOfTool = rows.filter(({ tools }) => tools[0] === tool)
  const isNamed = verbsOfTool.some(({ names }) => names.includes(name))
  return isNamed || verb !== verbsOfTool[0] ? verb : { ...verb, names: [...verb.names, name] }
}

export const verbs: readonly Verb[] = rows.map(addToolName)

const verbsByName: ReadonlyMap<string, Verb> = new Map(
  verbs.flatMap((verb) => verb.names.map((name) => [name, verb] as const)),
)

/** The first name of every verb. */
export const shownVerbs: readonly string[] = verbs.flatMap(({ names }) => names.slice(0, 1))

/** Every name of every verb. */
export const verbNames: readonly string[] = [...verbsByName.keys()]
