// A script is given as such, or as the path of a file.

import { describe, expect, test } from 'bun:test'
import { invalidParameter } from '../../../src/core/base/failure.ts'
import type { Files } from '../../../src/core/base/files/files.ts'
import { err, ok } from '../../../src/core/base/result.ts'
import { readInitScript } from '../../../src/features/mock/init-script.ts'

describe('initScript', () => {
  const readPaths: string[] = []
  const files = {
    findRunnable: async (path: string) => ok(path),
    read: async (path: string) => {
      readPaths.push(path)
      if (path.startsWith('..'))
        return err({ code: 'ACCESS_DENIED', subject: path, rule: 'path', allowed: '' } as const)
      if (path.startsWith('none')) return err(invalidParameter('path', 'an existing file', 'no such file'))
      return ok(new TextEncoder().encode('content'))
    },
  } as unknown as Files
  test.each(['init.js', './scripts/a-b.mjs', 'C:\\x\\init.js', '/home/ada/init.cjs'])(
    '%j is a path',
    async (path) => {
      expect(await readInitScript(path, files)).toEqual(ok('content'))
      expect(readPaths).toContain(path)
    },
  )
  test.each(['window.x = 1', 'a();b.js', "import('./x.js')", 'x=y.js', '// init.js', 'window.y'])(
    '%j is a source text',
    async (source) => {
      expect(await readInitScript(source, files)).toEqual(ok(source))
      expect(readPaths).not.toContain(source)
    },
  )
  test('a path that may not be read is a failure', async () => {
    expect(await readInitScript('../x.js', files)).toMatchObject({ ok: false })
    expect(await readInitScript('none.js', files)).toMatchObject({ error: { field: 'initScript' } })
  })
})
