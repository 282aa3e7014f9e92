import { createToolNames } from '../../mcp/calls/tool-names.ts'
import { catalogue, coreToolNames } from '../../tools/catalogue.ts'
import type { Tool } from '../../tools/define/tool.ts'
import { err, ok, type Result } from '../../core/result.ts'

/** The tools that `--tools core|all|a,b,c` selects, in the order of the catalogue. Every known spelling of a name is accepted. */
export function chooseTools(selection: string): Result<readonly Tool[], string> {
  if (selection === 'all') return ok(catalogue)
  if (selection === 'core') return ok(catalogue.filter(({ name }) => coreToolNames.includes(name)))
  const names = createToolNames(catalogue, 'footlight')
  const selected = new Set<Tool>()
  for (const name of selection
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)) {
    const tool = names.resolve(name, {})?.tool
    const closest = names.findClosest(name)
    if (!tool)
      return err(
        `--tools: unknown tool "${name}". ${closest ? `Did you mean ${closest}?` : 'footlight tools lists them.'}`,
      )
    selected.add(tool)
  }
  return selected.size > 0
    ? ok(catalogue.filter((tool) => selected.has(tool)))
    : err('--tools: expected core, all or comma-separated tool names')
}
