// docs/tools.md: every tool with its input and its result, from the catalogue.

import { toJsonSchema } from '@valibot/to-json-schema'
import { toolTable } from '../../src/core/cli/commands/print-tools.ts'
import { coreToolNames, defaultTools, everyTool } from '../../src/core/cli/tools/catalogue.ts'
import { listTool } from '../../src/core/mcp/calls/tool-schema.ts'
import type { Tool } from '../../src/core/tool/tool.ts'
import { cell, table } from './markdown.ts'
import { kindOf, type Schema } from './schema.ts'
import { wordsFor } from './words.ts'

interface Fields {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export function toolsPage(): string {
  return [
    '# Tools',
    '`footlight tools NAME` and `footlight help VERB` print what stands here; `footlight tools --json` prints all tools as a client sees them.',
    'A client sees what most tasks need; the tools marked with a `+` are called through [`steps`](#steps), whose description names them, and a wrong call answers their fields. `--tools +mouse` lists one more, `--tools all` lists all, `--tools core` only those marked *core*.',
    'Other spellings work too: case, `_`, `.`, `-` and a leading `browser` are ignored (`browser.goto`, `createSession`, `browser_click`), and `--names session|e2e|browser` lists one naming style instead.',
    'A successful result has these fields as structured content; a result with an image has them as JSON text instead. The text of other results is for models: short lines without what the caller sent itself or was told before (its parameters, the URL that it asked for, the values that it entered), and without empty fields. URLs of the same origin as the page are shortened to their path. A failure has a record instead: [failures.md](failures.md). To target an element, pass either `selector` or `ref`. Times are Unix milliseconds, durations milliseconds.',
    'Every tool that works in a session takes `sessionId`: the name or id of a session, at most 200 characters; default: the only open one. It is required with `--names session`, `e2e` and `browser`.',
    'A result may also have `notes` (page events such as a download or a new tab, and errors: those that an action caused, and `since the last call:` those that came before it) and `dialog` (an open alert, confirm or prompt; see `handle_dialog`).',
    toolTable(everyTool).replaceAll('<', '\\<'),
    sharedSection(),
    ...everyTool.map(toolSection),
  ].join('\n\n')
}

function toolSection(tool: Tool): string {
  const { annotations = {} } = listTool(tool, tool.name, false)
  const hints = [
    annotations.readOnlyHint ? 'read-only' : '',
    annotations.destructiveHint ? 'destructive' : '',
    annotations.idempotentHint ? 'idempotent' : '',
    annotations.openWorldHint ? 'open world' : '',
    coreToolNames.includes(tool.name) ? '*core*' : '',
    defaultTools.includes(tool) ? '' : `*+${tool.name}*`,
  ].filter(Boolean)
  return [
    `## ${tool.name}`,
    `**${tool.title}**${hints.map((hint) => `, ${hint}`).join('')}.`,
    parameterSection(tool),
    resultSection(tool),
  ].join('\n\n')
}

const fieldsOf = (schema: Tool['input'] | Tool['output']): Fields =>
  toJsonSchema(schema, {
    typeMode: 'input',
    target: 'draft-2020-12',
    errorMode: 'ignore',
    // Patterns that have words are not repeated for each field.
    overrideAction({ valibotAction, jsonSchema: { pattern: _, ...rest } }) {
      return 'message' in valibotAction && valibotAction.message !== undefined ? rest : undefined
    },
  }) as Fields

/** The mark stands behind the name: `!` for a parameter that is required, `?` for a result that may be missing. */
type Row = readonly [name: string, mark: string, ...cells: string[]]

function parameterRows(tool: Tool): Row[] {
  const { properties = {}, required = [] } = fieldsOf(tool.input)
  const own = Object.entries(properties).filter(([name]) => name !== 'sessionId')
  return own.map(([name, schema]) => {
    const defaultNote = schema.default === undefined ? '' : `; default \`${JSON.stringify(schema.default)}\``
    return [
      `\`${name}\``,
      required.includes(name) ? '!' : '',
      cell(kindOf(schema) + defaultNote),
      cell(wordsFor(tool.name, name) ?? schema.description ?? ''),
    ]
  })
}

function resultRows(tool: Tool): Row[] {
  const { properties = {}, required = [] } = fieldsOf(tool.output)
  return Object.entries(properties).map(([name, schema]) => {
    const changesNote =
      name === 'changes' ? '; changes of the page since the last snapshot, after the first one' : ''
    return [`\`${name}\``, required.includes(name) ? '' : '?', cell(kindOf(schema) + changesNote)]
  })
}

// What is the same in this many tools is said once.
const SHARED_COUNT = 3

function findShared(rowsOf: (tool: Tool) => readonly Row[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const row of everyTool.flatMap(rowsOf)) counts.set(keyOf(row), (counts.get(keyOf(row)) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count >= SHARED_COUNT).map(([key]) => key))
}

// The mark is said where the field stands.
const keyOf = ([name, , ...cells]: Row): string => [name, ...cells].join(' | ')

const sharedParameters = findShared(parameterRows)
const sharedResults = findShared(resultRows)

const PARAMETER_HEAD = ['parameter', 'type', 'description']
const RESULT_HEAD = ['result', 'type']

function sharedSection(): string {
  const tableOf = (head: readonly string[], keys: ReadonlySet<string>) =>
    table(
      head,
      [...keys].toSorted().map((key) => key.split(' | ')),
    )
  return [
    '## Fields that several tools have',
    'They are named below each table of a tool. A parameter that is required is marked with `!`, a result that may be missing with `?`.',
    tableOf(PARAMETER_HEAD, sharedParameters),
    tableOf(RESULT_HEAD, sharedResults),
  ].join('\n\n')
}

function section(head: readonly string[], rows: readonly Row[], shared: ReadonlySet<string>): string {
  const own = rows.filter((row) => !shared.has(keyOf(row)))
  const others = rows.filter((row) => shared.has(keyOf(row)))
  const names = others.map(([name, mark]) => `${name}${mark}`)
  const marked = own.map(([name, mark, ...cells]) => [`${name}${mark}`, ...cells])
  return [
    ...(marked.length > 0 ? [table(head, marked)] : []),
    ...(names.length > 0
      ? [`${head === PARAMETER_HEAD ? 'Parameters' : 'Results'} as elsewhere: ${names.join(', ')}.`]
      : []),
  ].join('\n\n')
}

function parameterSection(tool: Tool): string {
  const rows = parameterRows(tool)
  return rows.length === 0 ? 'No parameters.' : section(PARAMETER_HEAD, rows, sharedParameters)
}

function resultSection(tool: Tool): string {
  const image = 'The result contains the image, and these fields as JSON text; it has no structured content.'
  const fields = section(RESULT_HEAD, resultRows(tool), sharedResults)
  return tool.showsImage ? `${image}\n\n${fields}` : fields
}
