// `footlight record URL`: a person does in a window what a test is to do, and the test is written.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { RecordRequest } from './record-request.ts'
import type { Settings } from '../options/options.ts'
import { printMessage } from '../output.ts'
import { hasDisplay } from '../serve/display.ts'
import { openRecordingWindow } from '../../browser/recording/recording-window.ts'
import { createPersonSteps } from '../../core/recording/person-steps.ts'
import { createWatchdog } from '../../devserver/process/watchdog.ts'
import { failureText } from '../../mcp/answers/failure-text.ts'
import { createDeferred } from '../../runtime/calls/deferred.ts'
import { clock } from '../../runtime/clock.ts'
import { createTemporaryFolder } from '../../runtime/files/temporary-folder.ts'

/** Runs until the window is closed or Ctrl+C is pressed, and writes the test. Answers the exit code. */
export async function runRecord(request: RecordRequest, settings: Settings): Promise<number> {
  if (!hasDisplay()) return fail('record needs a display for its window. Run it on a machine that has one.')
  const temporary = createTemporaryFolder()
  process.once('exit', temporary.remove)
  createWatchdog(crypto.randomUUID(), temporary.folder)
  const recorded = createPersonSteps(request.url, clock())
  const window = await openRecordingWindow(
    {
      browser: settings.browser,
      timeout: settings.launchTimeout,
      onNotice: printMessage,
      ...(settings.executablePath !== undefined && { executablePath: settings.executablePath }),
    },
    request.url,
    {
      storageState: request.storageState,
      ignoreHTTPSErrors: settings.ignoreHttpsErrors,
      testIdAttribute: settings.testIdAttribute,
      async storeFiles(files) {
        const folder = join(temporary.folder, crypto.randomUUID())
        mkdirSync(folder)
        return files.map(({ name, content }) => {
          const path = join(folder, name)
          writeFileSync(path, content)
          return path
        })
      },
      onEvent: (event) => printLines(recorded.add(event)),
    },
  )
  if (!window.ok) return fail(failureText(window.error))
  printMessage('do what the test is to do, then close the window or press Ctrl+C here')
  const interruption = createDeferred()
  process.once('SIGINT', () => interruption.resolve())
  await Promise.race([window.value.closed, interruption.promise])
  await window.value.end()
  const { steps, lines } = recorded.finish()
  printLines(lines)
  process.stdout.write(`${JSON.stringify(steps, null, 1)}\n`)
  return 0
}

// --- internal ---

const printLines = (lines: readonly string[]): void => {
  for (const line of lines) process.stderr.write(`  ${line}\n`)
}

function fail(message: string): number {
  printMessage(message)
  return 1
}
