// Twenty bugs of the kinds that developers make, in nine stacks. `__API__` is the address of a server of another origin.

import type { SeededBug } from './bug.ts'

const BROKEN_STATEMENT = 'const = 1'
const HANDLER = 'increment() {'
const brokenHandler = { from: HANDLER, to: `${HANDLER}\n    ${BROKEN_STATEMENT}` } as const
const clickCounter = { kind: 'click', selector: '#counter' } as const
const navigate = { kind: 'navigate' } as const

const inReact: readonly SeededBug[] = [
  {
    name: 'syntax error',
    application: 'vite-react',
    edits: [{ file: 'src/app.jsx', ...brokenHandler }],
    action: navigate,
    cause: ['src/app.jsx', BROKEN_STATEMENT],
  },
  {
    name: 'throwing component',
    application: 'vite-react',
    edits: [
      {
        file: 'src/profile.jsx',
        text: `export function Profile({ user }) {
  const label = 'Signed in as'
  return (
    <p>
      {label} {user.name}
    </p>
  )
}
`,
      },
      { file: 'src/app.jsx', from: 'import', to: "import { Profile } from './profile.jsx'\nimport" },
      { file: 'src/app.jsx', from: '<h1>First title</h1>', to: '<h1>First title</h1>\n      <Profile />' },
    ],
    action: navigate,
    cause: ['src/profile.jsx', 'user.name'],
  },
  {
    name: 'CORS',
    application: 'vite-react',
    edits: [
      {
        file: 'src/app.jsx',
        from: 'function increment() {\n    setCount(count + 1)',
        to: "async function increment() {\n    const response = await fetch('__API__/items')\n    setCount((await response.json()).length)",
      },
    ],
    action: clickCounter,
    cause: ['src/app.jsx', 'await fetch'],
  },
  {
    name: 'endless rendering',
    application: 'vite-react',
    edits: [{ file: 'src/app.jsx', from: 'useState(0)', to: 'useState(0)\n  setCount(count + 2)' }],
    action: navigate,
    cause: ['src/app.jsx', 'setCount(count + 2)'],
  },
  {
    name: '500 of an API route',
    application: 'next',
    edits: [
      {
        file: 'app/api/items/route.js',
        text: `const items = undefined

export async function GET() {
  return Response.json({ count: items.length })
}
`,
      },
      {
        file: 'app/page.jsx',
        from: 'function increment() {\n    setCount(count + 1)',
        to: "async function increment() {\n    const response = await fetch('/api/items')\n    if (response.ok) setCount((await response.json()).count)",
      },
    ],
    action: clickCounter,
    cause: ['app/api/items/route.js', 'items.length'],
  },
  {
    name: 'hydration mismatch',
    application: 'next',
    edits: [
      {
        file: 'app/page.jsx',
        from: '<h1>First title</h1>',
        to: "<h1>{typeof window === 'undefined' ? 'Server' : 'Browser'}</h1>",
      },
    ],
    action: navigate,
    cause: ['app/page.jsx', 'typeof window'],
  },
  {
    name: 'throwing server component',
    application: 'next',
    edits: [
      {
        file: 'app/report.js',
        text: `const reports = new Map()

export async function readReport() {
  return reports.get('latest').title
}
`,
      },
      {
        file: 'app/page.jsx',
        text: `import { readReport } from './report.js'

export default async function Page() {
  return <h1>{await readReport()}</h1>
}
`,
      },
    ],
    action: navigate,
    cause: ['app/report.js', "get('latest')"],
  },
]

const inVue: readonly SeededBug[] = [
  {
    name: 'missing import',
    application: 'vite-vue',
    edits: [
      { file: 'src/app.vue', from: "from 'vue'", to: "from 'vue'\nimport { format } from './format.js'" },
    ],
    action: navigate,
    cause: ['src/app.vue', './format.js'],
  },
  {
    name: 'endless loop',
    application: 'vite-vue',
    edits: [
      { file: 'src/app.vue', from: 'count.value += 1', to: 'while (count.value >= 0) count.value += 1' },
    ],
    action: clickCounter,
    cause: ['src/app.vue', 'while ('],
  },
  {
    name: 'wrong route of an API',
    application: 'vite-vue',
    edits: [
      {
        file: 'src/app.vue',
        from: 'function increment() {\n  count.value += 1',
        to: "async function increment() {\n  const { total } = await (await fetch('/api/itmes')).json()\n  count.value = total",
      },
    ],
    action: clickCounter,
    cause: ['src/app.vue', '/api/itmes'],
  },
  {
    name: 'throwing setup on the server',
    application: 'nuxt',
    edits: [
      {
        file: 'app/app.vue',
        from: 'const count = ref(0)',
        to: 'const count = ref(0)\nconst config = ref()\nconst label = config.value.label',
      },
    ],
    action: navigate,
    cause: ['app/app.vue', 'config.value.label'],
  },
]

const inSvelte: readonly SeededBug[] = [
  {
    name: 'missing export',
    application: 'vite-svelte',
    edits: [
      { file: 'src/increase.js', text: 'export const increaseBy = (count, step) => count + step\n' },
      {
        file: 'src/app.svelte',
        from: "import './counter.css'",
        to: "import './counter.css'\n  import { increase } from './increase.js'",
      },
      { file: 'src/app.svelte', from: 'count += 1', to: 'count = increase(count)' },
    ],
    action: navigate,
    cause: ['src/app.svelte', 'import { increase }'],
  },
  {
    name: 'rejected promise',
    application: 'vite-svelte',
    edits: [
      {
        file: 'src/settings.js',
        text: `const read = async () => ({ theme: undefined })

export async function readTheme() {
  const settings = await read()
  return settings.theme.name
}
`,
      },
      {
        file: 'src/app.svelte',
        from: "import './counter.css'",
        to: "import { onMount } from 'svelte'\n  import { readTheme } from './settings.js'\n  let theme = $state('')\n  onMount(async () => void (theme = await readTheme()))",
      },
      { file: 'src/app.svelte', from: 'First title', to: 'Theme {theme}' },
    ],
    action: { kind: 'wait_for', text: 'Theme dark' },
    cause: ['src/settings.js', 'settings.theme.name'],
  },
  {
    name: 'failing loader',
    application: 'sveltekit',
    edits: [
      {
        file: 'src/routes/items/+page.server.js',
        text: `export async function load() {
  return { items: await readItems() }
}

async function readItems() {
  throw new Error('the store of items is closed')
}
`,
      },
      { file: 'src/routes/items/+page.svelte', text: '<h1>Items</h1>\n' },
    ],
    action: { kind: 'navigate', path: '/items' },
    cause: ['src/routes/items/+page.server.js', 'throw new Error'],
  },
  {
    name: 'wrong route of a link',
    application: 'sveltekit',
    edits: [
      { file: 'src/routes/items/+page.svelte', text: '<h1>Items</h1>\n' },
      {
        file: 'src/routes/+page.svelte',
        from: '</h1>',
        to: '</h1>\n<nav>\n  <a id="items" href="/itmes">Items</a>\n</nav>',
      },
    ],
    action: { kind: 'click', selector: '#items' },
    cause: ['src/routes/+page.svelte', '/itmes'],
  },
]

const inOthers: readonly SeededBug[] = [
  {
    name: 'throwing module',
    application: 'webpack',
    edits: [
      {
        file: 'src/count-text.js',
        text: `const words = ['none']

export const countText = (count) => \`Count: \${words[count].toUpperCase()}\`
`,
      },
    ],
    action: clickCounter,
    cause: ['src/count-text.js', 'toUpperCase'],
  },
  {
    name: 'syntax error',
    application: 'webpack',
    edits: [{ file: 'src/index.js', ...brokenHandler }],
    action: navigate,
    cause: ['src/index.js', BROKEN_STATEMENT],
  },
  {
    name: 'type error in a template',
    application: 'angular',
    edits: [{ file: 'src/app.ts', from: '{{ count() }}', to: '{{ total() }}' }],
    action: navigate,
    cause: ['src/app.ts', 'total()'],
  },
  {
    name: 'throwing handler',
    application: 'angular',
    edits: [
      {
        file: 'src/app.ts',
        from: 'this.count.update(',
        to: "const step = new Map<string, { size: number }>().get('step')\n    this.count.set(step!.size)\n    this.count.update(",
      },
    ],
    action: clickCounter,
    cause: ['src/app.ts', 'step!.size'],
  },
  {
    name: '500 of an API',
    application: 'node',
    edits: [{ file: 'api/items.mjs', from: "'two'", to: 'undefined' }],
    action: clickCounter,
    cause: ['api/items.mjs', 'toUpperCase'],
  },
]

export const bugs: readonly SeededBug[] = [...inReact, ...inVue, ...inSvelte, ...inOthers]
