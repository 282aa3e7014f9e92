// `bun bench/verify/blank.ts [PART]`: ten ways in which libraries empty a page, each said with its line or not; and pages that are merely short
// or on their way, of which nothing may be said. Packages are installed once into ~/.cache/footlight-source-lines. The tables go to stdout.

import { appendFileSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { callOrThrow, connect, type Peer } from '../../test/support/client.ts'
import { git } from '../../test/support/small-shop.ts'
import { installPackages } from '../install-packages.ts'
import { VITE_PACKAGES } from '../vite-packages.ts'
import { writeSource } from '../write-source.ts'
import { type BlankWay, blankWays } from './blank-ways.ts'
import { type ShortPage, shortPages } from './short-pages.ts'

const START_LIMIT_MS = 110_000
const SESSIONS = 4

async function tryWay(peer: Peer, way: BlankWay, isRead: boolean): Promise<readonly string[]> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-blank-')))
  const call = (tool: string, input: Record<string, unknown> = {}) => callOrThrow(peer, tool, input)
  try {
    const modules = installPackages('footlight-source-lines', { ...VITE_PACKAGES, ...way.packages })
    symlinkSync(join(modules, 'node_modules'), join(folder, 'node_modules'))
    writeSource(folder, 'package.json', '{ "private": true, "type": "module" }')
    writeSource(folder, '.gitignore', 'node_modules')
    git(folder, 'init', '--quiet', '--initial-branch=main')
    git(folder, 'add', '--all')
    git(folder, 'commit', '--quiet', '--message=empty')
    // All of the application is the change.
    for (const [file, text] of Object.entries(way.files)) writeSource(folder, file, text)
    const command = 'npx vite --port $PORT --strictPort'
    await call('create_session', {
      command,
      cwd: folder,
      readyTimeout: START_LIMIT_MS,
      env: { NODE_ENV: '' },
    })
    await call('navigate', { url: '/', timeout: 60_000 })
    await call('wait_for', { selector: 'h1', timeout: 60_000 })
    if (isRead) await call('snapshot')
    if (way.edit) appendFileSync(join(folder, way.edit.file), way.edit.append)
    const { notes = [] } = way.click
      ? await call('click', { selector: way.click })
      : await call('history', { direction: 'reload' })
    const isEmpty = (await call('evaluate', { script: 'document.body.innerText.trim()' })).result === ''
    const sentence = notes.find((note: string) => note.includes('The page is blank')) ?? ''
    const { blank = '' } = await call('get_session_status')
    const { snapshot } = await call('snapshot')
    const { verdict, errors = [] } = await call('verify')
    const named = way.guilty === undefined ? '-' : sentence.includes(way.guilty) ? 'yes' : 'NO'
    const inSnapshot = snapshot.includes('The page is blank')
    return [
      isEmpty,
      sentence !== '',
      named,
      inSnapshot,
      blank !== '',
      verdict,
      `${sentence} [${errors}]`,
    ].map(String)
  } finally {
    await peer.call('close_session')
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureWays(peer: Peer, part: string): Promise<void> {
  console.log(
    '| way | snapshot before | emptied | said | line named | in snapshot | in status | verdict | words |',
  )
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |')
  for (const way of blankWays.filter(({ name }) => name.includes(part)))
    for (const isRead of [false, true]) {
      const cells = await tryWay(peer, way, isRead).catch((error: Error) => [error.message])
      console.log(`| ${[way.name, isRead, ...cells].join(' | ')} |`)
    }
}

const full = `<h1>Full</h1>${'<p>Row</p>'.repeat(38)}<a id="link">Go</a><button id="part">Part</button>`

/** The pages by number, and the full page that leads to one of them. */
function serve(): Promise<{ readonly origin: string; close(): void }> {
  const page = (body: string) => `<!doctype html><title>Page</title><body>${body}</body>`
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
    const [, kind = '', number = ''] = /^\/(\w+)\/?(\d*)$/.exec(pathname) ?? []
    const short = shortPages[Number(number)]
    const send = (text: string, type = 'text/html', ms = 0) =>
      setTimeout(() => response.setHeader('content-type', type).end(text), ms)
    if (kind === 'short' && short)
      return send(short.type ? short.body : page(short.body), short.type, short.delay)
    if (kind === 'slow') return send('Here', 'text/plain', Number(searchParams.get('ms')))
    if (kind === 'module')
      return send("document.body.append('Here')", 'text/javascript', Number(searchParams.get('ms')))
    if (kind === 'login') return send(page('<input name="user">'))
    const body = JSON.stringify(short?.body ?? '').replaceAll('<', '\\u003c')
    return send(
      page(`${full}<script>
link.href = '/short/${number}'
part.onclick = () => {
  const range = document.createRange()
  document.body.replaceChildren(range.createContextualFragment(${body}))
}
</script>`),
    )
  })
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({
        origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        close: () => server.close(),
      }),
    ),
  )
}

async function tryPage(
  { call }: Pick<Peer, 'call'>,
  url: string,
  selector: string,
  isRead: boolean,
): Promise<string> {
  const { data } = await call('navigate', { url })
  if (isRead) await call('snapshot')
  const click = await call('click', { selector })
  const [status, snapshot] = [await call('get_session_status'), await call('snapshot')]
  const words = [click, status, snapshot].map(({ result }) => JSON.stringify(result))
  return data === undefined ? 'no page' : (words.find((text) => /page is blank|"blank"/.test(text)) ?? '')
}

async function measurePages(peer: Peer): Promise<void> {
  const { origin, close } = await serve()
  const counts = new Map<string, { pages: number; wrong: number }>()
  const ways = (page: ShortPage) => (page.isPart || page.isLate ? ['#link', '#part'] : ['#link'])
  const open = shortPages.flatMap((page, index) => ways(page).map((selector) => ({ page, index, selector })))
  const worker = async () => {
    const { sessionId } = await callOrThrow(peer, 'create_session')
    const call: Peer['call'] = (tool, input) => peer.call(tool, { sessionId, ...input })
    for (let next = open.shift(); next; next = open.shift()) {
      const { page, index, selector } = next
      const wrong = await tryPage({ call }, `${origin}/full/${index}`, selector, open.length % 2 === 0)
      if (wrong !== '')
        console.error(`${page.name}, ${selector}, ${page.body.slice(0, 80)}: ${wrong.slice(0, 300)}`)
      const count = counts.get(page.name) ?? { pages: 0, wrong: 0 }
      counts.set(page.name, { pages: count.pages + 1, wrong: count.wrong + (wrong === '' ? 0 : 1) })
    }
  }
  await Promise.all(Array.from({ length: SESSIONS }, worker))
  close()
  const total = [...counts.values()].reduce(
    (sum, { pages, wrong }) => ({ pages: sum.pages + pages, wrong: sum.wrong + wrong }),
    { pages: 0, wrong: 0 },
  )
  console.log('\n| pages that are not blank | pages | said to be blank |\n| --- | --- | --- |')
  for (const [name, { pages, wrong }] of [...counts, ['all', total] as const])
    console.log(`| ${name} | ${pages} | ${wrong} |`)
}

const [part = ''] = process.argv.slice(2)
const peer = await connect({ env: { NODE_ENV: '' } })
if (part !== 'pages') await measureWays(peer, part)
if (part === '' || part === 'pages') await measurePages(peer)
await peer.close()
process.exit(0)
