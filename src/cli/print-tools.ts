import { printLine } from './output.ts'
import { isSessionOptional } from './options/option-conflicts.ts'
import type { Settings } from './options/options.ts'
import { listOtherGroups } from './serve/choose-tools.ts'
import { createToolNames } from '../mcp/calls/tool-names.ts'
import { listTool } from '../mcp/calls/tool-schema.ts'
import type { Tool } from '../tools/define/tool.ts'

/** Prints the tools as a client would list them: as text, as JSON, or as the table of docs/tools.md. */
export async function printTools(tools: readonly Tool[], settings: Settings, format: string): Promise<void> {
  const names = createToolNames(tools, settings.names)
  const isOptional = isSessionOptional(settings)
  const listings = tools.map((tool) => listTool(tool, names.spell(tool), isOptional))
  if (format === 'json') return printLine(JSON.stringify({ tools: listings }))
  if (format === 'markdown') return printLine(toolTable(tools))
  printLine(listings.map(toLine).join('\n'))
  for (const [group, groupTools] of listOtherGroups(tools)) {
    printLine(`\nWith +${group} in --tools:`)
    printLine(groupTools.map(toLine).join('\n'))
  }
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
