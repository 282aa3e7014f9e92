// The same page in the syntaxes of the frameworks: ten elements of different kinds, each with `at('NAME')` in its tag. `made('NAME')` is in the
// tag of a wrapper, whose element is also written where the wrapper is used. Rows of equal tags follow a marked one, so that a line that is
// off by any number is likely to have the same tag.

import type { Files } from '../stacks.ts'

export const NAMES = [
  'root',
  'multi',
  'cond',
  'item',
  'nested',
  'other',
  'slot',
  'fragment',
  'helper',
  'wrapped',
] as const

export const at = `// Names of elements.

export const at = (name: string, index = 0): string => (index === 0 ? \`at-\${name}\` : \`at-\${name}-\${index}\`)

export const made = (name: string): object => ({ title: name })
`

export const types = `export interface Row {
  readonly name: string
  readonly index: number
}

export interface Props {
  readonly title: string
}

export const first = 1
export const second = 2
export const third = 3
`

const imports = `import {
  first,
  second,
  third,
  type Props,
  type Row,
} from './types'
import { at } from './at'`

export const rowsOf = (line: string) => Array.from({ length: 45 }, () => line).join('\n')

const rows = `const rows: Row[] = [
  { name: 'One', index: 0 },
  { name: 'Two', index: 1 },
  { name: 'Three', index: 2 },
]

/** The sum of what is imported. */
const sum = (more: number): number => first + second + third + more`

interface JsxOptions {
  /** What stands in front of each file, such as an import of a library. */
  readonly before?: string
  readonly children: string
}

/** `src/App.tsx`, which exports App, and what it needs. */
export const jsxFiles = (options: JsxOptions): Files => ({
  'src/at.ts': at,
  'src/types.ts': types,
  'src/Panel.tsx': panelOf(options),
  'src/styled.tsx': styledOf(options),
  'src/App.tsx': `${appHeadOf(options)}${jsxApp}`,
})

const panelOf = ({ before = '', children }: JsxOptions) => `${before}import { at } from './at'

interface PanelProps {
  readonly children: ${children}
}

export function Panel(props: PanelProps) {
  return (
    <aside id={at('other')}>
      <h3>Panel</h3>
      {props.children}
    </aside>
  )
}
`

const styledOf = ({ before = '' }: JsxOptions) => `${before}import { made } from './at'

type Attributes = Record<string, unknown>

/** A component for a tag with a class, as libraries for CSS make it. */
export function styled(tag: 'a' | 'b', name: string) {
  const Tag = tag as unknown as (props: Attributes) => any
  return function Styled(props: Attributes) {
    return <Tag {...made('wrapped')} data-style={name} {...props} />
  }
}
`

const appHeadOf = ({ before = '' }: JsxOptions) => `${before}${imports}
import { Panel } from './Panel'
import { styled } from './styled'

const Link = styled('a', 'link')

${rows}

function Nested({ title }: Props) {
  return (
    <section id={at('nested')}>
      <h2>{title}</h2>
    </section>
  )
}

const describe = (row: Row) => <b id={at('helper', row.index)}>{row.name}</b>

`

const jsxApp = `export function App() {
  const total: number = sum(4)
  return (
    <main id={at('root')}>
      <input
        type="text"
        id={at('multi')}
      />
${rowsOf('      <input type="text" />')}
      {total > 1 && (
        <p id={at('cond')}>Total {total}</p>
      )}
${rowsOf('      <p>Row</p>')}
      <ul>
        {rows.map((row) => (
          <li key={row.name} id={at('item', row.index)}>
            {describe(row)}
          </li>
        ))}
      </ul>
      <Nested title="Nested" />
      <Panel>
        <button type="button" id={at('slot')}>Slot</button>
        <button type="button">Other</button>
      </Panel>
      {total > 2 && (
        <>
          <em>Before</em>
          <em id={at('fragment')}>Fragment</em>
        </>
      )}
      <Link id={at('wrapped')} href="#wrapped">Wrapped</Link>
${rowsOf('      <section><em>Row</em></section>')}
    </main>
  )
}
`

export const vueFiles: Files = {
  'src/at.ts': at,
  'src/types.ts': types,
  'src/Panel.vue': `<script setup lang="ts">
import { at } from './at'
</script>

<template>
  <aside :id="at('other')">
    <h3>Panel</h3>
    <slot />
  </aside>
</template>
`,
  'src/Nested.vue': `<script setup lang="ts">
import { at } from './at'
defineProps<{ readonly title: string }>()
</script>

<template>
  <section :id="at('nested')">
    <h2>{{ title }}</h2>
  </section>
</template>
`,
  'src/Styled.vue': `<script setup lang="ts">
import { made } from './at'
defineProps<{ readonly tag: string }>()
</script>

<template>
  <component :is="tag" v-bind="made('wrapped')"><slot /></component>
</template>
`,
  'src/helper.ts': `import { h } from 'vue'
import { at } from './at'
import type { Row } from './types'

export const Helper = (row: Row) => h('b', { id: at('helper', row.index) }, row.name)
`,
  'src/App.vue': `<script setup lang="ts">
${imports}
import Panel from './Panel.vue'
import Nested from './Nested.vue'
import Styled from './Styled.vue'
import { Helper } from './helper'

${rows}
const total: number = sum(4)
const shown: Props = { title: 'Nested' }
</script>

<template>
  <main :id="at('root')">
    <input
      type="text"
      :id="at('multi')"
    />
${rowsOf('    <input type="text" />')}
    <p v-if="total > 1" :id="at('cond')">Total {{ total }}</p>
${rowsOf('    <p>Row</p>')}
    <ul>
      <li v-for="row in rows" :key="row.name" :id="at('item', row.index)">
        <Helper :name="row.name" :index="row.index" />
      </li>
    </ul>
    <Nested :title="shown.title" />
    <Panel>
      <button type="button" :id="at('slot')">Slot</button>
      <button type="button">Other</button>
    </Panel>
    <template v-if="total > 2">
      <em>Before</em>
      <em :id="at('fragment')">Fragment</em>
    </template>
    <Styled tag="a" :id="at('wrapped')" href="#wrapped">Wrapped</Styled>
${rowsOf('    <section><em>Row</em></section>')}
  </main>
</template>

<style scoped>
main {
  color: black;
}
</style>
`,
}

/** \`main.ts\` mounts App. */
export const svelteFiles: Files = {
  'src/at.ts': at,
  'src/types.ts': types,
  'src/Panel.svelte': `<script lang="ts">
  import { at } from './at'
</script>

<aside id={at('other')}>
  <h3>Panel</h3>
  <slot />
</aside>
`,
  'src/Nested.svelte': `<script lang="ts">
  import type { Props } from './types'
  import { at } from './at'

  interface More extends Props {
    readonly unused?: number
  }

  export let title: More['title']
</script>

<section id={at('nested')}>
  <h2>{title}</h2>
</section>
`,
  'src/Styled.svelte': `<script lang="ts">
  import { made } from './at'

  export let tag: string
</script>

<svelte:element this={tag} {...made('wrapped')} {...$$restProps}><slot /></svelte:element>
`,
  'src/Helper.svelte': `<script lang="ts">
  import { at } from './at'
  import type { Row } from './types'

  export let row: Row
</script>

{#key row.name}
  <b id={at('helper', row.index)}>{row.name}</b>
{/key}
`,
  'src/App.svelte': `<script lang="ts">
${imports
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
  import Panel from './Panel.svelte'
  import Nested from './Nested.svelte'
  import Styled from './Styled.svelte'
  import Helper from './Helper.svelte'

${rows
  .split('\n')
  .map((line) => (line === '' ? '' : `  ${line}`))
  .join('\n')}
  const total: number = sum(4)
  const shown: Props = { title: 'Nested' }
</script>

<main id={at('root')}>
  <input
    type="text"
    id={at('multi')}
  />
${rowsOf('  <input type="text" />')}
  {#if total > 1}
    <p id={at('cond')}>Total {total}</p>
  {/if}
${rowsOf('  <p>Row</p>')}
  <ul>
    {#each rows as row}
      <li id={at('item', row.index)}>
        <Helper {row} />
      </li>
    {/each}
  </ul>
  <Nested title={shown.title} />
  <Panel>
    <button type="button" id={at('slot')}>Slot</button>
    <button type="button">Other</button>
  </Panel>
  {#await Promise.resolve(1) then}
    <em>Before</em>
    <em id={at('fragment')}>Fragment</em>
  {/await}
  <Styled tag="a" id={at('wrapped')} href="#wrapped">Wrapped</Styled>
${rowsOf('  <section><em>Row</em></section>')}
</main>

<style>
  main {
    color: black;
  }
</style>
`,
}

export const astroFiles: Files = {
  'src/at.ts': at,
  'src/types.ts': types,
  'src/Panel.astro': `---
import { at } from './at'
---

<aside id={at('other')}>
  <h3>Panel</h3>
  <slot />
</aside>
`,
  'src/Nested.astro': `---
import type { Props } from './types'
import { at } from './at'
const { title } = Astro.props as Props
---

<section id={at('nested')}>
  <h2>{title}</h2>
</section>
`,
  'src/Styled.astro': `---
import { made } from './at'
const { tag: Tag, ...rest } = Astro.props
---

<Tag {...made('wrapped')} {...rest}><slot /></Tag>
`,
  'src/App.astro': `---
${imports}
import Panel from './Panel.astro'
import Nested from './Nested.astro'
import Styled from './Styled.astro'

${rows}
const total: number = sum(4)
const shown: Props = { title: 'Nested' }
---

<main id={at('root')}>
  <input
    type="text"
    id={at('multi')}
  />
${rowsOf('  <input type="text" />')}
  {total > 1 && (
    <p id={at('cond')}>Total {total}</p>
  )}
${rowsOf('  <p>Row</p>')}
  <ul>
    {rows.map((row) => (
      <li id={at('item', row.index)}>
        {[row].map((one) => <b id={at('helper', one.index)}>{one.name}</b>)}
      </li>
    ))}
  </ul>
  <Nested title={shown.title} />
  <Panel>
    <button type="button" id={at('slot')}>Slot</button>
    <button type="button">Other</button>
  </Panel>
  <>
    <em>Before</em>
    <em id={at('fragment')}>Fragment</em>
  </>
  <Styled tag="a" id={at('wrapped')} href="#wrapped">Wrapped</Styled>
${rowsOf('  <section><em>Row</em></section>')}
</main>
`,
  'src/pages/index.astro': `---
import App from '../App.astro'
---

<html><head><title>Lines</title></head><body><App /></body></html>
`,
}
