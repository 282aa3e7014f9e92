import { readFileSync } from 'node:fs'
import process from 'node:process'
import { switches } from './commands.ts'
import { readFlags } from './options/flags.ts'
import { optionNames, type Settings } from './options/options.ts'
import { resolveSettings } from './options/settings.ts'
import { exitWithUsageError } from './output.ts'
import { chooseTools } from './serve/choose-tools.ts'
import type { Tool } from '../tools/define/tool.ts'

/** The settings of a command line, and the tools that they choose. Exits where they are wrong. */
export function parseSettings(raw: readonly string[]): { settings: Settings; tools: readonly Tool[] } {
  const flags = readFlags(raw, optionNames, switches)
  if (!flags.ok) return exitWithUsageError(flags.error)
  const [stray] = flags.value.rest
  if (stray !== undefined)
    return exitWithUsageError(
      `unexpected argument "${stray}". Options begin with --; footlight --help lists them.`,
    )
  const read = (path: string) => readFileSync(path, 'utf8')
  const settings = resolveSettings({ flags: flags.value.values, env: process.env, read })
  if (!settings.ok) return exitWithUsageError(settings.error)
  const tools = chooseTools(settings.value.tools)
  return tools.ok ? { settings: settings.value, tools: tools.value } : exitWithUsageError(tools.error)
}
