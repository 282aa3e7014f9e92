// When the source files below a folder were modified. Nothing is watched: the files are looked up when somebody asks.

import { statSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

const FILE_LIMIT = 5000
const DEPTH_LIMIT = 12
const READ_BATCH_SIZE = 50
const STAT_BATCH_SIZE = 50
const TEXT_LIMIT_CHARS = 500_000
const SOURCE_PATTERN =
  /\.([cm]?[jt]sx?|vue|svelte|astro|mdx?|css|scss|sass|less|styl|html?|py|rb|php|go|rs|exs?|java|kt|cs|ejs|hbs|pug|njk|erb|jinja2?|twig)$/
// Of the rest, save_test writes the configuration.
const TEST_PATTERN = /\.(test|spec|stories|d)\.[^/]*$|^playwright.*\.config\.[^/]*$/
const IGNORED_FOLDERS = new Set(
  'node_modules dist build out target coverage vendor tmp temp logs __pycache__ __tests__ venv test tests e2e docs'.split(
    ' ',
  ),
)

/** The times of modification of the source files below `folder` in Unix milliseconds, by their path relative to it. Packages, results of
 * builds, tests and hidden folders are left out; so is what comes after 5,000 files. */
export async function readModifications(folder: string): Promise<ReadonlyMap<string, number>> {
  const modifications = new Map<string, number>()
  let folders = ['']
  for (let depth = 0; depth < DEPTH_LIMIT && folders.length > 0; depth += 1) {
    const contents = await Promise.all(folders.map((path) => listSources(folder, path)))
    const files = contents.flatMap((content) => content.files).slice(0, FILE_LIMIT - modifications.size)
    for (let start = 0; start < files.length; start += STAT_BATCH_SIZE) {
      // Without threads, in which a look at a file costs ten times as much; other calls run between two batches.
      if (modifications.size > 0) await setImmediate()
      for (const path of files.slice(start, start + STAT_BATCH_SIZE)) {
        const time = modifiedAt(join(folder, path))
        if (time !== undefined) modifications.set(path, time)
      }
    }
    folders = modifications.size < FILE_LIMIT ? contents.flatMap((content) => content.folders) : []
  }
  return modifications
}

/** The texts of the same files. Those with more than 500 kB are left out, because nobody writes them. */
export async function* readSources(folder: string): AsyncGenerator<{ path: string; text: string }> {
  const paths = [...(await readModifications(folder)).keys()]
  for (let start = 0; start < paths.length; start += READ_BATCH_SIZE) {
    const batch = paths.slice(start, start + READ_BATCH_SIZE)
    const texts = await Promise.all(batch.map((path) => readFile(join(folder, path), 'utf8').catch(() => '')))
    for (const [index, path] of batch.entries()) {
      const text = texts[index] ?? ''
      if (text.length <= TEXT_LIMIT_CHARS) yield { path, text }
    }
  }
}

// --- internal ---

async function listSources(root: string, path: string): Promise<{ files: string[]; folders: string[] }> {
  const entries = await readdir(join(root, path), { withFileTypes: true }).catch(() => [])
  const prefix = path === '' ? '' : `${path}/`
  return {
    files: entries
      .filter((entry) => entry.isFile() && SOURCE_PATTERN.test(entry.name) && !TEST_PATTERN.test(entry.name))
      .map(({ name }) => prefix + name),
    folders: entries
      .filter(
        (entry) => entry.isDirectory() && !entry.name.startsWith('.') && !IGNORED_FOLDERS.has(entry.name),
      )
      .map(({ name }) => prefix + name),
  }
}

function modifiedAt(path: string): number | undefined {
  try {
    return statSync(path).mtimeMs
  } catch {
    return undefined
  }
}
