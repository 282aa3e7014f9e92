// The folders of the applications that have their files beside this one.

import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

export interface Place extends AsyncDisposable {
  readonly folder: string
}

const sources = import.meta.dir

/** A new folder, or the one in it that `fill` answers. */
export async function inFolder(fill: (folder: string) => Promise<string | void> | void): Promise<Place> {
  const created = realpathSync(mkdtempSync(join(tmpdir(), 'fl-app-')))
  const dispose = async () => rmSync(created, { recursive: true, force: true })
  return { folder: (await fill(created)) ?? created, [Symbol.asyncDispose]: dispose }
}

/** A copy of the files with Playwright Test beside them, which people have in the folder too. */
export const inCopy = (name: string, prepare?: (folder: string) => void) => (): Promise<Place> =>
  inFolder((folder) => {
    cpSync(join(sources, name), folder, { recursive: true })
    symlinkSync(resolve(sources, '../../../node_modules'), join(folder, 'node_modules'), 'junction')
    writeFileSync(join(folder, 'package.json'), '{}')
    prepare?.(folder)
  })

// Debian keeps its configuration and its data elsewhere.
export function unpackDokuWiki(folder: string): void {
  const copies = { '/usr/share/dokuwiki': '.', '/etc/dokuwiki': 'conf' }
  for (const [from, to] of Object.entries(copies))
    cpSync(from, join(folder, to), { recursive: true, dereference: true })
  rmSync(join(folder, 'inc/preload.php'))
  for (const name of 'attic cache index locks log media media_attic media_meta meta tmp'.split(' '))
    mkdirSync(join(folder, 'data', name))
  writeFileSync(
    join(folder, 'conf/local.php'),
    `<?php $conf['title'] = 'Wiki'; $conf['useacl'] = 0; $conf['license'] = ''; $conf['savedir'] = './data';`,
  )
}
