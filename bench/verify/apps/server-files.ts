// The view in applications that render on their servers too.

import type { Files } from '../../stacks.ts'
import { reactFiles } from './jsx-files.ts'
import { logic } from './logic.ts'
import { dom } from './template-files.ts'

export const astroFiles: Files = {
  // Its buttons come late, and would be clicked.
  'astro.config.mjs': 'export default { devToolbar: { enabled: false } }\n',
  'src/logic.ts': logic,
  'src/other.ts': `// @ts-nocheck\n${dom}`,
  'src/Card.astro': `---
import { describe, label, type Item } from './logic'

interface Props {
  readonly item: Item
}
const { item } = Astro.props
const text = item.count > 100 ? describe(item) : label(item)
---

<article>
  <h2>{text}</h2>
  {item.kind === 'gone' && (
    <p>gone</p>
  )}
</article>
`,
  'src/pages/index.astro': `---
import Card from '../Card.astro'
import { createItem, kinds, sort, total } from '../logic'

const items = ['one', 'three', 'seven'].flatMap((name, index) => createItem(name, kinds[index]) ?? [])
const sum = total(items)
if (sum > 1000) {
  throw new Error('too many')
}
---

<html>
  <head><title>Items</title></head>
  <body>
    <div id="root"></div>
    {sort(items, true).map((item) => (
      <Card item={item} />
    ))}
    <a href="/about">About</a>
    <button id="more">More</button>
    <script>
      import '../other'
      const more = document.querySelector('#more')
      more?.addEventListener('click', () => {
        more.textContent = more.textContent === 'More' ? 'Less' : 'More'
      })
      more?.addEventListener('dblclick', () => {
        more.remove()
      })
    </script>
  </body>
</html>
`,
  'src/pages/about.astro': `---
const isLate = new Date().getFullYear() < 2000
---

<html><body>
  <h1>About</h1>
  {isLate ? <p>late</p> : <p>early</p>}
  <a href="/">Home</a>
</body></html>
`,
}

export const nextAppFiles: Files = {
  ...reactFiles("'use client'\n\n"),
  'app/page.tsx': `import { App } from '../src/App'
import { createItem, total } from '../src/logic'

function Server({ count }: { count: number }) {
  if (count > 100) {
    return <p>many</p>
  }
  return <p>{count} made</p>
}

export default function Page() {
  const items = ['a', 'b'].flatMap((name) => createItem(name) ?? [])
  return (
    <div>
      <Server count={total(items)} />
      <App />
      <a href="/about">About</a>
    </div>
  )
}
`,
  'app/about/page.tsx': `import Link from 'next/link'

export default async function About() {
  const text = await Promise.resolve('About')
  return (
    <main>
      <h1>{text}</h1>
      <Link href="/">Home</Link>
    </main>
  )
}
`,
  'app/layout.tsx': `export default function Layout({ children }: { children: any }) {
  return <html><body>{children}</body></html>
}
`,
}

export const nextPagesFiles: Files = {
  ...reactFiles(),
  'pages/index.tsx': `import Link from 'next/link'
import { App } from '../src/App'
import { createItem, total } from '../src/logic'

export async function getServerSideProps() {
  const items = ['a', 'b'].flatMap((name) => createItem(name) ?? [])
  if (items.length > 5) {
    return { notFound: true }
  }
  return { props: { sum: total(items) } }
}

export default function Page({ sum }: { sum: number }) {
  return (
    <div>
      <App title={sum > 100 ? 'Many' : 'Few'} />
      <Link href="/about">About</Link>
    </div>
  )
}
`,
  'pages/about.tsx': `export default function About() {
  const text = 'About'
  return (
    <main>
      <h1>{text}</h1>
      <a href="/">Home</a>
    </main>
  )
}
`,
}
