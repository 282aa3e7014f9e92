// Texts in the place of JSON that somebody else sends: valid and not, near to what is expected and far from it.

import fc from 'fast-check'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

const NAMES = ['__proto__', 'constructor', 'toString', 'length', 'then', 'id', 'value', 'url', 'error', '']
const TEXTS = [
  ...[
    '',
    '.',
    '..',
    '../../etc/passwd',
    '/etc/passwd',
    'file:///etc/passwd',
    'http://127.0.0.1:1/',
    'ws://[',
  ],
  ...['\u0000', '\ud800', '\u202e', 'a\nb', '%2e%2e%2f', 'javascript:1', 'x'.repeat(10_000), '__proto__'],
]

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 20 }))
const name = fc.oneof(fc.constantFrom(...NAMES), fc.string({ maxLength: 8 }))

export const hostileValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Json>(null, true, false, 0, -1, 1e308, 0.5, 2 ** 53),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(name, tie('value')), { maxLength: 4 })
      .map((entries): Json => Object.fromEntries(entries)),
  ),
})).value

/** A copy of a value whose node of this number is another one. */
function replaceNode(value: Json, number: number, other: Json): Json {
  let left = number
  const walk = (node: Json): Json => {
    if (left-- === 0) return other
    if (Array.isArray(node)) return node.map(walk)
    if (typeof node !== 'object' || node === null) return node
    return Object.fromEntries(Object.entries(node).map(([key, child]) => [key, walk(child)]))
  }
  return walk(value)
}

/** One of the samples, in which some values are others. */
export const nearTo = (...samples: readonly Json[]): fc.Arbitrary<Json> =>
  fc
    .tuple(fc.constantFrom(...samples), fc.array(fc.tuple(fc.nat(30), hostileValue), { maxLength: 2 }))
    .map(([sample, changes]) =>
      changes.reduce((value, [number, other]) => replaceNode(value, number, other), sample),
    )

/** Bytes that may be the JSON of a value. */
export const hostileBytes = (value: fc.Arbitrary<Json>): fc.Arbitrary<Buffer> => {
  const json = value.map((one) => JSON.stringify(one))
  return fc.oneof(
    { weight: 12, arbitrary: json.map((one) => Buffer.from(one)) },
    { weight: 2, arbitrary: fc.tuple(json, fc.nat(300)).map(([one, end]) => Buffer.from(one.slice(0, end))) },
    { weight: 2, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
    { weight: 1, arbitrary: json.map((one) => Buffer.from(`\uFEFF// a comment\n${one}`)) },
    { weight: 1, arbitrary: json.map((one) => Buffer.from(one, 'utf16le')) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom('[', '{"value":', '[],', '"\\', ' '), fc.integer({ min: 1, max: 100_000 }))
        .map(([unit, count]) => Buffer.from(unit.repeat(count))),
    },
  )
}
