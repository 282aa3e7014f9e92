// The help of one verb, and the page that explains all of them to an agent.

import { fieldsOfSchema, tableOfFields, type FieldRow } from './field-table.ts'
import { entriesOf, type Verb } from './verbs.ts'
import { toKebabCase } from '../options/options.ts'
import { listTool } from '../../mcp/calls/tool-schema.ts'

export function verbHelp(verb: Verb): string {
  const { names, usage, about, examples, flags = {} } = verb
  const [name = '', ...otherNames] = names
  const options = [...fieldRowsOf(verb), ...Object.entries(flags).map(flagRow), ...commonRows]
  return [
    about,
    '',
    `Usage: footlight [-s NAME] ${[name, usage].filter(Boolean).join(' ')} [OPTIONS]`,
    ...(otherNames.length > 0 ? [`Also: ${otherNames.join(', ')}`] : []),
    ...(/\bTARGET\b/.test(usage) ? [TARGET_NOTE] : []),
    '',
    'Options',
    ...tableOfFields(options),
    '',
    'Examples',
    ...examples.map((example) => `  footlight ${example}`),
  ].join('\n')
}

// --- internal ---

const TARGET_NOTE =
  'TARGET: a ref (e12), role:name (button:Save), a selector (#save, //button, getByRole(…)) or a text; quotes in it (\'"Save"\') make a text exact.'

const commonRows: readonly FieldRow[] = [
  { name: '--json', type: '', about: 'Print the data as one line of JSON' },
  { name: '--raw', type: '', about: 'Print the value alone' },
]

function fieldRowsOf(verb: Verb): readonly FieldRow[] {
  const rows = verb.tools.flatMap((tool) => fieldsOfSchema(listTool(tool, tool.name, true).inputSchema))
  const ownNames = Object.keys(entriesOf(verb)).filter((name) => !(name in (verb.fixed ?? {})))
  return ownNames.flatMap((name) => {
    // Of two tools the one that runs last has the field.
    const row = rows.findLast((one) => one.name === name)
    return row
      ? [{ ...row, name: `--${toKebabCase(name)}`, type: row.type === 'boolean' ? '' : row.type }]
      : []
  })
}

const flagRow = ([name, value]: readonly [string, unknown]): FieldRow => ({
  name: `--${name}`,
  type: typeof value === 'string' ? 'string' : '',
  about: typeof value === 'string' ? `The same as --${toKebabCase(value)}` : '',
})
