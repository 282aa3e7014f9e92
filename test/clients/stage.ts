// What every client is run with: a home and a project of its own, the site that it looks at, and Footlight behind a recorder.

import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { serveOverHttp } from '../support/http.ts'
import { serveSite } from '../support/site.ts'
import { fetched } from './install.ts'
import manifest from './manifest.json' with { type: 'json' }
import { recordHttp, recordStdio, type UsedEra, usedEraOf } from './recorder.ts'
import { routes } from './script.ts'

/** Over stdio with a file of the user or of the project, where `footlight setup` writes one, or over HTTP. */
export type Way = 'stdio' | 'project' | 'http'

export interface Stage {
  readonly root: string
  /** The folder that the client is run in. */
  readonly project: string
  /** The environment of the client, with nothing of the user's. */
  readonly env: Readonly<Record<string, string>> & { readonly HOME: string }
  readonly site: { readonly url: string; readonly hits: readonly string[] }
  /** What starts Footlight on stdio. */
  readonly command: string
  /** Where Footlight is served; undefined over stdio. */
  readonly url: string | undefined
  readonly usedEra: () => UsedEra | undefined
}

/** Runs `use` and removes everything, also if it throws. Fails if the HTTP server leaves anything behind. */
export async function onStage<T>(way: Way, use: (stage: Stage) => Promise<T>): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-client-')))
  const project = join(root, 'project')
  const site = await serveSite(routes, (_, response) => void response.writeHead(503).end())
  const stdio = recordStdio(root)
  const http = way === 'http' ? await serve(join(root, 'output')) : undefined
  try {
    const stage = {
      root,
      project,
      env: envIn(root, stdio.folder, project),
      site,
      command: stdio.command,
      url: http?.url,
      usedEra: () => usedEraOf((http ?? stdio).messages()),
    }
    const result = await use(stage)
    await http?.close()
    return result
  } catch (error) {
    await http?.close().catch(() => {})
    throw error
  } finally {
    site.close()
    rmSync(root, { recursive: true, force: true })
  }
}

/** The newer Node that some clients need; it comes as a package of this platform. */
export function newerNode(): string {
  const name = `node-${process.platform}-${process.arch}`
  return join(fetched({ [name]: manifest.node }), 'node_modules', name, 'bin/node')
}

// --- internal ---

async function serve(output: string) {
  const server = await serveOverHttp(['--output-dir', output, '--allowed-hosts', '127.0.0.1'])
  const recorder = await recordHttp(server.url)
  return {
    url: recorder.url,
    messages: recorder.messages,
    async close() {
      recorder.close()
      const code = await server.close()
      if (code !== 0) throw new Error(`footlight --http ended with ${code}`)
    },
  }
}

function envIn(root: string, commands: string, project: string) {
  const home = join(root, 'home')
  for (const folder of [home, project, join(root, 'tmp')]) mkdirSync(folder)
  return {
    PATH: [commands, dirname(newerNode()), process.env['PATH'] ?? ''].join(delimiter),
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    TMPDIR: join(root, 'tmp'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
    DO_NOT_TRACK: '1',
  }
}
