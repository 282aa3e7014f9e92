// Finds the tool of a called name. Names and top-level fields are compared without case, separators and a leading `browser`; other names
// are in the table of synonyms, whose rows may rename fields and set fixed values. A client sees one entry per tool; a dialect changes only
// how the entries are spelled.

import { findClosestName } from '../../base/text/closest-name.ts'
import type { Tool } from '../../tool/tool.ts'

export type Dialect = 'footlight' | 'session' | 'e2e' | 'browser'

interface Synonym {
  readonly name: string
  readonly tool: string
  readonly rename?: Readonly<Record<string, string>>
  readonly fixed?: Readonly<Record<string, unknown>>
}

export const synonyms: readonly Synonym[] = [
  { name: 'startSession', tool: 'create_session' },
  { name: 'newSession', tool: 'create_session' },
  { name: 'openSession', tool: 'create_session' },
  { name: 'endSession', tool: 'close_session' },
  { name: 'stopSession', tool: 'close_session' },
  { name: 'sessions', tool: 'list_sessions' },
  { name: 'sessionStatus', tool: 'get_session_status' },
  { name: 'goto', tool: 'navigate' },
  { name: 'open', tool: 'navigate' },
  { name: 'waitForSelector', tool: 'wait_for' },
  { name: 'wait', tool: 'wait_for' },
  { name: 'takeScreenshot', tool: 'screenshot' },
  { name: 'takeSnapshot', tool: 'snapshot' },
  { name: 'ariaSnapshot', tool: 'snapshot' },
  { name: 'evaluateScript', tool: 'evaluate', rename: { function: 'script' } },
  { name: 'network.getRecent', tool: 'network_requests' },
  { name: 'getNetworkRequests', tool: 'network_requests' },
  { name: 'networkLogs', tool: 'network_requests' },
  { name: 'console.getRecent', tool: 'console_messages' },
  { name: 'getConsoleMessages', tool: 'console_messages' },
  { name: 'consoleLogs', tool: 'console_messages' },
  { name: 'goBack', tool: 'history', fixed: { direction: 'back' } },
  { name: 'goForward', tool: 'history', fixed: { direction: 'forward' } },
  { name: 'reload', tool: 'history', fixed: { direction: 'reload' } },
  { name: 'back', tool: 'history', fixed: { direction: 'back' } },
  { name: 'forward', tool: 'history', fixed: { direction: 'forward' } },
  { name: 'navigateBack', tool: 'history', fixed: { direction: 'back' } },
  { name: 'navigateForward', tool: 'history', fixed: { direction: 'forward' } },
  { name: 'press', tool: 'press_key' },
  { name: 'selectOption', tool: 'select' },
  { name: 'fileUpload', tool: 'upload_file' },
  { name: 'newPage', tool: 'tabs', fixed: { action: 'new' } },
  { name: 'newTab', tool: 'tabs', fixed: { action: 'new' } },
  { name: 'savePdf', tool: 'pdf' },
  { name: 'getText', tool: 'get_content', fixed: { format: 'text' } },
  { name: 'getHtml', tool: 'get_content', fixed: { format: 'html' } },
  { name: 'mouseClickXy', tool: 'mouse', fixed: { action: 'click' } },
  { name: 'mouseMoveXy', tool: 'mouse', fixed: { action: 'move' } },
  {
    name: 'mouseDragXy',
    tool: 'mouse',
    rename: { startX: 'x', startY: 'y', endX: 'toX', endY: 'toY' },
    fixed: { action: 'drag' },
  },
  { name: 'clickAt', tool: 'mouse', fixed: { action: 'click' } },
  { name: 'fill', tool: 'type', rename: { value: 'text' }, fixed: { clear: true } },
]

/** Names of other servers whose calls no tool can take as they are, with what does the same. */
const hints: readonly (readonly [names: readonly string[], hint: string])[] = [
  [
    ['close', 'closePage', 'quit'],
    'close_session ends the session with its dev server; tabs with action close closes one tab.',
  ],
  [['resize', 'resizePage', 'setViewportSize'], 'emulate sets it: {viewport: {width, height}}.'],
  [
    ['scroll', 'scrollTo', 'mouseWheel', 'scrollIntoView'],
    'Actions scroll to their element by themselves; press_key scrolls the page with PageDown or End, evaluate with scrollTo(0, y).',
  ],
]

const hintsByName: ReadonlyMap<string, string> = new Map(
  hints.flatMap(([names, hint]) => names.map((name) => [name.toLowerCase(), hint] as const)),
)

/** What does the same as a tool of another server; undefined for other names. */
export const hintFor = (name: string): string | undefined => hintsByName.get(normalizeToolName(name))

/** The names of tools in each dialect: exceptions, and a conversion for all other names. */
const spellings: Record<
  Exclude<Dialect, 'footlight'>,
  { convert: (name: string) => string; exceptions: Readonly<Record<string, string>> }
> = {
  session: { convert: (name) => name, exceptions: {} },
  e2e: {
    convert: toCamelCase,
    exceptions: { create_session: 'startSession', close_session: 'endSession', wait_for: 'waitForSelector' },
  },
  browser: {
    convert: (name) => `browser.${toCamelCase(name)}`,
    exceptions: {
      navigate: 'browser.goto',
      network_requests: 'browser.network.getRecent',
      console_messages: 'browser.console.getRecent',
    },
  },
}

interface ResolvedCall {
  readonly tool: Tool
  readonly input: Record<string, unknown>
}

export interface ToolNames {
  /** Finds the tool of a name and converts the input to the tool's own field names; undefined for an unknown name. */
  resolve(name: string, input: Readonly<Record<string, unknown>>): ResolvedCall | undefined
  findClosest(name: string): string | undefined
  /** The name under which a tool is listed. */
  spell(tool: Tool): string
}

// No tool and no field has a longer name.
const TOOL_NAME_LIMIT_CHARS = 100

/** Removes case and separators, from the name of a tool also a leading `browser`. */
const normalizeFieldName = (name: string): string =>
  name.length > TOOL_NAME_LIMIT_CHARS ? name : name.toLowerCase().replace(/[_.-]/g, '')
const normalizeToolName = (name: string): string => normalizeFieldName(name).replace(/^browser(?=.)/, '')

/** Builds the index of all names. Throws if a name would mean two tools, which is a bug in the table. */
export function createToolNames(tools: readonly Tool[], dialect: Dialect): ToolNames {
  const toolsByName = new Map(tools.map((tool) => [tool.name, tool]))
  const index = new Map<string, { tool: Tool; synonym?: Synonym }>()
  const add = (name: string, entry: { tool: Tool; synonym?: Synonym }) => {
    const key = normalizeToolName(name)
    const existing = index.get(key)
    if (existing && existing.tool !== entry.tool)
      throw new Error(`"${name}" means ${existing.tool.name} and ${entry.tool.name}`)
    if (!existing) index.set(key, entry)
  }
  for (const tool of tools) add(tool.name, { tool })
  for (const synonym of synonyms) {
    const tool = toolsByName.get(synonym.tool)
    if (tool) add(synonym.name, { tool, synonym })
  }
  const spell = ({ name }: Tool): string => {
    if (dialect === 'footlight') return name
    const { convert, exceptions } = spellings[dialect]
    return exceptions[name] ?? convert(name)
  }
  return {
    resolve(name, input) {
      const entry = index.get(normalizeToolName(name))
      return entry && { tool: entry.tool, input: renameFields(entry.tool, input, entry.synonym) }
    },
    findClosest: (name) => findClosestName(name, tools.map(spell)),
    spell,
  }
}

// --- internal ---

function toCamelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}

// Renames top-level fields only. An unknown field keeps its name, so that the schema refuses it by that name.
function renameFields(
  tool: Tool,
  input: Readonly<Record<string, unknown>>,
  synonym?: Synonym,
): Record<string, unknown> {
  const fields = new Map(Object.keys(tool.input.entries).map((field) => [normalizeFieldName(field), field]))
  const renames = new Map(
    Object.entries(synonym?.rename ?? {}).map(([from, to]) => [normalizeFieldName(from), to]),
  )
  const entries = Object.entries(input).map(([field, value]) => {
    const key = normalizeFieldName(field)
    return [renames.get(key) ?? fields.get(key) ?? field, value] as const
  })
  return { ...synonym?.fixed, ...Object.fromEntries(entries) }
}
