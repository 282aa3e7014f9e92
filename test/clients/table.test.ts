// The table of docs/project/tested-clients.md has what `bun run test:clients` has seen, of the versions that it runs; test/docs.test.ts compares the text.

import { describe, expect, test } from 'bun:test'
import {
  clientTitles,
  pinnedVersionOf,
  readClientResults,
  testedClientsPage,
} from '../../scripts/docs/tested-clients.ts'
import { clients } from './agents/clients.ts'
import { directClients } from './direct/clients.ts'
import { usedEraOf } from './recorder.ts'

test('every client that is run has a title, and no other', () => {
  expect(Object.keys(clientTitles).toSorted()).toEqual(
    Object.keys({ ...directClients, ...clients }).toSorted(),
  )
})

describe.each(Object.entries(clientTitles))('%s', (name, { package: packageName }) => {
  const results = readClientResults().filter(({ client }) => client === name)
  test('its results are those of the version that is run now', () => {
    expect([...new Set(results.map(({ version }) => version))]).toEqual([pinnedVersionOf(packageName)])
  })
  test('it has passed in every way, and in every era that it is run in', () => {
    const { eras } = directClients[name] ?? { eras: [undefined] }
    const ways = clients[name]?.setup ? ['http', 'project', 'stdio'] : ['http', 'stdio']
    const passed = results.map(({ way, era }) => `${way} ${name in directClients ? era : undefined}`)
    expect(passed.toSorted()).toEqual(ways.flatMap((way) => eras.map((era) => `${way} ${era}`)).toSorted())
  })
})

test('the table is replaced, and nothing else', () => {
  const text = 'Before.\n<!-- clients: bun run test:clients -->\nold\n<!-- /clients -->\nAfter.\n'
  const page = testedClientsPage(text)
  expect(page).toStartWith('Before.\n<!-- clients: bun run test:clients -->\n\n| client |')
  expect(page).toEndWith('|\n\n<!-- /clients -->\nAfter.\n')
  expect(testedClientsPage(page)).toBe(page)
})

describe('the era of a client is that of its first call of a tool', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
  const greeting = { method: 'initialize', params: { protocolVersion: '2025-06-18' } }
  test.each([
    ['none without a call', [greeting, { method: 'tools/list' }], undefined],
    [
      'legacy after a probe of the modern one',
      [{ method: 'server/discover', params: { _meta } }, greeting, { method: 'tools/call' }],
      { era: 'legacy', revision: '2025-06-18' },
    ],
    [
      'modern if the call says so',
      [
        { method: 'tools/list', params: { _meta } },
        { method: 'tools/call', params: { _meta } },
      ],
      { era: 'modern', revision: '2026-07-28' },
    ],
  ])('%s', (_, messages, era) => expect(usedEraOf(messages)).toEqual(era as never))
})
