import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createRingBuffer } from '../../../src/core/base/bounded-collections.ts'
import { parseResourceUri, resourceUriOf } from '../../../src/core/base/files/resource-uri.ts'
import { sanitizeFileName } from '../../../src/core/base/text/clip.ts'
import { createNetworkLog } from '../../../src/core/sessions/journal/network-log.ts'
import type { AriaNode, AriaTree } from '../../../src/core/sessions/types/snapshot.ts'
import { describeChanges } from '../../../src/core/snapshot/compare-snapshots.ts'
import { createLastSnapshot } from '../../../src/core/snapshot/last-snapshot.ts'
import { createOutline, searchLines, truncateTree } from '../../../src/core/snapshot/outline.ts'
import { linesOf, textOf } from '../../../src/core/snapshot/snapshot-lines.ts'

const text = (...tree: (AriaNode | string)[]) => textOf(linesOf(tree))

describe('lines', () => {
  test('boxes without meaning have no line; states, values, addresses and what can be clicked do', () => {
    expect(
      text({
        role: 'generic',
        ref: 'e1',
        children: [
          { role: 'heading', name: 'Shop', level: 1, ref: 'e2' },
          {
            role: 'navigation',
            ref: 'e3',
            children: [
              { role: 'link', name: 'Home', ref: 'e4', cursor: 'pointer', url: '/' },
              { role: 'link', name: 'More', ref: 'e10', cursor: 'pointer', url: '#' },
            ],
          },
          { role: 'generic', ref: 'e5', text: 'plain   text' },
          { role: 'textbox', name: 'Name', ref: 'e6', text: 'Ada', placeholder: 'Full name' },
          { role: 'checkbox', name: 'News', checked: 'mixed', disabled: true, ref: 'e7' },
          { role: 'button', name: 'Menu', expanded: false, ref: 'e8' },
          { role: 'generic', ref: 'e9', cursor: 'pointer', text: 'Card' },
          'loose',
        ],
      }),
    ).toBe(`heading "Shop" [e2] level=1
navigation [e3]
 link "Home" [e4] → /
 link "More" [e10]
text: plain text
textbox "Name" [e6] placeholder="Full name": Ada
checkbox "News" [e7] checked=mixed disabled
button "Menu" [e8] expanded=false
generic [e9] clickable: Card
text: loose`)
  })
  test('search gives each match below its heading', () => {
    const lines = linesOf([
      { role: 'heading', name: 'A', ref: 'e1' },
      { role: 'button', name: 'Buy', ref: 'e2' },
      { role: 'heading', name: 'B', ref: 'e3' },
      { role: 'button', name: 'Sell', ref: 'e4' },
    ])
    expect(textOf(searchLines(lines, /Sell/))).toBe('heading "B" [e3]\n button "Sell" [e4]')
    expect(searchLines(lines, /nothing/)).toEqual([])
  })
  test('search finds the buttons of a row by its name, and those beside a text', () => {
    const row = (name: string, at: number): AriaNode => ({
      role: 'row',
      children: [
        { role: 'cell', name, ref: `e${at}` },
        {
          role: 'cell',
          ref: `e${at + 1}`,
          children: [{ role: 'button', name: 'Delete', ref: `e${at + 2}` }],
        },
      ],
    })
    const table = linesOf([{ role: 'table', children: [row('Ada', 1), row('Grace', 4)] }])
    expect(textOf(searchLines(table, /Grace/))).toBe('cell "Grace" [e4]\nbutton "Delete" [e6] in row "Grace"')
    const card = (name: string, at: number): AriaNode => ({
      role: 'generic',
      children: [name, `${name}@example.org`, { role: 'button', name: 'Delete', ref: `e${at}` }],
    })
    const cards = linesOf([card('Ada', 1), card('Grace', 2), { role: 'heading', name: 'End', ref: 'e3' }])
    expect(textOf(searchLines(cards, /Grace$/))).toBe('text: Grace\nbutton "Delete" [e2]')
  })
})

const node: fc.Arbitrary<AriaNode> = fc.letrec<{ node: AriaNode }>((tie) => ({
  node: fc.record(
    {
      role: fc.constantFrom('generic', 'button', 'heading', 'list', 'listitem', 'textbox', 'link'),
      name: fc.string({ maxLength: 12 }),
      text: fc.string({ maxLength: 20 }),
      ref: fc.nat(60).map((n) => `e${n}`),
      children: fc.array(
        fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.string({ maxLength: 5 }), tie('node')),
        { maxLength: 4 },
      ),
    },
    { requiredKeys: ['role'] },
  ) as fc.Arbitrary<AriaNode>,
})).node

// In a real page no two elements share a ref.
const tree = fc.array(node, { maxLength: 5 }).map((nodes) => {
  let count = 0
  const unique = (one: AriaNode | string): AriaNode | string =>
    typeof one === 'string'
      ? one
      : {
          ...one,
          ...(one.ref !== undefined && { ref: `e${(count += 1)}` }),
          children: (one.children ?? []).map(unique),
        }
  return nodes.map(unique)
})

describe('changes', () => {
  const todo = (...items: string[]): AriaNode => ({
    role: 'list',
    ref: 'e1',
    children: items.map((name, index) => ({ role: 'listitem', name, ref: `e${index + 2}` })),
  })
  test('what is new, gone and changed, in the order of the page', () => {
    const view = createLastSnapshot()
    view.record([todo('Milk'), { role: 'button', name: 'Go', ref: 'e9', disabled: true }])
    const changesTo = (tree: AriaTree) => view.describeChanges(tree, 1000).changes
    expect(changesTo([todo('Milk', 'Tea'), { role: 'button', name: 'Go', ref: 'e9' }])).toBe(
      '+ listitem "Tea" [e3]\n~ button "Go" [e9]',
    )
    expect(changesTo([todo('Milk')])).toBe('- listitem "Tea" [e3]\n- button "Go" [e9]')
    expect([view.describeRef('e9'), view.describeRef('e99')]).toEqual(['button "Go"', undefined])
  })
  test('where most of it went, it is a new page, and is reported from its beginning', () => {
    const names = (prefix: string) => Array.from({ length: 20 }, (_, n) => `${prefix} ${n}`)
    const page = (prefix: string): AriaNode[] =>
      names(prefix).map((name, index) => ({ role: 'button', name, ref: `${prefix}${index}` }))
    const view = createLastSnapshot()
    view.record(page('a'))
    expect(view.describeChanges(page('b'), 1000).changes).toStartWith('a new page:\nbutton "b 0" [b0]')
    expect(view.describeChanges([...page('b'), ...page('c').slice(0, 15)], 2000).changes).toStartWith(
      '+ button "c 0" [c0]',
    )
  })
  test('property: a page is not changed against itself, and nothing is longer than asked', () => {
    fc.assert(
      fc.property(tree, tree, (a, b) => {
        const [before, after] = [linesOf(a), linesOf(b)]
        expect(describeChanges(before, before, 500)).toBe('')
        expect(describeChanges(before, after, 500).length).toBeLessThanOrEqual(520)
        expect(createOutline(after, 400).length).toBeLessThanOrEqual(400)
      }),
      { numRuns: 300 },
    )
  })
})

test('a download has one safe name, whatever the page calls it', () => {
  expect(sanitizeFileName('../../etc/passwd')).toBe('passwd')
  expect(sanitizeFileName('..\\..\\win.ini')).toBe('win.ini')
  expect(sanitizeFileName('.bashrc')).toBe('bashrc')
  expect(sanitizeFileName('CON.txt')).toBe('_CON.txt')
  expect(sanitizeFileName('a\u202Etxt.exe')).toBe('a_txt.exe')
  expect(sanitizeFileName('\u0000')).toBe('_')
  expect(sanitizeFileName('...')).toBe('download')
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (wanted) => {
      const name = sanitizeFileName(wanted)
      expect(name).not.toMatch(/[/\\\u0000-\u001f]|^\.|^$/)
      expect(name.length).toBeLessThanOrEqual(121)
    }),
    { numRuns: 500 },
  )
})

test('addresses of resources are read back as they were made, and nothing else is read', () => {
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.string({ minLength: 1, maxLength: 40 }).filter((name) => !/[\ud800-\udfff]/.test(name)),
      (session, name) => {
        expect(parseResourceUri(resourceUriOf({ session, part: 'files', name }))).toEqual({
          session,
          part: 'files',
          name,
        })
        expect(parseResourceUri(resourceUriOf({ session, part: 'console' }))).toEqual({
          session,
          part: 'console',
        })
      },
    ),
  )
  for (const uri of [
    'file:///etc/passwd',
    'footlight://sessions/a/other',
    'footlight://sessions/a/files/b/../c',
    'footlight://sessions/a/files/%zz',
  ])
    expect(parseResourceUri(uri)).toBeUndefined()
})

test('property: a ring keeps the newest within both limits and counts the rest', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(50), { maxLength: 200 }),
      fc.integer({ min: 1, max: 40 }),
      (weights, entries) => {
        const ring = createRingBuffer<number>({ entries, bytes: 300 })
        weights.forEach((weight, index) => ring.add(index, weight))
        const kept = ring.items()
        expect(kept.length + ring.droppedCount()).toBe(weights.length)
        expect(kept.length).toBeLessThanOrEqual(entries)
        expect(kept.reduce((sum, index) => sum + (weights[index] ?? 0), 0)).toBeLessThanOrEqual(300)
        expect([...kept]).toEqual(weights.map((_, index) => index).slice(ring.droppedCount()))
      },
    ),
    { numRuns: 200 },
  )
})

test('a request goes on being known until it ends; one that was dropped is no error', () => {
  const traffic = createNetworkLog({ entries: 2, bytes: 1e6 })
  const start = { method: 'GET', url: 'http://a/', type: 'fetch' }
  const ids = [1, 2, 3].map((at) => traffic.start(start, at))
  traffic.update(ids[0] as number, { state: 'done' }, 9)
  traffic.update(ids[1] as number, { status: 200 }, 9)
  traffic.update(ids[1] as number, { state: 'done' }, 10)
  traffic.update(ids[1] as number, { state: 'failed' }, 11)
  const { entries, dropped } = traffic.read({ limit: 10 })
  expect(dropped).toBe(1)
  expect(entries).toMatchObject([
    { seq: 2, state: 'done', status: 200, duration: 8 },
    { seq: 3, state: 'pending' },
  ])
})

test('what a page nests and names without end is cut, and the rest stays as it is', () => {
  const leaf: AriaTree = [{ role: 'button', name: 'Go', ref: 'e1' }, 'text']
  expect(truncateTree(leaf)).toEqual(leaf)
  const [long] = truncateTree([{ role: 'button', name: 'n'.repeat(5000), children: ['t'.repeat(5000)] }])
  expect(long).toEqual({ role: 'button', name: `${'n'.repeat(4000)}…`, children: [`${'t'.repeat(4000)}…`] })
  let deep: AriaTree = ['end']
  for (let depth = 0; depth < 5000; depth += 1) deep = [{ role: 'group', name: 'g', children: deep }]
  const lines = linesOf(truncateTree(deep))
  expect(lines).toHaveLength(502)
  expect(lines.at(-1)?.text).toBe('text: …')
})
