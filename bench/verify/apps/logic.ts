// What each of the applications does, beside its view: every kind of branch, way out and function, of which a walk reaches some.

export const logic = `export interface Item {
  readonly name: string
  readonly count: number
  readonly kind: 'fresh' | 'old' | 'gone'
}

type Listener = (text: string) => void

export const kinds = ['fresh', 'old', 'gone'] as const

export function createItem(name: string, kind: Item['kind'] = 'fresh'): Item | undefined {
  if (!name.trim()) return undefined
  const isLong = name.length > 3 || kind === 'gone'
  const count = isLong ? name.length : 1
  return { name, count, kind }
}

export const describe = (item: Item): string => {
  switch (item.kind) {
    case 'fresh':
      return item.name + ' is fresh'
    case 'old': {
      const age = item.count * 2
      return item.name + ' is ' + age + ' days old'
    }
    default:
      return item.name + ' is gone'
  }
}

export function total(items: readonly Item[]): number {
  let sum = 0
  for (const item of items) {
    if (item.kind === 'gone') continue
    sum += item.count
    if (sum > 1000) {
      sum = 1000
      break
    }
  }
  return sum
}

export async function load(isBroken: boolean): Promise<string> {
  try {
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (isBroken) throw new Error('broken')
    const text = await Promise.resolve('loaded')
    return text
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown'
    return 'failed: ' + message
  } finally {
    await undefined
  }
}

export function* numbers(limit: number): Generator<number> {
  for (let index = 0; index < limit; index++) {
    yield index
  }
  yield -1
}

export class Store {
  private readonly listeners: Listener[] = []
  last = ''
  static made = 0

  get size(): number {
    return this.listeners.length
  }

  listen(listener: Listener): () => void {
    this.listeners.push(listener)
    return () => {
      const index = this.listeners.indexOf(listener)
      this.listeners.splice(index, 1)
    }
  }

  say(text: string): void {
    this.last = text
    this.listeners.forEach((listener) => listener(text))
    if (this.size === 0) {
      this.last += ' (nobody listens)'
    }
  }
}

export const store = new Store()

export const sort = (items: readonly Item[], isBackwards: boolean): readonly Item[] => {
  const sorted = [...items].sort((a, b) => a.name.localeCompare(b.name))
  return isBackwards ? sorted.reverse() : sorted
}

export const find = (items: readonly Item[], name: string): Item | undefined =>
  items.find((item) => item.name === name) ??
  items.find((item) => item.name.startsWith(name))

export const label = (item?: Item): string => {
  const name = item?.name?.toUpperCase() ?? 'nothing'
  return item && item.count > 3
    ? name + ' (many)'
    : name
}

export function unused(value: number): number {
  const half = value / 2
  return half
}
`
