import { err, ok, type Result } from '../../base/result.ts'
import { findClosestName } from '../../base/text/closest-name.ts'
import { createToolNames } from '../../mcp/calls/tool-names.ts'
import type { Tool } from '../../tool/tool.ts'
import { catalogue, coreToolNames, everyTool, toolGroups } from '../tools/catalogue.ts'

/** The tools that `--tools` selects, in the order of the catalogue: comma-separated sets (core, all), tool names in every known spelling, and
 * `+NAME` for a group or tool in addition. If there are only additions, they are added to all. */
export function chooseTools(selection: string): Result<readonly Tool[], string> {
  const parts = selection
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
  if (parts.length === 0) return err('--tools: expected core, all, tool names or +GROUP, comma-separated')
  const selected = new Set<Tool>(parts.every((part) => part.startsWith('+')) ? catalogue : [])
  for (const part of parts) {
    const tools = findTools(part)
    if (!tools.ok) return tools
    for (const tool of tools.value) selected.add(tool)
  }
  return ok(everyTool.filter((tool) => selected.has(tool)))
}

/** Whether `--tools` selects a tool of this name. */
export function isSelected(name: string, selection: string): boolean {
  const tools = chooseTools(selection)
  return tools.ok && tools.value.some((tool) => tool.name === name)
}

/** The groups whose tools are not all among these, each with its tools. */
export const listOtherGroups = (tools: readonly Tool[]): readonly (readonly [string, readonly Tool[]])[] =>
  Object.entries(toolGroups).filter(([, group]) => group.some((tool) => !tools.includes(tool)))

// --- internal ---

function findTools(part: string): Result<readonly Tool[], string> {
  if (part === 'all') return ok(catalogue)
  if (part === 'core') return ok(catalogue.filter(({ name }) => coreToolNames.includes(name)))
  const isAddition = part.startsWith('+')
  const name = isAddition ? part.slice(1).trim() : part
  const group = isAddition && Object.hasOwn(toolGroups, name) ? toolGroups[name] : undefined
  if (group) return ok(group)
  const names = createToolNames(everyTool, 'footlight')
  const tool = names.resolve(name, {})?.tool
  if (tool) return ok([tool])
  const closestGroup = isAddition ? findClosestName(name, Object.keys(toolGroups)) : undefined
  const closest = closestGroup === undefined ? names.findClosest(name) : `+${closestGroup}`
  const hint = closest ? `Did you mean ${closest}?` : 'footlight tools lists them.'
  return err(`--tools: unknown ${isAddition ? 'group' : 'tool'} "${part}". ${hint}`)
}
