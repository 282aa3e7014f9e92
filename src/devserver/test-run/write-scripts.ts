// Writes the two scripts that run within the project's Playwright.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installLaunchFallback, type LaunchSettings } from './in-playwright/launch-fallback.ts'
import { createScriptReader, type ScriptReaderSettings } from './in-playwright/script-reader.ts'
import { createReporterType, type ReporterSettings } from './in-playwright/reporter.ts'

export interface RunScripts {
  readonly reporter: string
  /** It must be loaded before every program of the run. */
  readonly launchFallback: string
}

export function writeScripts(
  folder: string,
  settings: LaunchSettings & ReporterSettings & ScriptReaderSettings,
): RunScripts {
  const reporter = join(folder, 'reporter.cjs')
  const launchFallback = join(folder, 'launch-fallback.cjs')
  const text = JSON.stringify(settings)
  writeFileSync(reporter, `module.exports = (${String(createReporterType)})(require, ${text})\n`)
  const watch = `(${String(createScriptReader)})(require, ${text})`
  writeFileSync(launchFallback, `;(${String(installLaunchFallback)})(require, ${text}, ${watch})\n`)
  return { reporter, launchFallback }
}
