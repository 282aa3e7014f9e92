import { createToolNames, type ToolNames } from '../../mcp/calls/tool-names.ts'
import { listTool, listTools } from '../../mcp/calls/tool-schema.ts'
import type { Tool } from '../../tool/tool.ts'
import { callableTools } from '../options/choose-tools.ts'
import { isSessionOptional } from '../options/option-conflicts.ts'
import type { Settings } from '../options/options.ts'
import { exitWithUsageError, printLine, printSentences } from '../terminal/output.ts'
import { everyTool } from '../tools/catalogue.ts'
import { fieldsOfSchema, tableOfFields } from './field-table.ts'

/** Prints the tools, or the one of this name, as a client would list them: as text, as JSON, or as the table of docs/tools.md. */
export function printTools(
  tools: readonly Tool[],
  settings: Settings,
  format: string,
  name: string | undefined,
): void {
  const callable = callableTools(settings.tools, tools)
  const names = createToolNames(callable, settings.names)
  const only = name === undefined ? undefined : (names.resolve(name, {})?.tool ?? findTool(name))
  if (name !== undefined && !only) return exitWithUsageError(`tools: ${describeUnknownTool(name, names)}`)
  const isOptional = isSessionOptional(settings)
  const listings = only
    ? [listTool(only, names.spell(only), isOptional)]
    : listTools({ tools, everyTool, names, isSessionOptional: isOptional })
  if (format === 'json') return printLine(JSON.stringify({ tools: listings }))
  if (format === 'markdown') return printLine(toolTable(only ? [only] : tools))
  if (only) return printSentences(listings.flatMap(describeTool).join('\n'))
  const others = callable.filter((tool) => !tools.includes(tool))
  const heading = [
    '',
    'Not listed, but called through steps; --tools +NAME lists one more, --tools all lists all:',
  ]
  const otherLines = others.length === 0 ? [] : [...heading, ...others.map(toLine)]
  return printSentences([...listings.map(toLine), ...otherLines].join('\n'))
}

function describeTool({ name, description = '', inputSchema }: ReturnType<typeof listTool>): string[] {
  const lines = tableOfFields(fieldsOfSchema(inputSchema))
  return [`${name}: ${description}`, '', ...(lines.length > 0 ? lines : ['It takes no input.'])]
}

const toLine = ({ name, description = '' }: { name: string; description?: string | undefined }): string =>
  `${name.padEnd(20)} ${description}`

/** The table of tools in docs/tools.md; a field with ? is optional. */
export function toolTable(tools: readonly Tool[]): string {
  const rows = tools.map(({ name, description, input }) => {
    const fields = Object.entries(input.entries).map(([field, schema]) =>
      schema.type === 'optional' ? `${field}?` : field,
    )
    return `| \`${name}\` | ${fields.join(' ')} | ${description.replaceAll('|', '\\|')} |`
  })
  return ['| tool | input | description |', '| --- | --- | --- |', ...rows].join('\n')
}

/** Every tool in every known spelling, also those that are not listed by default. */
export const allToolNames: ToolNames = createToolNames(everyTool, 'footlight')

export const findTool = (name: string): Tool | undefined => allToolNames.resolve(name, {})?.tool

/** What a person can do about a name that `names` do not have. */
export function describeUnknownTool(name: string, names: ToolNames): string {
  const unlisted = findTool(name)
  const closest = names.findClosest(name)
  const hint = unlisted
    ? `--tools +${unlisted.name} adds it.`
    : closest
      ? `Did you mean "${closest}"?`
      : 'footlight tools lists them.'
  return `unknown tool "${name}". ${hint}`
}
