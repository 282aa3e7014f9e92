// Files and folders for file fields: what a field takes it gets, and what it does not take is refused at once.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { share, type SharedPeer } from '../support/client.ts'
import { bothBrowsers } from '../support/engines.ts'
import { page, serveSite, type Site } from '../support/site.ts'

// As upload libraries read a drop: the events, the files, and the entries with the files of folders.
const zone = `<div id="zone" style="height:60px">Drop here</div><script>
  const seen = []
  const walk = (entry, path) => entry === null ? ['no entry'] : entry.isFile
    ? new Promise((resolve, reject) => entry.file(async (file) => resolve([path + file.name + '=' + (await file.text())]), reject))
    : new Promise((resolve, reject) => entry.createReader().readEntries(async (entries) => {
        const files = await Promise.all(entries.map((one) => walk(one, path + entry.name + '/')))
        resolve(files.flat().sort())
      }, reject))
  for (const type of ['dragenter', 'dragover', 'drop']) zone.addEventListener(type, async (event) => {
    event.preventDefault()
    const { types, files, items } = event.dataTransfer
    if (seen.at(-1) !== type) seen.push(type)
    if (type !== 'drop') return
    for (const item of items) item.getAsFileSystemHandle?.().catch(() => {})
    const entries = [...items].map((item) => item.webkitGetAsEntry())
    const texts = Promise.all([...files].map((file) => file.text().catch(() => 'a folder')))
    const names = [...files].map(({ name }) => name)
    const trees = await Promise.all(entries.map((entry) => walk(entry, '')))
    window.dropped = { seen, types: [...types], names, texts: await texts, trees, trusted: event.isTrusted }
  })
</script>`

let outside: string
let site: Site
beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), 'fl-upload-'))
  writeFileSync(join(outside, 'secret.txt'), 'secret')
  site = await serveSite({
    '/': page(`<input type="file" id="one"><input type="file" id="many" multiple>
      <input type="file" id="folder" webkitdirectory><label id="label" for="folder">Folder</label>
      <button id="choose" onclick="folder.click()">Choose</button><input type="file" id="emptied">
      <script>
        window.seen = []
        for (const input of document.querySelectorAll('input'))
          input.onchange = () => seen = [...input.files].map((file) => (file.webkitRelativePath || file.name) + ' ' + file.size).sort()
        emptied.onchange = () => emptied.value = ''
      </script>`),
    '/zones': page(`<body style="height:3000px"><div id="far" style="margin-top:1500px"></div>${zone}
      <div id="refusing" style="height:60px">No</div><iframe src="/zone"></iframe>
      <iframe sandbox="allow-scripts" src="/zone"></iframe>`),
    '/zone': page(zone),
  })
})
afterAll(() => {
  site.close()
  rmSync(outside, { recursive: true })
})

function writeFolders(workspace: string): void {
  const photos = join(workspace, 'photos')
  for (const folder of [join(photos, '2030'), join(workspace, 'empty')])
    mkdirSync(folder, { recursive: true })
  writeFileSync(join(photos, 'a.txt'), 'a')
  writeFileSync(join(photos, '2030/b.txt'), 'bb')
  symlinkSync(join(outside, 'secret.txt'), join(photos, 'link.txt'))
  symlinkSync(outside, join(photos, 'linked'))
}

describe.each(bothBrowsers)('%s', (browser) => {
  let peer: SharedPeer
  let sessionId: string
  beforeAll(async () => {
    peer = await share(browser)
    writeFolders(peer.folder)
    sessionId = await peer.session()
  }, 300_000)
  afterAll(() => peer.close())

  const onSite = () => peer.call('navigate', { sessionId, url: site.url })
  async function give(selector: string, paths: readonly string[]) {
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
      await onSite()
      const { data, seen } = await give(selector, ['photos'])
      expect(data).toEqual({ success: true, message: 'Set a folder of 2 files.' })
      // Links in it are left out, wherever they lead.
      expect(seen).toEqual([['photos/2030/b.txt 2', 'photos/a.txt 1'], true, false])
    },
  )

  test('files that the page takes away from their field are reported', async () => {
    await onSite()
    const { data } = await give('#emptied', ['photos/a.txt'])
    expect(data.notes).toEqual(['#emptied has no files: the page took or removed them.'])
  })

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
    await onSite()
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
    expect((await give('#folder', [outside])).data.errorCode).toBe('ACCESS_DENIED')
    expect((await give('#folder', ['photos/linked'])).data.errorCode).toBe('ACCESS_DENIED')
  }, 300_000)

  test('files as before', async () => {
    expect((await give('#one', ['photos/a.txt'])).seen[0]).toEqual(['a.txt 1'])
    expect((await give('#many', ['photos/a.txt', 'photos/2030/b.txt'])).seen[0]).toEqual([
      'a.txt 1',
      'b.txt 2',
    ])
  })

  describe('on a drop zone', () => {
    const isChromium = browser === 'chromium'
    beforeAll(async () => void (await peer.call('navigate', { sessionId, url: `${site.url}/zones` })))
    const drop = async (selector: string, paths: readonly string[], timeout?: number) =>
      (await peer.call('upload_file', { sessionId, selector, paths, timeout })).data
    const read = async (selector = 'html') => {
      const script =
        '(element) => new Promise((done) => { const view = element.ownerDocument.defaultView; const look = () => view.dropped ? done(view.dropped, delete view.dropped) : setTimeout(look, 10); look() })'
      return (await peer.call('evaluate', { sessionId, selector, script, timeout: 20_000 })).data.result
    }

    test('files come with the events, the data and the entries of a drop from outside', async () => {
      expect(await drop('#zone', ['photos/a.txt', 'photos/2030/b.txt'])).toMatchObject({
        success: true,
        message: 'Dropped 2 files.',
      })
      expect(await read()).toEqual({
        seen: ['dragenter', 'dragover', 'drop'],
        types: ['Files'],
        names: ['a.txt', 'b.txt'],
        texts: ['a', 'bb'],
        trees: [['a.txt=a'], ['b.txt=bb']],
        trusted: isChromium,
      })
    }, 120_000)

    test('in a frame', async () => {
      const selector = 'iframe >> nth=0 >> internal:control=enter-frame >> #zone'
      expect(await drop(selector, ['photos/a.txt'])).toMatchObject({ message: 'Dropped 1 file.' })
      expect(await read(selector)).toMatchObject({ texts: ['a'] })
      // Chromium crashes if such a frame asks for a handle of what was dropped, so the files come without.
      const opaque = 'iframe >> nth=1 >> internal:control=enter-frame >> #zone'
      expect(await drop(opaque, ['photos/a.txt'])).toMatchObject({ message: 'Dropped 1 file.' })
    }, 120_000)

    test(
      isChromium
        ? 'a folder comes with its files, without the links in it'
        : 'a folder is refused with what to do instead',
      async () => {
        const answer = await drop('#zone', ['photos'], 3000)
        if (!isChromium) {
          expect(answer).toMatchObject({ errorCode: 'INVALID_PARAMETERS', details: { field: 'selector' } })
          expect(answer.message).toMatch(/use a Chromium .* or pass the files of the folder/)
          return
        }
        expect(answer).toMatchObject({ message: 'Dropped a folder of 2 files.' })
        expect(await read()).toMatchObject({
          names: ['photos'],
          trees: [['photos/2030/b.txt=bb', 'photos/a.txt=a']],
          trusted: true,
        })
      },
      30_000,
    )

    test('an element that accepts no drop is refused, and the page stays', async () => {
      for (const paths of isChromium ? [['photos/a.txt'], ['photos']] : [['photos/a.txt']])
        expect(await drop('#refusing', paths, 1500)).toMatchObject({ errorCode: 'INVALID_PARAMETERS' })
      expect((await peer.call('evaluate', { sessionId, script: 'location.pathname' })).data.result).toBe(
        '/zones',
      )
    }, 120_000)
  })
})
