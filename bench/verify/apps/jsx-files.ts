// The view in JSX: React, Preact, and with signals Solid.

import type { Files } from '../../stacks.ts'
import { logic } from './logic.ts'

const view = (list: string, act: (body: string) => string, read: (name: string) => string) => `
  return (
    <main>
      <h1>{title}</h1>
      {${read('items')}.length === 0 && (
        <p>Nothing yet</p>
      )}
      <label>
        Name
        <input
          value={${read('name')}}
          ${act('setName((event.target as HTMLInputElement).value)')}
        />
      </label>
      <button onClick={add}>Add</button>
      <button onClick={() => setItems(items().slice(1))}>Remove</button>
      <button
        onClick={() => {
          setItems(sort(items(), true) as Item[])
          store.say('sorted')
        }}
      >
        Sort
      </button>
      <button onClick={() => setOpen(!open())}>{${read('open')} ? 'Hide' : 'Show'}</button>
      <button onClick={() => void load(false).then(setText)}>Load</button>
      <button onClick={() => void load(true).then((text) => setText(text))}>Break</button>
      <button onDblClick={() => setText('twice')} onMouseEnter={() => undefined}>Twice</button>
      ${list}
      {${read('open')} ? <Details items={${read('items')}} /> : <p>Closed</p>}
      <p>{${read('text')}}</p>
    </main>
  )`

const row = `export function Row({ item, onDrop }: { item: Item; onDrop: (name: string) => void }) {
  const isMany = item.count > 3
  if (item.kind === 'gone') {
    return <li>gone</li>
  }
  return (
    <li className={isMany ? 'many' : 'few'}>
      {describe(item)} {label(item)}
      <button onClick={() => onDrop(item.name)}>Drop</button>
      {isMany && <em title={item.name}>many</em>}
    </li>
  )
}

export function Details({ items }: { items: readonly Item[] }) {
  const all = [...numbers(items.length)].map((index) => index + 1)
  return (
    <section>
      <h2>Details</h2>
      <p>{total(items)} of {all.length}</p>
      {items.length > 2 ? (
        <p>{find(items, 'a')?.name}</p>
      ) : (
        <p>Few</p>
      )}
    </section>
  )
}
`

const imports = (hooks: string) => `${hooks}
import {
  createItem,
  kinds,
  load,
  sort,
  store,
  type Item,
} from './logic'
import { Details, Row } from './parts'

interface AppProps {
  readonly title?: string
}
`

const list = `<ul>
        {shown.map((item, index) => (
          <Row key={index} item={item} onDrop={drop} />
        ))}
      </ul>`

const reactApp = (
  before: string,
  hooks: string,
  change: string,
  double: string,
) => `${before}${imports(hooks)}
export function App({ title = 'Items' }: AppProps) {
  const [shown, setItems] = useState<Item[]>([])
  const items = () => shown
  const [name, setName] = useState('')
  const [isOpen, setOpen] = useState(false)
  const open = () => isOpen
  const [text, setText] = useState('')
  const count = useMemo(() => shown.filter((item) => item.kind === 'fresh').length, [shown])

  useEffect(() => {
    const stop = store.listen((said) => setText(said))
    return () => {
      stop()
    }
  }, [])

  function add() {
    const item = createItem(name, kinds[count % 3])
    if (!item) {
      setText('A name is missing')
      return
    }
    setItems([...shown, item])
    setName('')
  }

  const drop = useCallback((gone: string) => {
    setItems((before) => before.filter((item) => item.name !== gone))
  }, [])
${view(
  list,
  (body) => `${change}={(event) => ${body}}`,
  (name_) => ({ items: 'shown', open: 'isOpen' })[name_] ?? name_,
).replace('onDblClick', double)}
}
`

/** `src/App.tsx` with React's hooks; `before` stands in front of each file. */
export const reactFiles = (before = ''): Files => ({
  'src/logic.ts': logic,
  'src/parts.tsx': `${before}import { describe, find, label, numbers, total, type Item } from './logic'\n\n${row}`,
  'src/App.tsx': reactApp(
    before,
    "import { useCallback, useEffect, useMemo, useState } from 'react'",
    'onChange',
    'onDoubleClick',
  ),
})

export const preactFiles: Files = {
  ...reactFiles(),
  'src/App.tsx': reactApp(
    '',
    "import { useCallback, useEffect, useMemo, useState } from 'preact/hooks'",
    'onInput',
    'onDblClick',
  ),
}

export const solidFiles: Files = {
  'src/logic.ts': logic,
  'src/parts.tsx': `import { describe, find, label, numbers, total, type Item } from './logic'\n\n${row.replace('className', 'class')}`,
  'src/App.tsx': `${imports("import { createEffect, createMemo, createSignal, For, onCleanup, Show } from 'solid-js'")}
export function App({ title = 'Items' }: AppProps) {
  const [items, setItems] = createSignal<Item[]>([])
  const [name, setName] = createSignal('')
  const [open, setOpen] = createSignal(false)
  const [text, setText] = createSignal('')
  const count = createMemo(() => items().filter((item) => item.kind === 'fresh').length)

  createEffect(() => {
    const stop = store.listen((said) => setText(said))
    onCleanup(() => {
      stop()
    })
  })

  const add = () => {
    const item = createItem(name(), kinds[count() % 3])
    if (!item) {
      setText('A name is missing')
      return
    }
    setItems([...items(), item])
    setName('')
  }

  const drop = (gone: string) => {
    setItems((before) => before.filter((item) => item.name !== gone))
  }
${view(
  `<ul>
        <For each={items()} fallback={<li>Empty</li>}>
          {(item) => <Row item={item} onDrop={drop} />}
        </For>
      </ul>
      <Show when={open()}>
        <b>Open</b>
      </Show>`,
  (body) => `onInput={(event) => ${body}}`,
  (name_) => `${name_}()`,
)}
}
`,
}
