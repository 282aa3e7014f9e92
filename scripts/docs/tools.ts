// docs/tools.md: every tool with its input and its answer, from the catalogue.

import { shapes } from '../../src/tools/define/fields.ts'
import { toJsonSchema } from '@valibot/to-json-schema'
import { cell, table } from './markdown.ts'
import { kindOf, type Schema } from './schema.ts'
import { wordsFor } from './words.ts'
import { listTool } from '../../src/mcp/calls/tool-schema.ts'
import { catalogue, core } from '../../src/tools/catalogue.ts'
import type { Tool } from '../../src/tools/define/tool.ts'

interface Fields {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export function toolsPage(): string {
  const list = catalogue.map(({ name }) => `[\`${name}\`](#${name})`).join(' · ')
  return [
    '# Tools',
    'Every tool that Footlight has. `footlight tools --json` prints the same as a client sees it. Those marked *core* are listed with `--tools core`.',
    'A success carries these fields as structured content, and the same as JSON text; an answer with a picture has them as text alone. A failure carries a record instead: [failures.md](failures.md). Where an element is meant, give `selector` or `ref`, not both. Times are Unix milliseconds, durations milliseconds.',
    'An answer may also have `notes` (what the page did by itself, such as a download or a new tab, and after an action what went wrong because of it) and `dialog` (an alert, confirm or prompt that waits for `handle_dialog`).',
    list,
    ...catalogue.map(section),
  ].join('\n\n')
}

function section(tool: Tool): string {
  const { annotations = {} } = listTool(tool, tool.name, false)
  const hints = [
    annotations.readOnlyHint ? 'read-only' : '',
    annotations.destructiveHint ? 'destructive' : '',
    annotations.idempotentHint ? 'idempotent' : '',
    annotations.openWorldHint ? 'open world' : '',
    core.includes(tool.name) ? '*core*' : '',
  ].filter(Boolean)
  return [
    `## ${tool.name}`,
    `**${tool.title}.** ${tool.description.replaceAll('<', '\\<')}`,
    `Annotations: ${hints.join(', ') || 'none'}.`,
    parameters(tool),
    answer(tool),
  ].join('\n\n')
}

const fieldsOf = (schema: Tool['input'] | Tool['output']): Fields =>
  toJsonSchema(schema, {
    typeMode: 'input',
    target: 'draft-2020-12',
    errorMode: 'ignore',
    // What every text must keep to is not worth a word at each.
    overrideAction({ valibotAction, jsonSchema: { pattern: _, ...rest } }) {
      return 'requirement' in valibotAction && shapes.has(valibotAction.requirement) ? rest : undefined
    },
  }) as Fields

function parameters(tool: Tool): string {
  const { properties = {}, required = [] } = fieldsOf(tool.input)
  const rows = Object.entries(properties).map(([name, schema]) => {
    const standard = schema.default === undefined ? '' : `; default \`${JSON.stringify(schema.default)}\``
    const need = required.includes(name) ? 'yes' : 'no'
    return [
      `\`${name}\``,
      need,
      cell(kindOf(schema) + standard),
      cell(schema.description ?? wordsFor(tool.name, name) ?? ''),
    ]
  })
  return rows.length === 0 ? 'No parameters.' : table(['parameter', 'required', 'type', 'what it is'], rows)
}

function answer(tool: Tool): string {
  const { properties = {}, required = [] } = fieldsOf(tool.output)
  const image = 'The picture is in the answer, and these fields are its text; it has no structured content.'
  const rows = Object.entries(properties).map(([name, schema]) => {
    const about =
      name === 'changes' ? '; what changed on the page since the last snapshot, once there was one' : ''
    return [`\`${name}\``, required.includes(name) ? 'yes' : 'no', cell(kindOf(schema) + about)]
  })
  const fields = table(['answer', 'always', 'type'], rows)
  return tool.showsImage ? `${image}\n\n${fields}` : fields
}
