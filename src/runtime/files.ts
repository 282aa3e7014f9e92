import { mkdir, writeFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import type { Files } from './ports/desk.ts'
import { err, ok } from '../core/result.ts'

/** Writes into one folder, made at the first file. A name that is taken gets a number; nothing is overwritten. */
export function createFiles(outputDir: string): Files {
  const folder = resolve(outputDir)
  return {
    async write(name, bytes) {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 })
        return ok(await writeNew(folder, name, bytes))
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error)
        return err({ code: 'RESOURCE_EXHAUSTED', resource: 'room for files', text: `${folder}: ${text}` })
      }
    },
  }
}

async function writeNew(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  const extension = extname(name)
  const stem = name.slice(0, name.length - extension.length)
  for (let count = 1; ; count += 1) {
    const path = resolve(folder, count === 1 ? name : `${stem}-${count}${extension}`)
    try {
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
