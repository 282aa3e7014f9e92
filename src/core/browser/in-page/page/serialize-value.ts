// JSON cannot represent every value, and parsing a large one would block our process. So the value is converted and truncated here, in the
// page, with a note for each kind of change.

const LIMITS = { depth: 40, items: 20_000, chars: 200_000 }
export const ERROR_LIMIT_CHARS = 20_000

export interface SerializedValue {
  readonly json: string
  readonly notes: string[]
}

export function serializeValue(value: unknown): SerializedValue {
  // No Set: the page may have replaced it.
  const notes: string[] = []
  const ancestors: unknown[] = []
  let items = 0
  let chars = 0

  const addNote = (text: string, replacement: string): string => {
    if (!notes.includes(text)) notes.push(text)
    return replacement
  }

  const isFull = (): boolean => ++items > LIMITS.items || chars > LIMITS.chars
  const noteRest = (count: number): string =>
    addNote(`truncated at ${LIMITS.items} items or ${LIMITS.chars} characters`, `[${count} more]`)

  function serializeText(value: string): string {
    const remainingChars = Math.max(0, LIMITS.chars - chars)
    chars += value.length
    return value.length <= remainingChars
      ? value
      : addNote(`string truncated at ${LIMITS.chars} characters`, `${value.slice(0, remainingChars)}…`)
  }

  function readProperty(holder: object, key: PropertyKey): unknown {
    try {
      return (holder as Record<PropertyKey, unknown>)[key]
    } catch (error) {
      return addNote('a getter threw', serializeText(`[threw ${String(error)}]`))
    }
  }

  function serializeList(values: Iterable<unknown>, size: number): unknown[] {
    const output: unknown[] = []
    // Some pages define it for all arrays.
    Object.defineProperty(output, 'toJSON', { value: undefined })
    for (const value of values) {
      if (isFull()) {
        output.push(noteRest(size - output.length))
        break
      }
      output.push(serialize(value))
    }
    return output
  }

  function serializeRecord(holder: object): unknown {
    const keys = Object.keys(holder)
    const output: Record<string, unknown> = Object.create(null)
    for (const [index, key] of keys.entries()) {
      if (isFull()) {
        output['…'] = noteRest(keys.length - index)
        break
      }
      output[serializeText(key)] = serialize(readProperty(holder, key))
    }
    return output
  }

  function serializeNode(element: Node): string {
    const name =
      element instanceof Element
        ? `<${element.localName}${element.id ? ` id="${element.id.slice(0, 200)}"` : ''}>`
        : element.nodeName
    return addNote('DOM nodes are shown by name only', `[${name}]`)
  }

  function serializeObject(value: object): unknown {
    if (ancestors.includes(value)) return addNote('cyclic references', '[Circular]')
    if (ancestors.length >= LIMITS.depth)
      return addNote(`truncated at depth ${LIMITS.depth}`, Array.isArray(value) ? '[Array]' : '[Object]')
    if (value === globalThis) return addNote('the window is shown by name only', '[Window]')
    if (value instanceof Node) return serializeNode(value)
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
    if (value instanceof RegExp) return serializeText(String(value))
    if (value instanceof Error)
      return {
        name: serializeText(String(value.name)),
        message: serializeText(String(value.message)),
        stack: serializeText(value.stack ?? ''),
      }
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet) {
      return addNote('not serializable', `[${String(value.constructor.name).slice(0, 200)}]`)
    }
    ancestors.push(value)
    try {
      if (value instanceof Map)
        return { [addNote('Map shown as entries', 'Map')]: serializeList(value, value.size) }
      if (value instanceof Set)
        return { [addNote('Set shown as values', 'Set')]: serializeList(value, value.size) }
      if (value instanceof ArrayBuffer) return serializeObject(new Uint8Array(value))
      if (value instanceof DataView)
        return serializeObject(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
      if (ArrayBuffer.isView(value)) return serializeList(value as Uint8Array, (value as Uint8Array).length)
      if (value instanceof URL || value instanceof URLSearchParams) return serializeText(String(value))
      if (value instanceof FormData || value instanceof Headers)
        return {
          [addNote('entries shown', 'entries')]: serializeList(
            value as Iterable<unknown>,
            [...(value as Iterable<unknown>)].length,
          ),
        }
      if (Array.isArray(value)) return serializeList(value, value.length)
      const toJson = readProperty(value, 'toJSON')
      return typeof toJson === 'function' ? serialize(toJson.call(value)) : serializeRecord(value)
    } finally {
      ancestors.pop()
    }
  }

  function serialize(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        return serializeText(value)
      case 'number':
        return Number.isFinite(value)
          ? Object.is(value, -0)
            ? 0
            : value
          : addNote('NaN or Infinity as a string', String(value))
      case 'bigint':
        return addNote('BigInt as a string', serializeText(`${value}n`))
      case 'function':
        return addNote(
          'functions are shown by name only',
          `[Function ${String(value.name || 'anonymous').slice(0, 200)}]`,
        )
      case 'symbol':
        return addNote('symbols as strings', serializeText(String(value)))
      case 'undefined':
        return null
      case 'object':
        return value === null ? null : serializeObject(value)
      default:
        return value
    }
  }

  if (value === undefined) addNote('the script returned undefined', '')
  // The page may have replaced JSON.
  function writeText(one: unknown): string {
    const quote = (text: string) =>
      `"${text.replace(/["\\\u0000-\u001f\u2028\u2029\ud800-\udfff]/g, escape)}"`
    const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    if (typeof one === 'string') return quote(one)
    if (typeof one !== 'object' || one === null) return String(one)
    if (Array.isArray(one)) return `[${one.map(writeText).join()}]`
    return `{${Object.entries(one)
      .map(([name, member]) => `${quote(name)}:${writeText(member)}`)
      .join()}}`
  }

  const isOwnJson = JSON.stringify({ a: ['b'] }) === '{"a":["b"]}'
  const serialized = serialize(value)
  return { json: isOwnJson ? JSON.stringify(serialized) : writeText(serialized), notes }
}

/** The error of a script, with its stack. */
export interface ScriptError {
  readonly error: string
}

/** Runs the script of a caller, an async function. Its error is a value, because Firefox reports no rejected promises in pages with an init script. */
export function runCallerScript(
  { run }: { run(...args: unknown[]): Promise<unknown> },
  ...args: unknown[]
): Promise<SerializedValue | ScriptError> {
  const describeError = (error: unknown): string => {
    if (typeof error === 'string') return error
    try {
      const { name, message, stack } = error as Error
      if (typeof stack !== 'string') return typeof error === 'object' ? JSON.stringify(error) : String(error)
      return stack.includes(message) ? stack : `${name}: ${message}\n${stack}`
    } catch {
      return String(error)
    }
  }
  return run(...args).then(serializeValue, (error: unknown) => ({
    error: describeError(error).slice(0, ERROR_LIMIT_CHARS),
  }))
}

/** The message of the syntax error in a script, which is not run; undefined if there is none. */
export function findSyntaxError(source: string): string | undefined {
  try {
    void new Function(source)
    return undefined
  } catch (error) {
    return String(error)
  }
}
