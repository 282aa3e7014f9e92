// The help of one verb, and the page that explains all of them to an agent.

import { type FieldRow, fieldsOfSchema, tableOfFields } from '../../core/cli/commands/field-table.ts'
import { toKebabCase } from '../../core/cli/options/option-names.ts'
import { listTool } from '../../core/mcp/calls/tool-schema.ts'
import type { Verb } from '../../core/tool/verb.ts'
import { type FieldKind, kindOfField } from '../lib/calls/read-field.ts'
import { fieldsOfPlace } from './read-words.ts'
import { entriesOf } from './verbs.ts'

export function verbHelp(verb: Verb): string {
  const { names, usage, about, examples } = verb
  const [name = '', ...otherNames] = names
  return [
    about,
    '',
    `Usage: footlight [-s NAME] ${[name, usage].filter(Boolean).join(' ')} [OPTIONS]`,
    ...(otherNames.length > 0 ? [`Also: ${otherNames.join(', ')}`] : []),
    ...(/\bTARGET\b/.test(usage) ? [TARGET_NOTE] : []),
    '',
    'Options',
    ...tableOfFields(optionsOfVerb(verb)),
    '',
    'Examples',
    ...examples.map((example) => `  footlight ${example}`),
  ].join('\n')
}

/** Its options, also those of all verbs; the type of a switch is empty. */
export const optionsOfVerb = (verb: Verb): readonly FieldRow[] => [
  ...fieldRowsOf(verb),
  ...Object.entries(verb.flags ?? {}).map(flagRow),
  ...commonRows,
]

// --- internal ---

const TARGET_NOTE =
  'TARGET: a ref (e12), role:name (button:Save), a selector (#save, //button, getByRole(…)) or a text; quotes in it (\'"Save"\') make a text exact.'

const commonRows: readonly FieldRow[] = [
  { name: '--json', type: '', about: 'Print the data as one line of JSON' },
  { name: '--raw', type: '', about: 'Print the value alone' },
]

function fieldRowsOf(verb: Verb): readonly FieldRow[] {
  const rows = verb.tools.flatMap((tool) => fieldsOfSchema(listTool(tool, tool.name, true).inputSchema))
  const entries = entriesOf(verb)
  const places = verb.read ? [] : verb.usage.split(' ').flatMap(fieldsOfPlace)
  return Object.entries(entries).flatMap(([name, schema]) => {
    // Of two tools the one that runs last has the field.
    const row = rows.findLast((one) => one.name === name)
    if (!row || places.includes(name) || name in (verb.fixed ?? {})) return []
    const type =
      name === 'storageState' && verb.tools.length > 1 ? 'FILE' : typeOf(row.type, kindOfField(schema))
    return [{ ...row, name: `--${toKebabCase(name)}`, type }]
  })
}

function typeOf(type: string, kind: FieldKind): string {
  if (kind === 'switch') return ''
  return kind === 'record' ? 'NAME=VALUE' : type === 'object' ? 'JSON' : type
}

const flagRow = ([name, value]: readonly [string, unknown]): FieldRow => ({
  name: `--${toKebabCase(name)}`,
  type: typeof value === 'string' ? 'string' : '',
  about: typeof value === 'string' ? `The same as --${toKebabCase(value)}` : '',
})
