// Files and folders for file fields: what a field takes it gets, and what it does not take is refused at once.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Peer } from '../support/client.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let root: string
let site: Site
beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'fl-upload-')))
  const outside = join(root, 'outside')
  const photos = join(root, 'work/photos')
  for (const folder of [outside, join(photos, '2030'), join(root, 'work/empty')])
    mkdirSync(folder, { recursive: true })
  writeFileSync(join(outside, 'secret.txt'), 'secret')
  writeFileSync(join(photos, 'a.txt'), 'a')
  writeFileSync(join(photos, '2030/b.txt'), 'bb')
  symlinkSync(join(outside, 'secret.txt'), join(photos, 'link.txt'))
  symlinkSync(outside, join(photos, 'linked'))
  site = await serveSite({
    '/': page(`<input type="file" id="one"><input type="file" id="many" multiple>
      <input type="file" id="folder" webkitdirectory><label id="label" for="folder">Folder</label>
      <button id="choose" onclick="folder.click()">Choose</button>
      <script>
        window.seen = []
        for (const input of document.querySelectorAll('input'))
          input.onchange = () => seen = [...input.files].map((file) => (file.webkitRelativePath || file.name) + ' ' + file.size).sort()
      </script>`),
  })
})
afterAll(() => {
  site.close()
  rmSync(root, { recursive: true })
})

describe.each(['chromium', 'firefox'])('%s', (browser) => {
  let peer: Peer
  let sessionId: string
  beforeAll(async () => {
    peer = await connect({ cwd: join(root, 'work'), args: ['--headless', '--browser', browser] })
    sessionId = await peer.session()
  }, 60_000)
  afterAll(() => peer.close())

  async function give(selector: string, paths: readonly string[]) {
    await peer.call('navigate', { sessionId, url: site.url })
    const { data } = await peer.call('upload_file', { sessionId, selector, paths, timeout: 20_000 })
    const seen = await peer.call('evaluate', {
      sessionId,
      script: '[seen, folder.webkitdirectory, folder.multiple]',
    })
    return { data, seen: seen.data.result }
  }

  test.each(['#folder', '#label', '#choose'])(
    'a folder for a field that takes one, named by %s',
    async (selector) => {
      const { data, seen } = await give(selector, ['photos'])
      expect(data.message).toBe('Set a folder of 2 files.')
      // Links in it are left out, wherever they lead.
      expect(seen).toEqual([['photos/2030/b.txt 2', 'photos/a.txt 1'], true, false])
    },
  )

  test('what a field does not take is refused, and it is said what it takes', async () => {
    const rows: [selector: string, paths: string[], expected: string][] = [
      ['#one', ['photos'], 'does not accept a folder'],
      ['#many', ['photos'], 'does not accept a folder'],
      ['#folder', ['photos/a.txt'], 'one folder'],
      ['#folder', ['empty'], 'a folder that contains files'],
      ['#folder', ['photos', 'empty'], 'one folder only'],
      ['#many', ['photos/a.txt', 'photos'], 'one folder only'],
      ['#one', ['photos/a.txt', 'photos/2030/b.txt'], 'one file'],
    ]
    for (const [selector, paths, expected] of rows) {
      const { data, seen } = await give(selector, paths)
      expect([selector, paths, data.errorCode, data.details.field]).toEqual([
        selector,
        paths,
        'INVALID_PARAMETERS',
        'paths',
      ])
      expect(data.details.expected).toContain(expected)
      expect(seen[0]).toEqual([])
    }
    expect((await give('#folder', ['../outside'])).data.errorCode).toBe('ACCESS_DENIED')
    expect((await give('#folder', ['photos/linked'])).data.errorCode).toBe('ACCESS_DENIED')
  }, 60_000)

  test('files as before', async () => {
    expect((await give('#one', ['photos/a.txt'])).seen[0]).toEqual(['a.txt 1'])
    expect((await give('#many', ['photos/a.txt', 'photos/2030/b.txt'])).seen[0]).toEqual([
      'a.txt 1',
      'b.txt 2',
    ])
  })
})
