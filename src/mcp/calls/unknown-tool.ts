import { createToolNames, hintFor, type ToolNames } from './tool-names.ts'
import { everyTool } from '../../tools/catalogue.ts'

/** What a caller can do who called a tool that is not listed: how it would be, what does the same, the closest name, or where the names
 * are. */
export function suggestTool(names: ToolNames, name: string): string {
  const unlistedTool = createToolNames(everyTool, 'footlight').resolve(name, {})?.tool
  if (unlistedTool) return `This server was started without it: +${unlistedTool.name} in --tools adds it.`
  const hint = hintFor(name)
  if (hint !== undefined) return hint
  const closest = names.findClosest(name)
  return closest ? `Did you mean "${closest}"?` : 'See tools/list.'
}
