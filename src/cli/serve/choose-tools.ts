import { createNames } from '../../mcp/calls/tool-names.ts'
import { catalogue, core } from '../../tools/catalogue.ts'
import type { Tool } from '../../tools/define/tool.ts'
import { err, ok, type Result } from '../../core/result.ts'

/** The tools that `--tools core|all|a,b,c` picks, always in the order of the catalogue. Any spelling of a name will do. */
export function chooseTools(wanted: string): Result<readonly Tool[], string> {
  if (wanted === 'all') return ok(catalogue)
  if (wanted === 'core') return ok(catalogue.filter(({ name }) => core.includes(name)))
  const names = createNames(catalogue, 'footlight')
  const picked = new Set<Tool>()
  for (const name of wanted
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)) {
    const tool = names.resolve(name, {})?.tool
    const close = names.nearest(name)
    if (!tool)
      return err(
        `--tools: unknown tool "${name}". ${close ? `Did you mean ${close}?` : 'footlight tools lists them.'}`,
      )
    picked.add(tool)
  }
  return picked.size > 0
    ? ok(catalogue.filter((tool) => picked.has(tool)))
    : err('--tools: expected core, all or comma-separated tool names')
}
