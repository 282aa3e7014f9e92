// The view in the syntax of Vue, Svelte and Lit, and with the DOM alone.

import type { Files } from '../../stacks.ts'
import { logic } from './logic.ts'

const vueRow = `<script setup lang="ts">
import { computed } from 'vue'
import { describe, label, type Item } from './logic'

const props = defineProps<{ readonly item: Item }>()
const emit = defineEmits<{ drop: [name: string] }>()
const isMany = computed(() => props.item.count > 3)
function drop() {
  emit('drop', props.item.name)
}
</script>

<template>
  <li v-if="item.kind === 'gone'">gone</li>
  <li v-else :class="isMany ? 'many' : 'few'">
    {{ describe(item) }} {{ label(item) }}
    <button @click="drop">Drop</button>
    <em v-if="isMany" :title="item.name">many</em>
  </li>
</template>

<style scoped>
.many {
  color: red;
}
</style>
`

export const vueFiles: Files = {
  'src/logic.ts': logic,
  'src/Row.vue': vueRow,
  'src/App.vue': `<script setup lang="ts">
import { computed, onMounted, onUnmounted, ref, watch } from 'vue'
import { createItem, kinds, load, numbers, sort, store, total, type Item } from './logic'
import Row from './Row.vue'

const items = ref<Item[]>([])
const name = ref('')
const open = ref(false)
const text = ref('')
const count = computed(() => items.value.filter((item) => item.kind === 'fresh').length)
const all = computed(() => [...numbers(items.value.length)].length)

let stop = () => {}
onMounted(() => {
  stop = store.listen((said) => (text.value = said))
})
onUnmounted(() => {
  stop()
})
watch(open, (isOpen) => {
  if (isOpen) {
    text.value = 'opened'
  } else {
    text.value = 'closed'
  }
})

function add() {
  const item = createItem(name.value, kinds[count.value % 3])
  if (!item) {
    text.value = 'A name is missing'
    return
  }
  items.value = [...items.value, item]
  name.value = ''
}

function sortAll() {
  items.value = [...sort(items.value, true)]
  store.say('sorted')
}

const read = async (isBroken: boolean) => {
  text.value = await load(isBroken)
}

const drop = (gone: string) => {
  items.value = items.value.filter((item) => item.name !== gone)
}
</script>

<template>
  <main>
    <h1>Items</h1>
    <p v-if="items.length === 0">Nothing yet</p>
    <label>Name <input v-model="name" /></label>
    <button @click="add">Add</button>
    <button @click="items = items.slice(1)">Remove</button>
    <button @click="sortAll">Sort</button>
    <button @click="open = !open">{{ open ? 'Hide' : 'Show' }}</button>
    <button @click="read(false)">Load</button>
    <button @click="() => read(true)">Break</button>
    <button @dblclick="text = 'twice'">Twice</button>
    <ul>
      <Row
        v-for="(item, index) in items"
        :key="index"
        :item="item"
        @drop="drop"
      />
    </ul>
    <section v-if="open">
      <h2>Details</h2>
      <p>{{ total(items) }} of {{ all }}</p>
    </section>
    <p v-else>Closed</p>
    <p>{{ text }}</p>
  </main>
</template>
`,
}

const svelteRow = `<script lang="ts">
  import { describe, label, type Item } from './logic'

  let { item, onDrop }: { item: Item; onDrop: (name: string) => void } = $props()
  const isMany = $derived(item.count > 3)
  function drop() {
    onDrop(item.name)
  }
</script>

{#if item.kind === 'gone'}
  <li>gone</li>
{:else}
  <li class={isMany ? 'many' : 'few'}>
    {describe(item)} {label(item)}
    <button onclick={drop}>Drop</button>
    {#if isMany}
      <em title={item.name}>many</em>
    {/if}
  </li>
{/if}

<style>
  .many {
    color: red;
  }
</style>
`

export const svelteFiles: Files = {
  'src/logic.ts': logic,
  'src/Row.svelte': svelteRow,
  'src/App.svelte': `<script lang="ts">
  import { onMount } from 'svelte'
  import { createItem, kinds, load, numbers, sort, store, total, type Item } from './logic'
  import Row from './Row.svelte'

  let items = $state<Item[]>([])
  let name = $state('')
  let open = $state(false)
  let text = $state('')
  const count = $derived(items.filter((item) => item.kind === 'fresh').length)
  const all = $derived([...numbers(items.length)].length)

  onMount(() => {
    const stop = store.listen((said) => (text = said))
    return () => {
      stop()
    }
  })

  $effect(() => {
    if (open) {
      text = 'opened'
    } else {
      text = 'closed'
    }
  })

  function add() {
    const item = createItem(name, kinds[count % 3])
    if (!item) {
      text = 'A name is missing'
      return
    }
    items = [...items, item]
    name = ''
  }

  const drop = (gone: string) => {
    items = items.filter((item) => item.name !== gone)
  }
</script>

<main>
  <h1>Items</h1>
  {#if items.length === 0}
    <p>Nothing yet</p>
  {/if}
  <label>Name <input bind:value={name} /></label>
  <button onclick={add}>Add</button>
  <button onclick={() => (items = items.slice(1))}>Remove</button>
  <button
    onclick={() => {
      items = [...sort(items, true)]
      store.say('sorted')
    }}
  >
    Sort
  </button>
  <button onclick={() => (open = !open)}>{open ? 'Hide' : 'Show'}</button>
  <button onclick={async () => (text = await load(false))}>Load</button>
  <button onclick={() => load(true).then((said) => (text = said))}>Break</button>
  <button ondblclick={() => (text = 'twice')}>Twice</button>
  <ul>
    {#each items as item}
      <Row {item} onDrop={drop} />
    {/each}
  </ul>
  {#if open}
    <section>
      <h2>Details</h2>
      <p>{total(items)} of {all}</p>
    </section>
  {:else}
    <p>Closed</p>
  {/if}
  <p>{text}</p>
</main>
`,
}

/** The view with the DOM alone, in a file that other pages load too. */
export const dom = `import { createItem, describe, kinds, label, load, sort, store, total } from './logic'

let items = []
const root = document.querySelector('#root')
const field = document.createElement('input')
field.setAttribute('aria-label', 'Name')
const list = document.createElement('ul')
const text = document.createElement('p')

const button = (name, action) => {
  const element = document.createElement('button')
  element.textContent = name
  element.addEventListener('click', action)
  root.append(element)
}

function show() {
  list.replaceChildren(
    ...items.map((item) => {
      const row = document.createElement('li')
      row.textContent = describe(item) + label(item)
      if (item.count > 3) {
        row.className = 'many'
      } else row.className = 'few'
      return row
    }),
  )
}

store.listen((said) => (text.textContent = said))
root.append(field)
button('Add', () => {
  const item = createItem(field.value, kinds[items.length % 3])
  if (!item) return store.say('A name is missing')
  items = [...items, item]
  field.value = ''
  show()
})
button('Remove', () => { items = items.slice(1); show() })
button('Sort', () => {
  items = [...sort(items, items.length > 2)]
  show()
})
button('Load', async () => store.say(await load(false)))
button('Break', () => load(true).then((said) => store.say(said), () => store.say('never')))
button('Total', () => items.length ? store.say('total ' + total(items)) : store.say('none'))
button('Late', () => setTimeout(() => store.say('late'), 1e6))
root.append(list, text)
show()
`

const plainLogic = new Bun.Transpiler({ loader: 'ts', deadCodeElimination: false }).transformSync(logic)
const link = '<a href="/other.html">Other</a> <a href="/">Home</a>'

export const plainFiles: Files = {
  'logic.js': plainLogic,
  'app.js': dom.replace("'./logic'", "'./logic.js'"),
  'classic.js': `var shown = 0
function count() {
  shown += 1
  return shown > 1 ? 'again' : 'first'
}
document.title = count()
window.onkeydown = function (event) {
  if (event.key === 'x') { document.title = 'x' }
}
`,
  'index.html': `<!doctype html><title>Plain</title>${link}<div id="root"></div><script src="/classic.js"></script><script type="module" src="/app.js"></script>\n`,
  'other.html': `<!doctype html><title>Other</title>${link}<div id="root"></div><script type="module" src="/app.js"></script><script src="/classic.js"></script>\n`,
}

export const domFiles: Files = { 'src/logic.ts': logic, 'src/main.ts': `// @ts-nocheck\n${dom}` }

export const litFiles: Files = {
  'src/logic.ts': logic,
  'src/main.ts': `import { html, LitElement } from 'lit'
import { customElement, property, state } from 'lit/decorators.js'
import { createItem, describe, kinds, label, load, sort, total, type Item } from './logic'

@customElement('item-list')
export class ItemList extends LitElement {
  @property() heading = 'Items'
  @state() private items: Item[] = []
  @state() private text = ''
  private name = ''

  private add() {
    const item = createItem(this.name, kinds[this.items.length % 3])
    if (!item) {
      this.text = 'A name is missing'
      return
    }
    this.items = [...this.items, item]
  }

  private renderRow(item: Item) {
    return html\`<li class=\${item.count > 3 ? 'many' : 'few'}>
      \${describe(item)} \${label(item)}
      <button @click=\${() => (this.items = this.items.filter((one) => one !== item))}>Drop</button>
    </li>\`
  }

  override render() {
    return html\`
      <h1>\${this.heading}</h1>
      \${this.items.length === 0 ? html\`<p>Nothing yet</p>\` : html\`<p>\${total(this.items)}</p>\`}
      <input aria-label="Name" @input=\${(event: Event) => (this.name = (event.target as HTMLInputElement).value)} />
      <button @click=\${this.add}>Add</button>
      <button @click=\${() => (this.items = [...sort(this.items, true)])}>Sort</button>
      <button
        @click=\${async () => {
          this.text = await load(this.items.length > 1)
        }}
      >Load</button>
      <button @dblclick=\${() => (this.text = 'twice')}>Twice</button>
      <ul>\${this.items.map((item) => this.renderRow(item))}</ul>
      <p>\${this.text}</p>
    \`
  }
}
`,
}
