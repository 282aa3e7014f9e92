// The verbs: every tool under its own name, and the short names. A usage names the fields of the words after a verb.

import { extname } from 'node:path'
import { parseTarget } from './target.ts'
import { parseJson } from '../../core/text/json.ts'
import { everyTool } from '../../tools/catalogue.ts'
import type { Tool } from '../../tools/define/tool.ts'

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

// Names; tools; words or -; two examples.
const TABLE = `
open ; create_session navigate ; URL ; open https://example.org ; open localhost:5173 --device "iPhone 15"
up ; create_session navigate ; COMMAND [URL] ; up "npm run dev" ; up "npm run dev" /login --env NODE_ENV=test
create-session ; create_session ; - ; create-session ; create-session --browser firefox
close close-session ; close_session ; - ; close ; close --all
list list-sessions ; list_sessions ; - ; list ; list --json
status get-session-status ; get_session_status ; - ; status ; status --json
restart restart-server ; restart_server ; - ; restart ; restart --json
log read-server-logs ; read_server_logs ; [PATTERN] ; log ; log error --lines 20
do ; steps ; [LINES...] ; do 'fill e3 ada' 'click e4' snap ; do < lines.txt
steps ; steps ; CALLS ; steps '[{"tool":"click","ref":"e4"}]' ; steps '[{"tool":"snapshot"}]' --on-failure continue
goto navigate ; navigate ; URL ; goto /cart ; goto https://example.org --wait-until commit
history ; history ; DIRECTION ; history back ; history reload
back ; history ; - ; back ; back --timeout 10000
forward ; history ; - ; forward ; forward --timeout 10000
reload ; history ; - ; reload ; reload --timeout 10000
click ; click ; TARGET ; click e12 ; click 'button:"Add to cart"'
dblclick ; click ; TARGET ; dblclick e12 ; dblclick row:Milk
type ; type ; [TARGET] TEXT ; type e5 hello ; type hello --submit
fill ; type ; TARGET TEXT [MORE...] ; fill e5 ada@example.org --submit ; fill Name Ada Email ada@example.org e9 true
fill-form ; fill_form ; FIELDS ; fill-form '[{"ref":"e5","value":"Ada"}]' ; fill-form '[{"ref":"e9","value":true}]' --submit
check ; fill_form ; TARGET ; check e9 ; check "Remember me"
uncheck ; fill_form ; TARGET ; uncheck e9 ; uncheck "Remember me"
select ; select ; TARGET VALUES... ; select e7 France ; select combobox:Size S M
hover ; hover ; TARGET ; hover e3 ; hover menuitem:File
drag ; drag ; TARGET TO ; drag e3 e8 ; drag listitem:Milk "#done"
press press-key ; press_key ; [TARGET] KEY ; press Enter ; press e5 Control+A
upload upload-file ; upload_file ; TARGET PATHS... ; upload e4 photo.png ; upload Photos a.png b.png
dialog handle-dialog ; handle_dialog ; accept|dismiss [PROMPT_TEXT] ; dialog accept ; dialog dismiss
tabs ; tabs ; [list|new|select|close] [TAB_ID|URL] ; tabs ; tabs new /help
wait wait-for ; wait_for ; [TEXT|TARGET] ; wait "Order placed" ; wait e4 --is enabled
exists ; exists ; TARGET ; exists "#cart" ; exists row:Milk --raw
content get-content ; get_content ; [TARGET] ; content ; content main --format text
source ; get_content ; TARGET ; source e12 ; source "#save"
snap snapshot ; snapshot ; [TARGET] ; snap ; snap dialog:Settings
find ; snapshot ; PATTERN ; find checkout ; find 'total|price'
dom-snapshot ; dom_snapshot ; [TARGET] ; dom-snapshot ; dom-snapshot "#menu" --max-nodes 50
shot screenshot ; screenshot ; [TARGET] [PATH] ; shot page.png --full-page ; shot e3 --baseline shots/card.png
eval evaluate ; evaluate ; SCRIPT [TARGET] ; eval document.title ; eval '(e) => e.value' e5 --raw
console console-messages ; console_messages ; [LEVEL|PATTERN] ; console ; console error
net network-requests ; network_requests ; [PATTERN|FILTER|ID] [PART] ; net failed ; net 31 body
timeline ; timeline ; - ; timeline ; timeline --since 120
handover ; handover ; REASON ; handover "Solve the captcha" ; handover "Log in as Ada" --timeout 600000
report ; report ; [PATH] ; report ; report reports/
test run-test ; run_test ; [PATH] ; test ; test tests/cart.spec.ts:12
save save-test ; save_test ; PATH ; save tests/cart.spec.ts ; save tests/cart.spec.ts --name "buys milk" --run
compare ; compare ; [FLOW...] ; compare --base main / /cart ; compare session --ci
emulate ; emulate ; - ; emulate --viewport 390x844 ; emulate --color-scheme dark --offline
mock ; mock ; [URL] [STATUS|ANSWER] ; mock /api/price 503 ; mock /api/price '{"json":{"price":5}}'
storage storage-state ; storage_state ; ACTION [PATH|NAME] [VALUE] ; storage save ada.json ; storage set theme dark --kind local
mouse ; mouse ; ACTION X Y [TO_X] [TO_Y] ; mouse click 120 80 ; mouse wheel 400 300 --delta-y 600
touch ; touch ; ACTION [TARGET] ; touch tap e12 ; touch swipe e3 --delta-x -200
trace ; trace ; ACTION ; trace start ; trace stop
pdf ; pdf ; [PATH] ; pdf page.pdf ; pdf --raw
video ; video ; ACTION [PATH] ; video start ; video stop checkout.webm
audit ; audit ; - ; audit ; audit --since edit
page-tools ; page_tools ; [NAME] [INPUT] ; page-tools ; page-tools add '{"a":1,"b":2}'`

const ofNewSession = { headed: { headless: false }, noPort: { port: 'none' } }

const details: Readonly<Record<string, VerbDetails>> = {
  open: {
    about: 'Open a page, and the session if it is not open; the options are those of a new session.',
    flags: ofNewSession,
  },
  up: { about: 'Start a dev server in a new session and open its first page.', flags: ofNewSession },
  'create-session': { flags: ofNewSession },
  close: { about: 'Close the session and all it started, or all sessions.', flags: { all: { all: true } } },
  do: {
    about:
      'Run lines, each a command without footlight, as one call that stops at the first failure. Without LINES they are read from stdin.',
  },
  back: { about: 'Go back.', fixed: { direction: 'back' } },
  forward: { about: 'Go forward.', fixed: { direction: 'forward' } },
  reload: { about: 'Load the page again.', fixed: { direction: 'reload' } },
  dblclick: { about: 'Click twice.', fixed: { clickCount: 2 } },
  fill: {
    about:
      'Replace the text of a field. More pairs of TARGET and TEXT are a form: true or false for a checkbox, a label for a select.',
    fixed: { clear: true },
  },
  check: { about: 'Set a checkbox, radio button or switch.', fixed: { value: true } },
  uncheck: { about: 'Clear a checkbox or switch.', fixed: { value: false } },
  source: { about: 'The source file and line of an element, and its locator.', fixed: { format: 'source' } },
  dialog: {
    read: ([answer, promptText]) => ({
      accept: answer === 'accept' || (answer === 'dismiss' ? false : answer),
      ...(promptText !== undefined && { promptText }),
    }),
  },
  tabs: {
    read: ([action, subject]) => ({
      ...(action !== undefined && { action }),
      ...(subject !== undefined && { [action === 'new' ? 'url' : 'tabId']: subject }),
    }),
  },
  wait: {
    about: 'Wait for a text, an element or another condition; save writes it into the test as an assertion.',
    flags: { gone: 'textGone' },
    read: ([word], options) => {
      if (word === undefined) return {}
      const { text, fields } = parseTarget(word, false)
      const isOfElement = ['is', 'value', 'count', 'aria', 'text', 'not'].some((name) => name in options)
      return text === undefined || isOfElement ? fields : { text }
    },
  },
  snap: { about: 'The page as text: its accessibility tree. A page above 4 KB is an outline and a file.' },
  find: {
    about: 'The lines of the snapshot that match a text or a regular expression.',
    read: ([pattern = '']) => ({ pattern: searchPattern(pattern) }),
  },
  shot: {
    read: (words) => {
      const targets = PICTURE.test(words.at(-1) ?? '') || words.length > 1 ? words.slice(0, -1) : words
      const [path] = words.slice(targets.length)
      return {
        ...(targets[0] !== undefined && parseTarget(targets[0], false).fields),
        ...(path !== undefined && { path, format: formatOf(path) }),
      }
    },
  },
  pdf: { read: ([path]) => (path === undefined ? {} : { path }) },
  console: {
    read: ([word]) =>
      word === undefined
        ? {}
        : { [/^(error|warn|warning|info|debug)$/.test(word) ? 'level' : 'pattern']: word },
  },
  net: {
    read: ([word, part]) => ({
      ...(word !== undefined && { [requestField(word)]: /^\d+$/.test(word) ? Number(word) : word }),
      ...(part !== undefined && { part }),
    }),
  },
  compare: {
    about:
      'What the change does for a user, against --base or where the branch began. FLOW: paths, session, or a saved test. --ci prints Markdown, and exits 1 unless it proves that what differs is in the diff.',
    flags: { ci: { ci: true } },
  },
  report: {
    about:
      'Write what the session did as one HTML file, and Markdown beside it. A folder, with a slash: an index of the reports in it.',
  },
  mock: {
    read: ([url, answer]) => ({
      ...(url !== undefined && { url }),
      ...(answer !== undefined && {
        answer: /^\d+$/.test(answer) ? { status: Number(answer) } : (parseJson(answer) ?? answer),
      }),
    }),
  },
  storage: {
    read: ([action = '', subject, value]) => ({
      action,
      ...(subject !== undefined && { [/^(save|load)$/.test(action) ? 'path' : 'name']: subject }),
      ...(value !== undefined && { value }),
    }),
  },
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

function verbOfRow(row: string): Verb {
  const [names = '', toolNames = '', usage = '', ...examples] = row.split(' ; ')
  const [name = '', ...otherNames] = names.split(' ')
  const [tool, ...others] = toolNames
    .split(' ')
    .flatMap((one) => everyTool.filter((candidate) => candidate.name === one))
  if (!tool) throw new Error(`${name}: there is no tool ${toolNames}`)
  return {
    about: tool.description,
    ...details[name],
    names: [name, ...otherNames],
    tools: [tool, ...others],
    usage: usage === '-' ? '' : usage,
    examples: examples as unknown as [string, string],
  }
}

/** The verb of a tool without a row: its words are the fields that it requires. */
function verbOfTool({ name, input }: Tool): Verb {
  const required = Object.keys(input.entries).filter((field) => input.entries[field]?.type !== 'optional')
  const usage = required.map((field) => field.replace(/[A-Z]/g, '_$&').toUpperCase()).join(' ')
  const verb = name.replaceAll('_', '-')
  return verbOfRow([verb, name, usage || '-', verb, `${verb} --json`].join(' ; '))
}

const tableVerbs = TABLE.trim().split('\n').map(verbOfRow)
const tableNames = new Set(tableVerbs.flatMap(({ names }) => names))

export const verbs: readonly Verb[] = [
  ...tableVerbs,
  ...everyTool.filter(({ name }) => !tableNames.has(name.replaceAll('_', '-'))).map(verbOfTool),
]

const verbsByName: ReadonlyMap<string, Verb> = new Map(
  verbs.flatMap((verb) => verb.names.map((name) => [name, verb] as const)),
)

/** The first name of every verb. */
export const shownVerbs: readonly string[] = verbs.flatMap(({ names }) => names.slice(0, 1))

/** Every name of every verb. */
export const verbNames: readonly string[] = [...verbsByName.keys()]
