// Ways for an old page to look new, and for a new one to look old. Each has a page of its own; `WORD` is what the page shows once it is new.

import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type Stack, textOf, write, writePage } from './project.ts'

export interface Place {
  readonly folder: string
  /** The name of the page's folder. */
  readonly page: string
  call(tool: string, input?: object): Promise<any>
}

export interface Way {
  readonly name: string
  readonly only?: Stack
  /** The path of the page; its own folder by default. */
  readonly path?: (page: string) => string
  prepare?(place: Place): void
  change(place: Place): unknown
  /** The page is loaded again after the change. */
  readonly reloads?: true
  /** The page shows the same before and after. */
  readonly isSame?: true
}

export const WORD = 'new-word'

const edit =
  (part: string) =>
  ({ folder, page }: Place) => {
    const path = `${page}/${part}`
    const text = readFileSync(join(folder, path), 'utf8')
    write(folder, path, text.replace(/old-[\w.]+/, WORD))
  }
const both = (name: string, change: Way['change'], more: Partial<Way> = {}): Way[] => [
  { name, change, ...more },
  { name: `${name}, then a reload`, change, reloads: true, ...more },
]
const past = new Date(Date.now() - 864e6)
const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: folder,
    stdio: 'ignore',
  })
const inFolder = (name: string): Way => ({
  name: `a script in a folder named ${name}`,
  path: (page) => `/${page}/${name}/index.html`,
  prepare: ({ folder, page }) => writePage(folder, `${page}/${name}`),
  change: ({ folder, page }) =>
    edit('app.js')({ folder, page: `${page}/${name}`, call: async () => undefined }),
})

/** With the text of a file and a new word, as another file beside it with an old time. */
function backup({ folder, page }: Place, part: string): string {
  const path = join(folder, page, `${part}.bak`)
  writeFileSync(path, readFileSync(join(folder, page, part), 'utf8').replace(/old-[\w.]+/, WORD))
  utimesSync(path, past, past)
  return path
}

export const OLD_LOOKS_NEW: readonly Way[] = [
  ...['app.js', 'lib.js', 'data.json', 'style.css', 'index.html', 'logo.svg'].flatMap((part) =>
    both(`an edit of ${part}`, edit(part)),
  ),
  ...['docs', 'test', 'build', 'logs', 'vendor'].map(inFolder),
  {
    name: 'mv of a backup',
    change: (place) => renameSync(backup(place, 'app.js'), join(place.folder, place.page, 'app.js')),
  },
  {
    name: 'cp -p of a backup',
    change: (place) =>
      cpSync(backup(place, 'lib.js'), join(place.folder, place.page, 'lib.js'), { preserveTimestamps: true }),
  },
  {
    name: 'an edit that keeps size and time',
    change: ({ folder, page }) => {
      const path = join(folder, page, 'data.json')
      const { atime, mtime } = statSync(path)
      writeFileSync(path, JSON.stringify({ word: 'new-word.' }))
      utimesSync(path, atime, mtime)
    },
    prepare: ({ folder, page }) => write(folder, `${page}/data.json`, JSON.stringify({ word: 'old-word.' })),
  },
  {
    name: 'a checkout of another commit',
    prepare: ({ folder }) => (git(folder, 'add', '-A'), git(folder, 'commit', '-qm', 'a')),
    change(place) {
      edit('lib.js')(place)
      git(place.folder, 'commit', '-qam', 'b')
      git(place.folder, 'checkout', '-q', 'HEAD~1')
      git(place.folder, 'checkout', '-q', '-')
    },
  },
  {
    name: 'a folder that takes the place of another',
    change({ folder, page }) {
      cpSync(join(folder, page), join(folder, `${page}-next`), { recursive: true })
      edit('lib.js')({ folder, page: `${page}-next`, call: async () => undefined })
      renameSync(join(folder, page), join(folder, `${page}-last`))
      renameSync(join(folder, `${page}-next`), join(folder, page))
    },
  },
  {
    name: 'a service worker that answers from its cache',
    reloads: true,
    prepare: ({ folder, page }) => {
      write(
        folder,
        `${page}/worker.js`,
        `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()))
self.addEventListener('fetch', (event) => event.respondWith(caches.open('a').then(async (cache) => {
  const known = await cache.match(event.request)
  if (known) return known
  const answer = await fetch(event.request)
  cache.put(event.request, answer.clone())
  return answer
})))`,
      )
    },
    async change(place) {
      await place.call('evaluate', {
        script: `async () => { await navigator.serviceWorker.register('/${place.page}/worker.js'); await navigator.serviceWorker.ready; await new Promise((resolve) => setTimeout(resolve, 300)) }`,
      })
      await place.call('history', { direction: 'reload' })
      await place.call('history', { direction: 'reload' })
      edit('app.js')(place)
    },
  },
  {
    name: 'another tab that loads the new page',
    async change(place) {
      edit('app.js')(place)
      const { tabs } = (await place.call('tabs', { action: 'list' })).data
      await place.call('tabs', {
        action: 'new',
        url: `${(await place.call('get_session_status')).data.url}unused.css`,
      })
      await place.call('tabs', { action: 'select', tabId: tabs.at(-1).id ?? tabs.at(-1).tabId })
    },
  },
  {
    name: 'a template that the server keeps',
    only: 'static',
    path: (page) => `/view/${page}`,
    prepare: ({ folder, page }) => write(folder, `views/${page}.liquid`, textOf('a.liquid', 'old-view')),
    change: ({ folder, page }) => write(folder, `views/${page}.liquid`, textOf('a.liquid', WORD)),
    reloads: true,
  },
  {
    name: 'data that the server reads',
    only: 'static',
    path: (page) => `/words/${page}`,
    prepare: ({ folder, page }) => write(folder, `content/${page}.yaml`, 'word: old-words\n'),
    change: ({ folder, page }) => write(folder, `content/${page}.yaml`, `word: ${WORD}\n`),
  },
  {
    name: 'a module of the server',
    only: 'static',
    path: () => '/greeting',
    change: ({ folder }) => write(folder, 'server/greeting.mjs', `export const greeting = '${WORD}'\n`),
    reloads: true,
  },
  {
    name: 'variables of the environment',
    only: 'vite',
    prepare: ({ folder, page }) => {
      write(folder, '.env', 'VITE_WORD=old-env\n')
      write(folder, `${page}/lib.js`, "globalThis.words = ' ' + import.meta.env.VITE_WORD\n")
    },
    change: ({ folder }) => write(folder, '.env', `VITE_WORD=${WORD}\n`),
  },
  {
    name: 'a file that a style sheet imports',
    prepare: ({ folder, page }) => {
      write(folder, `${page}/part.css`, textOf('a.css', 'old-part'))
      write(folder, `${page}/style.css`, "@import './part.css';\n")
    },
    change: edit('part.css'),
  },
  {
    name: 'a script of a frame',
    prepare: ({ folder, page }) =>
      writePage(folder, page, `<iframe src="/${page}/frame/index.html"></iframe>`),
    change: edit('lib.js'),
  },
]

const same = (name: string, change: Way['change'], more: Partial<Way> = {}): Way => ({
  name,
  change,
  isSame: true,
  ...more,
})
const writes = (path: string, text = 'second\n'): Way =>
  same(`an edit of ${path}`, ({ folder }) => write(folder, path, `${text}${Math.random()}\n`))

export const NEW_LOOKS_OLD: readonly Way[] = [
  same('a touched file', ({ folder, page }) =>
    utimesSync(join(folder, page, 'app.js'), new Date(), new Date()),
  ),
  same('other permissions', ({ folder, page }) => chmodSync(join(folder, page, 'app.js'), 0o600)),
  same('a formatter that changes nothing', ({ folder, page }) => {
    for (const part of ['app.js', 'lib.js', 'index.html'])
      writeFileSync(join(folder, page, part), readFileSync(join(folder, page, part)))
  }),
  same('a file that takes the place of an equal one', ({ folder, page }) => {
    cpSync(join(folder, page, 'app.js'), join(folder, page, 'app.tmp'))
    renameSync(join(folder, page, 'app.tmp'), join(folder, page, 'app.js'))
  }),
  same('a checkout forth and back', ({ folder, page, call }) => {
    git(folder, 'add', '-A')
    git(folder, 'commit', '-qm', 'a')
    edit('lib.js')({ folder, page, call })
    git(folder, 'commit', '-qam', 'b')
    git(folder, 'checkout', '-q', 'HEAD~1')
  }),
  same('a stash that is taken back', ({ folder, page }) => {
    appendFileSync(join(folder, 'unused.js'), '// more\n')
    git(folder, 'add', '-A')
    git(folder, 'commit', '-qm', page)
  }),
  same('an edit that is undone', async ({ folder, page, call }) => {
    const path = join(folder, page, 'data.json')
    const text = readFileSync(path)
    writeFileSync(path, '{}')
    await call('get_session_status')
    writeFileSync(path, text)
  }),
  ...['app.js', 'lib.js', 'data.json', 'style.css', 'index.html'].map((part) => ({
    name: `an edit of ${part} that is loaded`,
    change: edit(part),
    reloads: true as const,
  })),
  ...[
    'test/a.test.js',
    'src/a.spec.ts',
    'README.md',
    'LICENSE',
    '.github/workflows/ci.yml',
    'eslint.config.js',
    'playwright.config.ts',
    '.vscode/settings.json',
    'unused.js',
    'unused.css',
    'types/a.d.ts',
    'Dockerfile',
    '.a.js.swp',
    'docs/guide.md',
    'CHANGELOG.md',
  ].map((path) => writes(path)),
  same(
    'a log that the server writes',
    ({ call }) => call('evaluate', { script: "fetch('/unused.css').then((answer) => answer.text())" }),
    { only: 'static' },
  ),
  same(
    'an upload that the server writes',
    ({ call }) =>
      call('evaluate', { script: "fetch('/upload', { method: 'POST' }).then((answer) => answer.text())" }),
    { only: 'static' },
  ),
  same('a picture that Footlight writes', ({ call }) => call('screenshot', { fullPage: true })),
  same('a server that was started again', ({ call }) => call('restart_server'), { reloads: true }),
  same('a file of an editor that comes and goes', ({ folder, page }) => {
    write(folder, `${page}/4913`, '')
    rmSync(join(folder, page, '4913'))
  }),
  same('an empty folder', ({ folder, page }) => mkdirSync(join(folder, page, 'components'))),
  same('a commit', ({ folder }) => {
    git(folder, 'add', '-A')
    git(folder, 'commit', '-qm', 'c', '--allow-empty')
  }),
]
