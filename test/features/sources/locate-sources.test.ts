import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createJournal } from '../../../src/core/sessions/journal/journal.ts'
import type { LoadedScript } from '../../../src/core/sessions/types/sources.ts'
import { createSourceLocator } from '../../../src/features/sources/locate-sources.ts'

const code = 'const a = 1\nfunction increment() {\n  throw new Error("broken")\n}\nincrement()\n'

let folder: string
let server: Server
let origin: string
let requests: string[] = []
const responses = new Map<string, { status?: number; headers?: Record<string, string>; body?: string }>()

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'footlight-sources-')))
  for (const file of ['src/app.ts', 'src/plain.js', 'public/served.js'])
    put(file, file.endsWith('.ts') ? code : 'a()\nb()\n')
  server = createServer((request, response) => {
    requests.push(`${request.headers.host} ${request.url}`)
    const { status = 200, headers = {}, body } = responses.get(request.url ?? '') ?? { status: 404 }
    response.writeHead(status, headers)
    if (body !== undefined || status !== 200) response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

function put(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

/** A map of a script with one line, whose column 10 is line 3 of a source. */
const mapOf = (source: string, more: object = {}) =>
  JSON.stringify({
    version: 3,
    sources: [source],
    names: [],
    mappings: 'AAAA,SAEE',
    sourcesContent: [code],
    ...more,
  })

const script = (reference: string) => `0123456789throw new Error("broken")\n//# sourceMappingURL=${reference}`
const inline = (map: string) => `data:application/json;base64,${Buffer.from(map).toString('base64')}`

interface Setting {
  readonly scripts: Readonly<Record<string, string>>
  readonly proxy?: string
  readonly isLoopbackOnly?: boolean
  readonly hasServer?: boolean
  readonly readScript?: () => Promise<LoadedScript | undefined>
  readonly timeoutMs?: number
}

/** The journal with an error at column 11 of the script, after the locator has read it. */
async function locateError(
  { scripts, proxy, isLoopbackOnly = false, hasServer = true, readScript, timeoutMs }: Setting,
  url = Object.keys(scripts)[0],
) {
  const journal = createJournal({ entries: 100, bytes: 1e6 })
  const locator = createSourceLocator({
    journal,
    closing: new AbortController().signal,
    now: () => 10,
    route: async () => ({ proxy, isLoopbackOnly }),
    server: async () => (hasServer ? { origin, folder } : undefined),
    readScript: readScript ?? (async (seq) => ({ text: Object.values(scripts)[seq - 1] ?? '' })),
  })
  Object.keys(scripts).forEach((name, index) => locator.addScript({ seq: index + 1, url: name, at: index }))
  journal.add({
    kind: 'console',
    level: 'error',
    at: 10,
    text: `uncaught Error: broken at increment (${url}:1:11)`,
    message: 'uncaught Error: broken',
    data: { stack: `Error: broken\n    at increment (${url}:1:11)` },
  })
  const entries = await locator.locateEntries(journal.read({ limit: 1 }).entries, timeoutMs)
  return {
    entries,
    locator,
    journal,
    text: entries[0]?.text.replace('uncaught Error: broken at increment ', ''),
  }
}

test('an inline map: the path is that of the file in the folder, in the journal too, and the source is kept for its lines', async () => {
  const { journal, locator, entries } = await locateError({
    scripts: { [`${origin}/src/app.ts?t=1`]: script(inline(mapOf('app.ts'))) },
  })
  expect(journal.read({ limit: 1 }).entries).toEqual([...entries])
  expect(entries[0]).toMatchObject({
    text: 'uncaught Error: broken at increment (src/app.ts:3)',
    data: { stack: 'Error: broken\n    at increment (src/app.ts:3)' },
  })
  expect(locator.firstSourceOf(entries[0]!)).toEqual({
    file: 'src/app.ts',
    line: 3,
    column: 3,
    content: code,
  })
})

test.each([
  ['a path of a bundler', 'webpack://shop/./src/app.ts', '(src/app.ts:3)'],
  ['a path of the machine', 'FOLDER/src/app.ts', '(src/app.ts:3)'],
  ['a URL that is no file', 'gone.ts', '(/bundle/gone.ts:3)'],
  ['a bundled file that is not there', 'webpack://shop/./src/gone.ts', undefined],
  ['a path of the machine outside of the folder', 'file:///etc/passwd', undefined],
  [
    'a library above the folder',
    'file:///monorepo/node_modules/.bun/a@1.0.0/node_modules/a/a.js',
    '(node_modules/a/a.js:3)',
  ],
  ['a path above', 'webpack://shop/../../etc/passwd', undefined],
])('%s', async (_, source, expected) => {
  const url = `${origin}/bundle/main.js`
  const map = mapOf(source.replace('FOLDER', `file://${folder}`))
  const { text } = await locateError({ scripts: { [url]: script(inline(map)) } })
  expect(text).toBe(expected ?? `(${url}:1:11)`)
})

test('without a server, paths relative to the URL are shown and paths of the machine are not', async () => {
  const url = 'http://app.example/assets/main.js'
  const locate = async (source: string) =>
    (await locateError({ hasServer: false, scripts: { [url]: script(inline(mapOf(source))) } })).text
  expect(await locate('../src/app.ts')).toBe('(src/app.ts:3)')
  expect(await locate(`file://${folder}/src/app.ts`)).toBe(`(${url}:1:11)`)
  const local = 'http://localhost:1/main.js'
  const map = inline(mapOf(`file://${folder}/src/app.ts`))
  const onMachine = await locateError({ hasServer: false, scripts: { [local]: script(map) } })
  expect(onMachine.text).toBe(`(${local}:1:11)`)
})

test('a page of another server is not attributed to the files of this one', async () => {
  const locate = async (url: string, source: string) =>
    (await locateError({ scripts: { [url]: script(inline(mapOf(source))) } })).text
  // The paths of its own URLs, which say nothing about the folder.
  expect(await locate('http://evil.example/a/gone.js', 'gone.ts')).toBe('(a/gone.ts:3)')
  const url = 'http://evil.example/main.js'
  expect(await locate(url, `file://${folder}/src/app.ts`)).toBe(`(${url}:1:11)`)
})

test('a script without a map is a file only if it has the same text', async () => {
  const same = await locateError({ scripts: { [`${origin}/served.js?v=2`]: 'a()\nb()\n' } })
  expect(same.text).toBe('(public/served.js:1)')
  const url = `${origin}/src/plain.js`
  const other = await locateError({ scripts: { [url]: 'a()\nc()\n' } })
  expect(other.text).toBe(`(${url}:1:11)`)
})

test('an external map is fetched from the origin of its script, through the proxy of the session', async () => {
  const map = { body: mapOf('../src/app.ts'), headers: { 'content-type': 'application/json' } }
  responses.set('/out/main.js.map', map).set('http://app.example/out/main.js.map', map)
  requests = []
  const own = await locateError({ scripts: { [`${origin}/out/main.js`]: script('main.js.map') } })
  expect(own.text).toBe('(src/app.ts:3)')
  const proxied = await locateError({
    proxy: origin,
    scripts: { 'http://app.example/out/main.js': script('main.js.map') },
  })
  expect(proxied.text).toBe('(src/app.ts:3)')
  const host = new URL(origin).host
  expect(requests).toEqual([
    `${host} /out/main.js.map`,
    // Whether the dev server has a newer script by now.
    `${host} /out/main.js`,
    'app.example http://app.example/out/main.js.map',
  ])
})

test('behind a proxy of the user a map of this machine is fetched, and no other', async () => {
  const map = { body: mapOf('../src/app.ts'), headers: { 'content-type': 'application/json' } }
  responses.set('/out/main.js.map', map)
  requests = []
  const isLoopbackOnly = true
  const own = await locateError({
    isLoopbackOnly,
    scripts: { [`${origin}/out/main.js`]: script('main.js.map') },
  })
  expect(own.text).toBe('(src/app.ts:3)')
  const host = `127.0.0.1.nip.example:${new URL(origin).port}`
  const url = `http://${host}/out/main.js`
  const other = await locateError({
    isLoopbackOnly,
    proxy: origin,
    scripts: { [url]: script('main.js.map') },
  })
  expect(other.text).toContain(host)
  expect(requests.filter((request) => request.includes('nip.example'))).toEqual([])
})

test('a map of a foreign host, a redirect and a huge map are not taken', async () => {
  responses
    .set('/moved.map', { status: 302, headers: { location: '/good.map' } })
    .set('/good.map', { body: mapOf('app.ts') })
    .set('/long.map', { headers: { 'content-length': '50000000' } })
    .set('/packed.map', { headers: { 'content-encoding': 'gzip' }, body: mapOf('app.ts') })
    .set('/failed.map', { status: 500, body: mapOf('app.ts') })
  requests = []
  const url = `${origin}/src/main.js`
  const foreign = `${origin.replace('127.0.0.1', 'localhost')}/good.map`
  for (const reference of [
    foreign,
    '/moved.map',
    '/long.map',
    '/packed.map',
    '/failed.map',
    'file:///etc/passwd',
  ])
    expect([reference, (await locateError({ scripts: { [url]: script(reference) } })).text]).toEqual([
      reference,
      `(${url}:1:11)`,
    ])
  expect(requests.map((request) => request.split(' ')[1])).toEqual([
    '/moved.map',
    '/long.map',
    '/packed.map',
    '/failed.map',
  ])
})

test('what is no map, or one of another version of the script, is not taken', async () => {
  const url = `${origin}/src/main.js`
  const maps = [
    '',
    'null',
    '[]',
    '{}',
    '{"version":3,"mappings":5}',
    mapOf('app.ts', { mappings: 'AAAA,SAEE;;;;AAAA' }),
  ]
  for (const map of maps)
    expect([map, (await locateError({ scripts: { [url]: script(inline(map)) } })).text]).toEqual([
      map,
      `(${url}:1:11)`,
    ])
})

test('a line that the source does not have is not named', async () => {
  const url = `${origin}/src/main.js`
  // Column 10 is line 33.
  const locate = async (map: string) => (await locateError({ scripts: { [url]: script(inline(map)) } })).text
  const mappings = 'AAAA,SAgCE'
  expect(await locate(mapOf('app.ts', { mappings }))).toBe(`(${url}:1:11)`)
  expect(await locate(mapOf('app.ts', { mappings, sourcesContent: undefined }))).toBe(`(${url}:1:11)`)
  expect(await locate(mapOf('app.ts', { sourcesContent: undefined }))).toBe('(src/app.ts:3)')
})

test('a script that the browser had already is fetched again, if it is still the same', async () => {
  const url = `${origin}/src/again.js`
  responses.set('/src/again.js', { body: script(inline(mapOf('app.ts'))), headers: { etag: '"2"' } })
  const locate = async (validator: string) =>
    (await locateError({ scripts: { [url]: '' }, readScript: async () => ({ validator }) })).text
  expect(await locate('"2"')).toBe('(src/app.ts:3)')
  expect(await locate('"1"')).toBe(`(${url}:1:11)`)
})

test('a call does not wait for a script that does not come', async () => {
  const url = `${origin}/src/app.ts`
  const { text } = await locateError({ scripts: { [url]: '' }, readScript: () => new Promise(() => {}) })
  expect(text).toBe(`(${url}:1:11)`)
})

test('a position in a component that ran on the server has the map that Next answers with', async () => {
  const file = `file://${folder}/.next/server/page.js`
  responses.set(`/__nextjs_source-map?filename=${encodeURIComponent(file)}`, {
    body: mapOf(`file://${folder}/src/app.ts`),
  })
  const locate = async (url: string) => (await locateError({ scripts: {} }, url)).text
  expect(await locate(`about://React/Server/${file}?3`)).toBe('(src/app.ts:3)')
  requests = []
  // The server is not asked for files outside of its folder.
  const outside = 'about://React/Server/file:///etc/passwd?3'
  expect(await locate(outside)).toBe(`(${outside}:1:11)`)
  expect(requests).toEqual([])
})

test('a module that Next has put into a running page has the map that it answers with', async () => {
  const module = `static/chunks/app.js?id=%255Bproject%255D/src/app.ts+(ecmascript)`
  for (const output of ['.next', '.next/dev']) {
    responses.clear()
    requests = []
    const file = `file://${folder}/${output}/${module}`
    responses.set(`/__nextjs_source-map?filename=${encodeURIComponent(file)}`, {
      body: mapOf(`file://${folder}/src/app.ts`),
    })
    const url = `${origin}/_next/${module}`
    const scripts = { [`${origin}/_next/static/chunks/app.js`]: '' }
    expect((await locateError({ scripts }, url)).text).toBe('(src/app.ts:3)')
  }
  // Another server is not asked.
  requests = []
  const elsewhere = `http://127.0.0.1:1/_next/${module}`
  expect((await locateError({ scripts: {} }, elsewhere)).text).toBe(`(${elsewhere}:1:11)`)
  expect(requests).toEqual([])
})

test('a map of a newer script of the dev server has the line that the older script had', async () => {
  const end = '\n//# sourceMappingURL=built.js.map'
  const old = `0123456789throw new Error("broken")${end}`
  const url = `${origin}/built.js`
  // The mappings of line 1 moved to line 3.
  const newMap = mapOf(`file://${folder}/src/app.ts`, { mappings: ';;AAAA,SAEE' })
  const locate = async (current: string | undefined) => {
    responses.set('/built.js', current === undefined ? { status: 404 } : { body: current })
    responses.set('/built.js.map', { body: newMap })
    return (await locateError({ scripts: { [url]: old } })).text
  }
  expect(await locate(`// new\n// lines\n${old}`)).toBe('(src/app.ts:3)')
  const unknown = `(${url}:1:11)`
  expect(await locate(`// new\n// lines\n0123456789fail()${end}`)).toBe(unknown)
  expect(await locate(undefined)).toBe(unknown)
})

test('a script that comes late is waited for as long as the caller wants', async () => {
  const url = `${origin}/src/app.ts`
  const locate = (timeoutMs: number | undefined) =>
    locateError(
      {
        scripts: { [url]: '' },
        readScript: async () => {
          await Bun.sleep(1000)
          return { text: script(inline(mapOf('app.ts'))) }
        },
        ...(timeoutMs !== undefined && { timeoutMs }),
      },
      url,
    )
  expect((await locate(60_000)).text).toBe('(src/app.ts:3)')
  expect((await locate(undefined)).text).toBe(`(${url}:1:11)`)
}, 300_000)

test('a position belongs to the script that had the URL then', async () => {
  const url = `${origin}/src/app.ts`
  const journal = createJournal({ entries: 100, bytes: 1e6 })
  const texts = [script(inline(mapOf('app.ts'))), script(inline(mapOf('other.ts')))]
  put('src/other.ts', code)
  const locator = createSourceLocator({
    journal,
    closing: new AbortController().signal,
    now: () => 10,
    route: async () => ({ proxy: undefined, isLoopbackOnly: false }),
    server: async () => ({ origin, folder }),
    readScript: async (seq) => ({ text: texts[seq - 1] ?? '' }),
  })
  locator.addScript({ seq: 1, url, at: 1 })
  for (const at of [2, 4])
    journal.add({ kind: 'console', level: 'error', at, text: `error: at ${at} ${url}:1:11` })
  locator.addScript({ seq: 2, url, at: 3 })
  const entries = await locator.locateEntries(journal.read({ limit: 2 }).entries)
  expect(entries.map(({ text }) => text)).toEqual(['error: at 2 src/app.ts:3', 'error: at 4 src/other.ts:3'])
})
