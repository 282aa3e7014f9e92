// JSON cannot hold everything a script may return, and a large value would stop our whole process while it
// is read; so the value is turned into JSON here, cut here, and what was changed is noted.

export interface SerializeLimits {
  readonly depth: number
  readonly items: number
  readonly chars: number
}

export function serializeValue(value: unknown, limits: SerializeLimits): { json: string; notes: string[] } {
  const notes = new Set<string>()
  const above: unknown[] = []
  let items = 0
  let chars = 0

  const note = (text: string, stand: string): string => {
    notes.add(text)
    return stand
  }

  function text(value: string): string {
    const room = Math.max(0, limits.chars - chars)
    chars += value.length
    return value.length <= room
      ? value
      : note(`string truncated at ${limits.chars} characters`, `${value.slice(0, room)}…`)
  }

  function read(holder: object, key: PropertyKey): unknown {
    try {
      return (holder as Record<PropertyKey, unknown>)[key]
    } catch (error) {
      return note('a getter threw', text(`[threw ${String(error)}]`))
    }
  }

  function list(values: Iterable<unknown>, size: number): unknown[] {
    const out: unknown[] = []
    for (const value of values) {
      if (++items > limits.items || chars > limits.chars) {
        out.push(
          note(
            `truncated at ${limits.items} items or ${limits.chars} characters`,
            `[${size - out.length} more]`,
          ),
        )
        break
      }
      out.push(plain(value))
    }
    return out
  }

  function record(holder: object): unknown {
    const keys = Object.keys(holder)
    const out: Record<string, unknown> = Object.create(null)
    for (const [index, key] of keys.entries()) {
      if (++items > limits.items || chars > limits.chars) {
        out['…'] = note(
          `truncated at ${limits.items} items or ${limits.chars} characters`,
          `[${keys.length - index} more]`,
        )
        break
      }
      out[text(key)] = plain(read(holder, key))
    }
    return out
  }

  function node(element: Node): string {
    const name =
      element instanceof Element
        ? `<${element.localName}${element.id ? ` id="${element.id.slice(0, 200)}"` : ''}>`
        : element.nodeName
    return note('DOM nodes are shown by name only', `[${name}]`)
  }

  function object(value: object): unknown {
    if (above.includes(value)) return note('cyclic references', '[Circular]')
    if (above.length >= limits.depth)
      return note(`truncated at depth ${limits.depth}`, Array.isArray(value) ? '[Array]' : '[Object]')
    if (value === globalThis) return note('the window is shown by name only', '[Window]')
    if (value instanceof Node) return node(value)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
    if (value instanceof RegExp) return text(String(value))
    if (value instanceof Error)
      return {
        name: text(String(value.name)),
        message: text(String(value.message)),
        stack: text(value.stack ?? ''),
      }
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) {
      return note('not serializable', `[${String(value.constructor.name).slice(0, 200)}]`)
    }
    above.push(value)
    try {
      if (value instanceof Map) return { [note('Map shown as entries', 'Map')]: list(value, value.size) }
      if (value instanceof Set) return { [note('Set shown as values', 'Set')]: list(value, value.size) }
      if (value instanceof ArrayBuffer) return object(new Uint8Array(value))
      if (value instanceof DataView)
        return object(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
      if (ArrayBuffer.isView(value)) return list(value as Uint8Array, (value as Uint8Array).length)
      if (value instanceof URL || value instanceof URLSearchParams) return text(String(value))
      if (value instanceof FormData || value instanceof Headers)
        return {
          [note('entries shown', 'entries')]: list(
            value as Iterable<unknown>,
            [...(value as Iterable<unknown>)].length,
          ),
        }
      if (Array.isArray(value)) return list(value, value.length)
      const own = read(value, 'toJSON')
      return typeof own === 'function' ? plain(own.call(value)) : record(value)
    } finally {
      above.pop()
    }
  }

  function plain(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        return text(value)
      case 'number':
        return Number.isFinite(value)
          ? Object.is(value, -0)
            ? 0
            : value
          : note('NaN or Infinity as a string', String(value))
      case 'bigint':
        return note('BigInt as a string', text(`${value}n`))
      case 'function':
        return note(
          'functions are shown by name only',
          `[Function ${String(value.name || 'anonymous').slice(0, 200)}]`,
        )
      case 'symbol':
        return note('symbols as strings', text(String(value)))
      case 'undefined':
        return null
      case 'object':
        return value === null ? null : object(value)
      default:
        return value
    }
  }

  if (value === undefined) note('the script returned undefined', '')
  return { json: JSON.stringify(plain(value)), notes: [...notes] }
}
