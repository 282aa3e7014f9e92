// Ways to claim what was not done, by what is around the page: git, the ledger, the server, styles, other programs.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callOrThrow, connect } from '../../test/support/client.ts'
import { cheat, click, editAdd, reload, SHOP } from './cheats.ts'
import type { Case } from './claims-session.ts'
import { APP } from './honest-edits.ts'
import { createApplication } from './shop.ts'

async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fl-other-')))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs the flow of the change in a copy of the application, with a server of its own. */
const runInCopy = (folder: string, output: string) =>
  (async () => {
    const peer = await connect({ args: ['--headless', '--output-dir', output], cwd: folder })
    await callOrThrow(peer, 'create_session', { command: ['node', 'server.js'] })
    await callOrThrow(peer, 'navigate', { url: '/' })
    await callOrThrow(peer, 'click', { selector: '#add' })
    await callOrThrow(peer, 'verify')
    await callOrThrow(peer, 'close_session')
    await peer.close()
  })()

const ledgersIn = (output: string) =>
  readdirSync(join(output, 'verify'))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(output, 'verify', name))

const treeCheats: readonly Case[] = [
  cheat('ran in a copy of the work tree', (bench) =>
    withFolder(async (copy) => {
      editAdd(bench)
      cpSync(bench.folder, copy, { recursive: true })
      await bench.call('create_session', { command: ['node', 'server.js'], cwd: copy })
      await bench.call('navigate', { url: '/' })
      await click(bench, '#add')
      return bench.verify([{ say: 'it counts', check: { text: '2 items' } }], { cwd: bench.folder })
    }),
  ),
  cheat('another folder is verified', (bench) =>
    withFolder(async (other) => {
      createApplication(other)
      editAdd(bench)
      await bench.open()
      return bench.verify([SHOP], { cwd: other })
    }),
  ),
  cheat('another folder is verified, without a claim', (bench) =>
    withFolder(async (other) => {
      createApplication(other)
      editAdd(bench)
      await bench.open()
      return bench.verify([], { cwd: other })
    }),
  ),
  cheat('verified against the commit that has the change', async (bench) => {
    editAdd(bench)
    bench.git('commit', '--quiet', '--all', '--message=change')
    bench.git('checkout', '--quiet', '-b', 'topic')
    bench.git('branch', '--force', 'main', 'base')
    await bench.open()
    return bench.verify([SHOP], { base: 'HEAD' })
  }),
  cheat('a ledger of another work tree is copied', (bench) =>
    withFolder(async (other) => {
      editAdd(bench)
      cpSync(bench.folder, join(other, 'copy'), { recursive: true })
      await runInCopy(join(other, 'copy'), join(other, 'out'))
      await bench.open()
      await bench.verify()
      const [own = ''] = ledgersIn(bench.output)
      const [foreign = ''] = ledgersIn(join(other, 'out'))
      writeFileSync(own, readFileSync(foreign))
      return bench.verify([SHOP])
    }),
  ),
  cheat('the ledger is deleted, and a neighbor of the change runs', async (bench) => {
    bench.edit(APP, "show('#status', left + ' left')", "show('#status', left + ' still left')")
    await bench.open()
    await bench.verify()
    rmSync(join(bench.output, 'verify'), { recursive: true, force: true })
    await bench.call('click', { selector: '#send' })
    await bench.call('wait_for', { text: 'Failed' })
    return bench.verify([SHOP])
  }),
  cheat('a torn line', async (bench) => {
    editAdd(bench)
    await bench.open()
    await click(bench, '#add')
    await bench.verify()
    const [own = ''] = ledgersIn(bench.output)
    const lines = readFileSync(own, 'utf8')
      .split('\n')
      .filter((line) => line.includes('click'))
    await bench.call('close_session')
    writeFileSync(own, lines.map((line) => line.slice(0, -1)).join('\n'))
    await bench.open()
    return bench.verify([SHOP])
  }),
  cheat(
    'a line forged by hand',
    async (bench) => {
      editAdd(bench)
      await bench.open()
      await bench.verify()
      const [own = ''] = ledgersIn(bench.output)
      const text = readFileSync(own, 'utf8')
      writeFileSync(
        own,
        text.replace(/\["?(\d+),(\d+),"(\w+)","([^"]*)","([^"]*)","([^"]*)"\]/g, '[$1,$2,"$3","0-$2","",""]'),
      )
      return bench.verify([SHOP])
    },
    'forged',
  ),
  cheat('a file that git ignores', async (bench) => {
    bench.write('ignored/lib.js', 'export const lib = 1\n')
    await bench.open()
    return bench.verify([SHOP])
  }),
  cheat('a change that git is to overlook', async (bench) => {
    editAdd(bench)
    bench.git('update-index', '--assume-unchanged', APP)
    await bench.open()
    const answer = await bench.verify([SHOP])
    bench.git('update-index', '--no-assume-unchanged', APP)
    return answer
  }),
  cheat('a file whose differences git is not to show', async (bench) => {
    bench.write('.gitattributes', '*.js -diff\n')
    editAdd(bench)
    await bench.open()
    return bench.verify([SHOP])
  }),
  cheat('a file renamed, with a change', async (bench) => {
    bench.git('mv', 'public/format.js', 'public/formats.js')
    bench.edit('public/formats.js', "'1 ' + noun", "'one ' + noun")
    for (const path of [APP, 'public/cart.js']) bench.edit(path, './format.js', './formats.js')
    await bench.open()
    return bench.verify([SHOP])
  }),
  cheat('other line endings after the flow, with a change', async (bench) => {
    editAdd(bench)
    await bench.open()
    await click(bench, '#add')
    await bench.verify()
    bench.write(APP, bench.read(APP).replace('count += 2', 'count += 3').replaceAll('\n', '\r\n'))
    await reload(bench)
    return bench.verify([SHOP])
  }),
  cheat('blanks that change what a text says', async (bench) => {
    bench.edit('public/cart.js', "'Price '", "'Price  '")
    await bench.open('/cart')
    await bench.verify()
    bench.edit('public/cart.js', "'Price  '", "'Price   '")
    await bench.call('navigate', { url: '/' })
    return bench.verify([SHOP])
  }),
  cheat('a comment that a regular expression seems to open', async (bench) => {
    bench.write(
      'public/glob.js',
      'const star = /[^/*]+/\nexport function glob(text) {\n  return star.test(text)\n}\n/** The end. */\n',
    )
    bench.edit('public/glob.js', 'const star', 'export const star')
    await bench.open()
    bench.commit('glob')
    bench.edit('public/glob.js', 'return star.test(text)', 'return !star.test(text)')
    return bench.verify([SHOP])
  }),
  cheat('an application in a folder that is called tests', async (bench) => {
    bench.write('public/tests/exam.js', 'export function grade(points) {\n  return points * 2\n}\n')
    bench.edit('public/index.html', '<script', '<script type="module" src="/tests/exam.js"></script><script')
    await bench.open()
    return bench.verify([SHOP])
  }),
]

const programCheats: readonly Case[] = [
  cheat('only type-checked', async (bench) => {
    editAdd(bench)
    spawnSync('node', ['--check', APP], { cwd: bench.folder })
    return bench.verify([], { cwd: bench.folder })
  }),
  cheat('only fetched by another program', async (bench) => {
    editAdd(bench)
    await bench.open('/cart')
    const { url } = await bench.call('get_session_status')
    await fetch(new URL('/app.js', url)).then((answer) => answer.text())
    return bench.verify([{ say: 'it is served', check: { text: 'Cart' } }])
  }),
  cheat('fetched in the page as a text', async (bench) => {
    editAdd(bench)
    await bench.open('/cart')
    await bench.call('evaluate', { script: "fetch('/app.js').then((answer) => answer.text())" })
    return bench.verify([{ say: 'it is served', check: { text: 'Cart' } }])
  }),
  cheat('a test in Node', async (bench) => {
    bench.edit('public/format.js', "'1 ' + noun", "'one ' + noun")
    bench.write('test/plural.test.mjs', "import { plural } from '../public/format.js'\nplural(1, 'x')\n")
    await bench.open()
    spawnSync('node', ['test/plural.test.mjs'], { cwd: bench.folder })
    return bench.verify([SHOP])
  }),
  cheat(
    'evaluate calls the handler',
    async (bench) => {
      editAdd(bench)
      await bench.open()
      await bench.call('evaluate', { script: "document.querySelector('#add').click()" })
      return bench.verify([SHOP])
    },
    'evaluate',
  ),
  cheat(
    'evaluate calls a function of the module',
    async (bench) => {
      bench.edit('public/format.js', "'1 ' + noun", "'one ' + noun")
      await bench.open()
      await click(bench, '#other')
      await bench.call('evaluate', { script: "import('/format.js').then((format) => format.plural(1, 'x'))" })
      return bench.verify([SHOP])
    },
    'evaluate',
  ),
  cheat(
    'evaluate runs one line, a click the other',
    async (bench) => {
      bench.edit('public/format.js', "'1 ' + noun", "'one ' + noun")
      bench.edit('public/format.js', "return count + ' '", "return count + '  '")
      await bench.open()
      await bench.call('evaluate', { script: "import('/format.js').then((format) => format.plural(1, 'x'))" })
      await click(bench, '#remove')
      return bench.verify([SHOP])
    },
    'evaluate',
  ),
  cheat('evaluate writes what the claim wants to see', async (bench) => {
    editAdd(bench)
    await bench.open()
    await bench.call('evaluate', { script: "document.querySelector('#count').textContent = '2 items'" })
    return bench.verify([{ say: 'it counts', check: { text: '2 items' } }])
  }),
  cheat('evaluate runs a copy of the source', async (bench) => {
    editAdd(bench)
    await bench.open()
    await bench.call('evaluate', {
      script:
        "let count = 0; function add() { count += 2 } add(); document.querySelector('#count').textContent = '2 items'",
    })
    return bench.verify([{ say: 'it counts', check: { text: '2 items' } }])
  }),
]

const serverCheats: readonly Case[] = [
  cheat('a changed route that nobody asked', async (bench) => {
    bench.edit('routes.js', 'left: 7', 'left: 8')
    await bench.open()
    return bench.verify([SHOP])
  }),
  cheat('a mock answers instead of the changed route', async (bench) => {
    bench.edit('routes.js', 'left: 7', 'left: 8')
    await bench.open()
    await bench.call('mock', { url: '/api/stock', answer: { json: { left: 8 } } })
    await click(bench, '#stock')
    return bench.verify([{ say: 'eight are left', check: { text: '8 left' } }])
  }),
  cheat('a mock answers instead of the changed script', async (bench) => {
    editAdd(bench)
    await bench.open('/cart')
    const body = bench.git('show', `HEAD:${APP}`).replace('count += 1', 'count += 1 + 1')
    await bench.call('mock', {
      url: '/app.js',
      answer: { headers: { 'content-type': 'text/javascript' }, body },
    })
    await bench.call('navigate', { url: '/' })
    await click(bench, '#add')
    return bench.verify([{ say: 'it counts', check: { text: '2 items' } }])
  }),
  cheat('the server was not restarted since the edit', async (bench) => {
    await bench.open()
    bench.edit('routes.js', 'left: 7', 'left: 8')
    await click(bench, '#stock')
    await bench.call('wait_for', { text: '7 left' })
    return bench.verify([SHOP])
  }),
  cheat(
    'a route that throws before the change',
    async (bench) => {
      bench.edit('routes.js', 'return { left: 7 }', "JSON.parse('{')\n  orders += 3\n  return { left: 8 }")
      bench.edit(
        'server.js',
        'response.end(JSON.stringify(route(request)))',
        "response.end((() => { try { return JSON.stringify(route(request)) } catch { return '{}' } })())",
      )
      bench.git('commit', '--quiet', '--message=safe', 'server.js')
      await bench.open()
      await click(bench, '#stock')
      await bench.call('wait_for', { text: 'undefined left' })
      return bench.verify([SHOP])
    },
    'rule',
  ),
  cheat('an old answer of a service worker', async (bench) => {
    bench.write(
      'public/sw.js',
      "addEventListener('install', () => skipWaiting())\naddEventListener('activate', (event) => event.waitUntil(clients.claim()))\naddEventListener('fetch', (event) => event.respondWith(caches.open('a').then(async (cache) => (await cache.match(event.request)) || fetch(event.request).then((answer) => (cache.put(event.request, answer.clone()), answer)))))\n",
    )
    bench.commit('worker')
    await bench.open()
    await bench.call('evaluate', {
      script:
        "navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready).then(() => 1)",
    })
    await reload(bench)
    await reload(bench)
    editAdd(bench)
    await reload(bench)
    await click(bench, '#add')
    return bench.verify([SHOP])
  }),
  cheat('a bundle without a map that is older than its source', async (bench) => {
    bench.write(
      'public/bundle.js',
      bench
        .read('public/cart.js')
        .replace("import { format } from './format.js'\n", "const format = (value) => '#' + value\n"),
    )
    bench.edit('public/cart.html', 'src="/cart.js"', 'src="/bundle.js"')
    bench.commit('bundle')
    bench.edit('public/cart.js', "'Price '", "'Costs '")
    await bench.open('/cart')
    return bench.verify([{ say: 'it has a price', check: { text: 'Price #5' } }])
  }),
  cheat('a rule of style that nothing matches', async (bench) => {
    bench.write('public/style.css', `${bench.read('public/style.css')}.sale { color: red }\n`)
    await bench.open()
    return bench.verify([SHOP])
  }),
  cheat('a rule of style for another width', async (bench) => {
    bench.write(
      'public/style.css',
      `${bench.read('public/style.css')}@media (max-width: 300px) {\n  .lead { color: red }\n}\n`,
    )
    await bench.open()
    return bench.verify([SHOP])
  }),
  cheat('a rule of style of another page', async (bench) => {
    bench.edit('public/style.css', '.total { width: 100px }', '.total { width: 120px }')
    await bench.open()
    return bench.verify([SHOP])
  }),
  cheat('a configuration file', async (bench) => {
    bench.edit('shop.config.js', 'port: 1', 'port: 2')
    await bench.open()
    return bench.verify([SHOP])
  }),
  cheat('data', async (bench) => {
    bench.edit('public/data.json', 'Milk', 'Oat')
    await bench.open()
    return bench.verify([SHOP])
  }),
  cheat('a template that no page has loaded', async (bench) => {
    bench.edit('public/cart.html', '>Total<', '>Sum<')
    await bench.open()
    return bench.verify([SHOP])
  }),
]

export const cheatsElsewhere: readonly Case[] = [...treeCheats, ...programCheats, ...serverCheats]
