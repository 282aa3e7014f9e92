import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { decideMessage, replyToOpening, type SocketRule } from '../../../src/core/network/socket.ts'

const matchText = (pattern: string, text: string) => text.includes(pattern)
const decide = (rules: readonly SocketRule[], message: unknown, from?: 'server') =>
  decideMessage(rules, from, typeof message === 'string' ? message : JSON.stringify(message), matchText)

describe('a message', () => {
  test('is answered by the first rule that is for it', () => {
    const rules = [{ send: ['open'] }, { on: 'a', send: ['first'] }, { on: 'ab', send: ['second'] }]
    expect(decide(rules, 'ab')).toEqual({ reply: { messages: ['first'], delay: 0 } })
    expect(replyToOpening(rules)).toEqual([{ messages: ['open'], delay: 0 }])
  })
  test('goes on if no rule is for it, or changed if its rule says so', () => {
    const rules: readonly SocketRule[] = [{ from: 'server', on: { a: 1 }, json: { a: 2, b: null } }]
    expect(decide(rules, 'x', 'server')).toEqual({ forwardedText: 'x' })
    expect(decide(rules, { a: 1, b: 1, c: 1 }, 'server').forwardedText).toBe('{"a":2,"c":1}')
    expect(decide(rules, { a: 1 })).toEqual({ forwardedText: '{"a":1}' })
    expect(decide([{ from: 'server' }], 'x', 'server').forwardedText).toBeUndefined()
  })
  test.each([
    [{ a: 1 }, { a: 1, b: 2 }, true],
    [{ a: { b: [1, { c: null }] } }, { a: { b: [1, { c: null, d: 1 }], e: 1 } }, true],
    [{ a: [1] }, { a: [1, 2] }, false],
    [{ a: null }, {}, false],
    [{}, {}, true],
    [{}, [], false],
    [[], [], true],
    [{ toString: undefined }, {}, false],
    [{ a: 1 }, '{"a":1', false],
    [{ a: 1 }, 'text', false],
  ])('%j is for %j: %p', (on, message, isFor) => {
    expect('reply' in decide([{ on }], message)).toBe(isFor)
  })
  test('gives its fields to the reply', () => {
    const send = [{ id: '$.id', all: ['$.list.1', '$.none', '$', '$.'] }, '$.id']
    expect(decide([{ on: { id: 7 }, send }], { id: 7, list: ['a', { b: 1 }] }).reply?.messages).toEqual([
      '{"id":7,"all":[{"b":1},null,"$","$."]}',
      '$.id',
    ])
  })
})

const value = fc.jsonValue({ maxDepth: 3 })
const record = fc.dictionary(fc.string(), value, { maxKeys: 4 })

test('a message has its own fields and every part of them, and nothing that it has not', () => {
  fc.assert(
    fc.property(record, record, (message, other) => {
      const on = JSON.parse(JSON.stringify(message)) as object
      expect('reply' in decide([{ on }], { ...other, ...message })).toBe(true)
      const name = `x${Object.keys(message).join('')}`
      expect('reply' in decide([{ on: { ...on, [name]: 1 } }], message)).toBe(false)
    }),
    { numRuns: 200 },
  )
})
