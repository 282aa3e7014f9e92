// Records the requests of a context as a HAR. Playwright writes it to a file, which is read and removed at once: what is kept has no secrets.

import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright'
import { attempt, browserError } from '../playwright/errors.ts'
import type { HarLog } from '../../core/har/har-entry.ts'
import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err } from '../../core/result.ts'

export interface HarRecording {
  isRunning(): boolean
  start(): Promise<Outcome<void>>
  stop(): Promise<Outcome<HarLog>>
}

export function createHarRecording({ tracing }: BrowserContext): HarRecording {
  let path: string | undefined

  async function read(file: string): Promise<HarLog> {
    try {
      await tracing.stopHar()
      return JSON.parse(await readFile(file, 'utf8')) as HarLog
    } finally {
      await rm(file, { force: true })
    }
  }

  return {
    isRunning: () => path !== undefined,
    async start() {
      if (path !== undefined)
        return err(invalidParameter('har', 'save first', 'record, while a recording is running'))
      const file = join(tmpdir(), `${randomUUID()}.har`)
      const result = await attempt(tracing.startHar(file, { content: 'embed' }), browserError)
      if (!result.ok) return result
      path = file
      return { ok: true, value: undefined }
    },
    async stop() {
      if (path === undefined)
        return err(invalidParameter('har', 'record first', 'save, while no recording is running'))
      const file = path
      path = undefined
      return attempt(read(file), browserError)
    },
  }
}
