// Downloads are saved by themselves, under a safe name, and told when they are there. One that is too large is given up.

import { stat } from 'node:fs/promises'
import type { BrowserContext, Download } from 'playwright'
import { plain } from './failures.ts'
import { safeName } from '../core/filename.ts'
import type { PageHooks } from '../runtime/ports/browsers.ts'

const LARGEST = 100_000_000

type Hooks = Pick<PageHooks, 'folder' | 'observe'>

export function saveDownloads(context: BrowserContext, hooks: Hooks): void {
  context.on('download', (download) => void save(download, hooks))
}

async function save(download: Download, { folder, observe }: Hooks): Promise<void> {
  const name = safeName(download.suggestedFilename())
  const tell = (level: 'info' | 'error', text: string) => observe({ kind: 'page', level, text })
  const path = await folder.place(name)
  if (!path.ok) {
    await download.cancel().catch(() => {})
    return tell('error', `The download ${name} found no room.`)
  }
  try {
    await download.saveAs(path.value)
    const { size } = await stat(path.value)
    if (size <= LARGEST) {
      await folder.done(path.value)
      return tell('info', `Downloaded ${name} (${size} bytes) to ${path.value}`)
    }
    await folder.drop(path.value)
    tell('error', `The download ${name} was given up: ${size} bytes, more than ${LARGEST}.`)
  } catch (error) {
    await folder.drop(path.value)
    const why = error instanceof Error ? plain(error) : String(error)
    tell('error', `The download ${name} failed: ${why.slice(0, 200)}`)
  }
}
