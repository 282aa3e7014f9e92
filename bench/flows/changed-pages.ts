// Small pages of which one element is looked for by a test, each as it was and as it is after a change: of what the locator names, of the
// element's text, or of its role.

export const LOCATOR_CHANGES = ['id', 'class', 'order', 'wrapper', 'test id'] as const
export const APPLICATION_CHANGES = ['text', 'role'] as const
export type PageChange = (typeof LOCATOR_CHANGES)[number] | (typeof APPLICATION_CHANGES)[number]

export interface PageCase {
  readonly change: PageChange
  /** Code after `page.`. */
  readonly locator: string
  readonly before: string
  readonly after: string
}

interface Node {
  tag: string
  attributes: Record<string, string>
  children: (Node | string)[]
}

type Random = <T>(values: readonly T[]) => T

/** The same for the same seed. The element itself has the attribute data-target in both. */
export function createCase(change: PageChange, seed: number): PageCase {
  const random = createRandom(seed)
  const page = createPage(random)
  const targets = page.targets.filter((target) => fits(change, target, page.root))
  const target = random(targets)
  target.attributes['data-target'] = '1'
  const locator = locatorOf(change, target, page.root, random)
  const before = render(page.root)
  applyChange(change, target, page.root, random)
  // Other things change too.
  if (random([true, false])) page.root.children.unshift(node('p', { class: 'news' }, ['New: free delivery']))
  return { change, locator, before, after: render(page.root) }
}

// --- internal ---

function createRandom(seed: number): Random {
  let value = (seed * 7919 + 17) % 2147483647
  const next = () => (value = (value * 16807) % 2147483647) / 2147483647
  for (let skip = 0; skip < 5; skip += 1) next()
  return (values) => values[Math.floor(next() * values.length)] as never
}

const node = (tag: string, attributes: Record<string, string>, children: Node['children'] = []): Node => ({
  ...{ tag, attributes, children },
})

const ITEMS = 'Apple,Bread,Candle,Drum,Egg,Flute,Glove,Hat,Ink,Jam'.split(',')
const ACTIONS = 'Save,Send,Search,Publish,Archive,Export,Print,Share,Log in,Check out'.split(',')
const FIELDS = 'Name,Email,City,Street,Phone,Comment'.split(',')
const SECTIONS = 'Orders,Profile,Billing,Team,News'.split(',')

/** A page with a menu, a form, a list with the same buttons in each row, cards and a table. */
function createPage(random: Random): { readonly root: Node; readonly targets: readonly Node[] } {
  const targets: Node[] = []
  let count = 0
  const target = (tag: string, kind: string, text: string, attributes: Record<string, string> = {}) => {
    const id = `${kind}-${(count += 1)}`
    const own = node(tag, { id, class: `${kind} k${count}`, 'data-testid': `t-${id}`, ...attributes }, [text])
    if (text === '') own.children = []
    targets.push(own)
    return own
  }
  const some = (names: readonly string[], least: number) => {
    const chosen = names.filter(() => random([true, false]))
    return chosen.length >= least ? chosen : names.slice(0, least)
  }
  const menu = node('nav', { class: 'menu' }, [
    ...some(SECTIONS, 2).map((name) => target('a', 'link', name, { href: `#${name}` })),
  ])
  const fields = some(FIELDS, 2).map((name) => {
    const input = target('input', 'field', '', { name: name.toLowerCase() })
    return node('p', {}, [node('label', { for: input.attributes['id'] ?? '' }, [name]), input])
  })
  const actions = some(ACTIONS, 2).map((name) => target('button', 'action', name, { type: 'button' }))
  const form = node('section', { id: 'form', class: 'panel' }, [
    node('h2', {}, [random(SECTIONS)]),
    ...fields,
    ...actions,
  ])
  const rows = some(ITEMS, 3).map((name) =>
    node('li', { class: 'row' }, [
      node('span', {}, [name]),
      target('button', 'edit', 'Edit', { type: 'button' }),
      target('button', 'remove', 'Remove', { type: 'button' }),
    ]),
  )
  const cards = some(ITEMS, 2).map((name) =>
    node('article', { class: 'card' }, [
      target('h3', 'title', `${name} of the day`),
      node('p', {}, [`${name.length * 3} pieces`]),
      target('a', 'more', 'More', { href: '#more' }),
    ]),
  )
  const status = node('footer', { id: 'foot' }, [
    target('div', 'status', `${rows.length} items`),
    target('span', 'note', 'All saved'),
  ])
  const blocks = [form, node('ul', { id: 'list' }, rows), node('div', { id: 'cards' }, cards)]
  if (random([true, false])) blocks.reverse()
  return { root: node('main', { id: 'app' }, [menu, ...blocks, status]), targets }
}

const all = (root: Node): readonly Node[] => [
  root,
  ...root.children.flatMap((child) => (typeof child === 'string' ? [] : all(child))),
]

const parentOf = (target: Node, root: Node): Node =>
  all(root).find(({ children }) => children.includes(target)) ?? root

/** Positions of the same parent that have another tag. */
const otherPlaces = (target: Node, root: Node): readonly number[] => {
  const { children } = parentOf(target, root)
  return children.flatMap((child, index) =>
    typeof child !== 'string' && child.tag !== target.tag ? [index] : [],
  )
}

function fits(change: PageChange, target: Node, root: Node): boolean {
  if (change === 'order') return otherPlaces(target, root).length > 0
  if (change === 'text') return target.tag !== 'input'
  return change === 'role' ? target.tag === 'button' || target.tag === 'a' : true
}

function locatorOf(change: PageChange, target: Node, root: Node, random: Random): string {
  const { id, class: names = '', 'data-testid': testId } = target.attributes
  const className = names.split(' ')[1]
  const parent = parentOf(target, root)
  const text = String(target.children[0] ?? '')
  const ways: Readonly<Record<PageChange, readonly string[]>> = {
    id: [`locator('#${id}')`],
    class: [`locator('.${className}')`, `locator('main .${className}')`],
    'test id': [`getByTestId('${testId}')`],
    wrapper: [`locator('${parent.tag} > .${className}')`],
    order: [
      `locator('${parent.tag}:has(> #${id}) > ${target.tag}:nth-child(${parent.children.indexOf(target) + 1})')`,
    ],
    text: [`getByText('${text}', { exact: true }).and(page.locator('.${className}'))`, `locator('#${id}')`],
    role: [`locator('${target.tag}#${id}')`, `locator('${target.tag}.${className}')`],
  }
  return random(ways[change])
}

function applyChange(change: PageChange, target: Node, root: Node, random: Random): void {
  const { attributes } = target
  const parent = parentOf(target, root)
  const place = parent.children.indexOf(target)
  const rename = (name: string, value: string, renamed = target) => {
    const old = renamed.attributes[name]
    renamed.attributes[name] = value
    if (name === 'id')
      for (const other of all(root)) if (other.attributes['for'] === old) other.attributes['for'] = value
  }
  if (change === 'id' || change === 'text') rename('id', `new-${random(['x', 'y', 'z'])}`)
  if (change === 'class' || change === 'text') attributes['class'] = `changed ${random(['a1', 'b2'])}`
  // A build may name all of them anew.
  const isWhole = random([true, false])
  for (const other of isWhole ? all(root) : [])
    if (change === 'class' && other.attributes['class'])
      other.attributes['class'] = other.attributes['class'].replace(/\w+/g, 'css-$&')
    else if (change === 'id' && other !== target && other.attributes['id'])
      rename('id', `r${other.attributes['id']}`, other)
  if (change === 'test id') rename('data-testid', `new-${random(['x', 'y', 'z'])}`)
  if (change === 'wrapper') parent.children[place] = node('div', { class: 'wrap' }, [target])
  if (change === 'order') {
    const other = random(otherPlaces(target, root))
    parent.children[place] = parent.children[other] ?? ''
    parent.children[other] = target
  }
  if (change === 'text') target.children = [random(['Other words', 'Go on', 'Store it'])]
  if (change === 'role') target.tag = target.tag === 'a' ? 'button' : 'a'
  if (change === 'role' && target.tag === 'a') attributes['href'] = '#'
}

function render(root: Node | string): string {
  if (typeof root === 'string') return root
  const { tag, attributes, children } = root
  const head = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`)
  const start = `<${tag}${head.join('')}>`
  return tag === 'input' ? start : `${start}${children.map(render).join('')}</${tag}>`
}
