// The servers whose pages are edited, and the edits.

import { serveStatically, startWithoutWatch } from './freshness-servers.ts'
import { placeCopy } from './place.ts'
import { inCopy, inFolder, unpackDokuWiki, type Place } from './servers/place.ts'

export interface Edit {
  readonly kind: 'template' | 'code' | 'data' | 'generated' | 'api'
  readonly file: string
  /** What is replaced, and with what: with the title, unless said otherwise. */
  readonly from?: string
  readonly to?: (title: string) => string
  /** The whole file instead. */
  readonly text?: (title: string) => string
  /** False if the page does not show it. */
  readonly isShown?: false
}

export interface Stack {
  readonly name: string
  readonly command: string
  readonly path?: string
  readonly edits: readonly Edit[]
  place(): Promise<Place>
}

const appStack = (name: string, file: string): Stack => ({
  name,
  command: 'npm run dev',
  edits: [{ kind: 'code', file, from: 'First title' }],
  place: () => inFolder((folder) => placeCopy(name, folder)),
})

const template = (file: string): Edit => ({ kind: 'template', file, from: 'in the list' })
// Written by a tool of the project, and read by nothing that serves the page.
const generated = (file: string): Edit => ({
  kind: 'generated',
  file,
  text: (title) => `version = "${title}"\n`,
  isShown: false,
})

export const stacks: readonly Stack[] = [
  {
    name: 'static',
    command: 'node server.mjs',
    edits: [{ kind: 'template', file: 'index.html', from: 'First title' }],
    place: () => inFolder(serveStatically),
  },
  {
    name: 'no-watch',
    command: 'node server.mjs',
    edits: [{ kind: 'code', file: 'title.mjs', from: 'First title' }, generated('tools/version.mjs')],
    place: () => inFolder(startWithoutWatch),
  },
  ...(['sinatra', 'sinatra-production'] as const).map((name) => ({
    name,
    command: name === 'sinatra' ? 'puma -p $PORT' : 'APP_ENV=production puma -e production -p $PORT',
    edits: [
      template('views/notes.erb'),
      {
        kind: 'code' as const,
        file: 'app.rb',
        from: 'set :notes, []',
        to: (title: string) => `set :notes, ['${title}']`,
      },
      generated('tools/version.rb'),
    ],
    place: inCopy('sinatra'),
  })),
  ...(['flask', 'flask-debug', 'gunicorn'] as const).map((name) => ({
    name,
    command:
      name === 'gunicorn'
        ? 'gunicorn --workers 2 app:app'
        : `/usr/bin/python3 -m flask ${name === 'flask' ? '' : '--debug '}run -p $PORT`,
    edits: [
      template('templates/notes.html'),
      {
        kind: 'code' as const,
        file: 'app.py',
        from: 'notes=notes',
        to: (title: string) => `notes=[(0, "${title}")]`,
      },
      generated('tools/version.py'),
    ],
    place: inCopy('flask'),
  })),
  {
    name: 'django',
    command: '/usr/bin/python3 manage.py migrate && /usr/bin/python3 manage.py runserver $PORT',
    edits: [
      template('notes/templates/notes.html'),
      {
        kind: 'code',
        file: 'notes/views.py',
        from: '{"notes": Note.objects.order_by("id")}',
        to: (title) => `{"notes": [{"text": "${title}"}]}`,
      },
      generated('tools/version.py'),
    ],
    place: inCopy('django'),
  },
  {
    name: 'php',
    command: 'php -S 127.0.0.1:$PORT',
    edits: [
      template('index.php'),
      { kind: 'data', file: 'notes.json', text: (title) => JSON.stringify([title]) },
      generated('tools/version.php'),
    ],
    place: inCopy('php'),
  },
  {
    name: 'dokuwiki',
    command: 'php -S 127.0.0.1:$PORT',
    path: '/doku.php?id=start',
    edits: [
      { kind: 'data', file: 'data/pages/start.txt', from: 'Welcome to the wiki' },
      {
        kind: 'template',
        file: 'lib/tpl/dokuwiki/tpl_header.php',
        from: "lang['site_tools']",
        to: (title) => `lang['site_tools'] . '${title}'`,
      },
    ],
    place: inCopy('dokuwiki', unpackDokuWiki),
  },
  {
    name: 'go',
    command: 'go run .',
    edits: [
      template('notes.html'),
      {
        kind: 'code',
        file: 'main.go',
        from: 'var notes []string',
        to: (title) => `var notes = []string{"${title}"}`,
      },
      generated('tools/version.go'),
    ],
    place: inCopy('go'),
  },
  {
    name: 'hugo',
    command: 'hugo server -p $PORT',
    path: '/news/harvest/',
    edits: [
      { kind: 'template', file: 'layouts/_default/single.html', from: 'words' },
      { kind: 'data', file: 'content/news/harvest.md', from: 'good' },
    ],
    place: inCopy('hugo'),
  },
  {
    name: 'turborepo',
    command: 'npm run dev',
    edits: [
      { kind: 'code', file: 'apps/web/src/main.js', from: 'in the list' },
      {
        kind: 'api',
        file: 'apps/api/server.mjs',
        from: 'let notes = []',
        to: (title) => `let notes = ['${title}']`,
      },
    ],
    place: () => inFolder((folder) => placeCopy('turborepo', folder)),
  },
  {
    name: 'json-server',
    command: 'npm run dev',
    edits: [{ kind: 'code', file: 'src/main.js', from: 'in the list' }],
    place: () => inFolder((folder) => placeCopy('json-server', folder)),
  },
  appStack('vite-react', 'src/app.jsx'),
  appStack('vite-vue', 'src/app.vue'),
  appStack('vite-svelte', 'src/app.svelte'),
  appStack('sveltekit', 'src/routes/+page.svelte'),
  appStack('webpack', 'src/index.js'),
  appStack('next', 'app/page.jsx'),
  appStack('nuxt', 'app/app.vue'),
  appStack('angular', 'src/app.ts'),
  appStack('astro', 'src/pages/index.astro'),
  appStack('tsc', 'src/title.ts'),
]
