import { err, ok, type Result } from '../../base/result.ts'
import { createToolNames, type Dialect } from '../../mcp/calls/tool-names.ts'
import type { Tool } from '../../tool/tool.ts'
import { coreToolNames, coreTools, defaultTools, everyTool } from '../tools/catalogue.ts'

/** The tools that `--tools` lists, in the order of the catalogue: comma-separated sets (default, core, all), tool names in every known
 * spelling, and `+NAME` for a tool in addition. If there are only additions, they are added to the default. Another naming style has all
 * tools of the core in its default, because its design names them. */
export function chooseTools(
  selection: string,
  style: Dialect = 'footlight',
): Result<readonly Tool[], string> {
  const parts = partsOf(selection)
  if (parts.length === 0)
    return err('--tools: expected default, core, all, tool names or +NAME, comma-separated')
  const selected = new Set<Tool>()
  for (const part of parts.every(isAddition) ? ['default', ...parts] : parts) {
    const tools = findTools(part, style)
    if (!tools.ok) return tools
    for (const tool of tools.value) selected.add(tool)
  }
  return ok(everyTool.filter((tool) => selected.has(tool)))
}

/** The tools that can be called while these are listed: all of them, unless `--tools` names the only ones. */
export const callableTools = (selection: string, listed: readonly Tool[]): readonly Tool[] =>
  partsOf(selection).every((part) => isAddition(part) || part === 'default' || part === 'all')
    ? everyTool
    : listed

/** Whether `--tools` lists a tool of this name. */
export function isSelected(name: string, selection: string): boolean {
  const tools = chooseTools(selection)
  return tools.ok && tools.value.some((tool) => tool.name === name)
}

// --- internal ---

const partsOf = (selection: string): readonly string[] =>
  selection
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const isAddition = (part: string): boolean => part.startsWith('+')

function findTools(part: string, style: Dialect): Result<readonly Tool[], string> {
  if (part === 'all') return ok(everyTool)
  if (part === 'core') return ok(everyTool.filter(({ name }) => coreToolNames.includes(name)))
  if (part === 'default')
    return ok(style === 'footlight' ? defaultTools : [...Object.values(coreTools), ...defaultTools])
  const name = isAddition(part) ? part.slice(1).trim() : part
  const names = createToolNames(everyTool, 'footlight')
  const tool = names.resolve(name, {})?.tool
  if (tool) return ok([tool])
  const closest = names.findClosest(name)
  const hint = closest
    ? `Did you mean ${isAddition(part) ? '+' : ''}${closest}?`
    : 'footlight tools lists them.'
  return err(`--tools: unknown tool "${part}". ${hint}`)
}
