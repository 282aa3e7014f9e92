import { createToolNames, type ToolNames } from '../../mcp/calls/tool-names.ts'
import { everyTool } from '../../tools/catalogue.ts'
import type { Tool } from '../../tools/define/tool.ts'

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
