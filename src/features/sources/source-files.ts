// The texts of the source files of a dev server's project.

import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import type { OwnedServer } from '../../core/sessions/types/servers.ts'

/** Code and templates, by their names. */
export const isSource = (path: string): boolean => SOURCE_PATTERN.test(path)

const SOURCE_PATTERN =
  /\.([cm]?[jt]sx?|vue|svelte|astro|mdx|css|scss|sass|less|styl|html?|py|rb|php|go|rs|exs?|heex|l?eex|java|kt|cs|cshtml|razor|ejs|hbs|handlebars|mustache|pug|njk|liquid|haml|slim|erb|jinja2?|twig|tmpl|gohtml|graphql|gql)$/i
const READ_BATCH_SIZE = 50
const SOURCE_LIMIT_BYTES = 500_000

/** Those in the folder of the server. Those with more than 500 kB are left out, because nobody writes them. */
export async function* readSources(server: OwnedServer): AsyncGenerator<{ path: string; text: string }> {
  const folder = server.code?.()?.folder
  const files = await server.files?.()
  if (!files || folder === undefined) return
  const paths = [...files.changes.keys()].filter((path) => isSource(path) && !path.startsWith('../'))
  for (let start = 0; start < paths.length; start += READ_BATCH_SIZE) {
    await setImmediate()
    for (const path of paths.slice(start, start + READ_BATCH_SIZE)) {
      const text = readRegularFile(join(folder, path), SOURCE_LIMIT_BYTES)?.toString('utf8')
      if (text !== undefined) yield { path, text }
    }
  }
}
