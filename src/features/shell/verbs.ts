// The verbs: every tool under its own name, and the short names. A usage names the fields of the words after a verb.

import { extname } from 'node:path'
import { mouse } from '../../core/browser/tools/pointer.ts'
import { coreTools as tools, featureParts } from '../../core/cli/tools/catalogue.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { type Verb, verb } from '../../core/tool/verb.ts'
import { parseTarget } from './target.ts'

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
  verb('mouse', mouse, 'ACTION X Y [TO_X] [TO_Y]', 'click 120 80', 'wheel 400 300 --delta-y 600'),
  ...featureParts.flatMap(({ verbs = [] }) => verbs),
]

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

export const verbNames: readonly string[] = [...verbsByName.keys()]
