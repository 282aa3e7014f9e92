// Files and documents from outside that are nearly right, or not at all: each is refused in words, and nothing breaks.

import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { optionNames } from '../../src/core/cli/options/option-list.ts'
import { resolveSettings } from '../../src/core/cli/options/settings.ts'
import { connect } from '../support/client.ts'
import { deepRuns } from '../support/runs.ts'
import { page, serveSite } from '../support/site.ts'
import { fieldsOf, oddText, type TextField } from '../support/text-fields.ts'

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, '', -1, 1e308, 0.5, true, [], {}, '\ud800', '__proto__', 'x'.repeat(10_000)),
  fc.string(),
  fc.jsonValue(),
)

test('property: any config file is read or refused in one sentence', () => {
  const keys = fc.oneof(fc.constantFrom(...optionNames, '__proto__', 'constructor', 'Headless'), fc.string())
  const near = fc.dictionary(keys, odd, { maxKeys: 4 }).map((value) => JSON.stringify(value))
  fc.assert(
    fc.property(
      fc.oneof(near, fc.json(), fc.string(), fc.constantFrom('', '\ufeff{}', '{', '[]', 'null')),
      (text) => {
        const flags = new Map([['config', '/a/file.json']])
        const settings = resolveSettings({ flags, env: {}, read: () => text })
        if (settings.ok) return
        expect(settings.error).toBeString()
        expect(settings.error.length).toBeLessThan(2000)
        expect(settings.error).not.toMatch(/undefined|\[object|\n\s+at /)
      },
    ),
    { numRuns: 1000 },
  )
})

test('property: what a server command prints is used or refused as invalid_json, with what it printed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fl-inputs-'))
  const commandPath = join(folder, 'command')
  writeFileSync(commandPath, '#!/bin/sh\nprintf %s "$DOCUMENT"\n', { mode: 0o755 })
  const peer = await connect({ cwd: folder })
  // No process has the number -1, so whatever else is right, none is taken for the server.
  const near = fc
    .record(
      {
        status: fc.oneof(fc.constant('ready'), odd),
        url: fc.oneof(fc.constant('http://127.0.0.1:1/'), odd),
        port: fc.oneof(fc.constant(1), odd),
        startedAt: fc.oneof(fc.constant('2030-01-01T00:00:00Z'), odd),
        logs: fc.oneof(fc.constant({ stdout: '/a', stderr: '/b', combined: '/c' }), odd),
        message: odd,
      },
      { requiredKeys: [] },
    )
    .map((document) => JSON.stringify({ ...document, pid: -1 }))
  const printable = (text: string) => !text.includes('\0')
  await fc.assert(
    fc.asyncProperty(fc.oneof(near, fc.json(), fc.string()).filter(printable), async (document) => {
      const { data } = await peer.call('create_session', { commandPath, env: { DOCUMENT: document } })
      expect([data.errorCode, data.details.reason]).toEqual(['SERVER_START_FAILED', 'invalid_json'])
      expect(data.message).toContain('printed an invalid result')
    }),
    { numRuns: deepRuns(100) },
  )
  await peer.close()
  rmSync(folder, { recursive: true })
}, 300_000)

test('property: a text with NUL, a control character or half a character never breaks a call, in any field of any tool', async () => {
  const site = await serveSite({
    '/': page('<input aria-label="a"><a href="#b">a</a><select><option>a</select>'),
  })
  const cwd = mkdtempSync(join(tmpdir(), 'fl-odd-'))
  const args = [
    '--headless',
    '--tools',
    '+mouse,+touch,+trace,+pdf,+compare,+video,+audit,+page_tools',
    '--action-timeout',
    '300',
    '--navigation-timeout',
    '300',
  ]
  const peer = await connect({ cwd, args })
  const sessionId = await peer.session()
  await peer.call('navigate', { sessionId, url: site.url, timeout: 30_000 })
  // What ends the session or starts a program is refused by test/core/mcp/odd-text.test.ts, and needs no browser for that.
  const fields = fieldsOf().filter(
    ({ path }) => !/^create_session\.(command|commandPath|args|env)/.test(path),
  )
  const ask = async ({ tool, path, inputWith }: TextField, odd: string) => {
    const own = path.endsWith('.sessionId') || tool.name === 'create_session' ? {} : { sessionId }
    const { data } = await peer.call(tool.name, { ...inputWith(odd), ...own })
    const answer = JSON.stringify([path, odd, data.errorCode ?? 'ok', data.message])
    expect(answer).not.toMatch(/INTERNAL|ERR_INVALID|without null bytes/)
    if (tool.name === 'create_session' && data.sessionId)
      await peer.call('close_session', { sessionId: data.sessionId })
  }
  for (const field of fields) await ask(field, 'a\0b')
  await fc.assert(fc.asyncProperty(fc.constantFrom(...fields), oddText, ask), { numRuns: deepRuns(60) })
  expect((await peer.call('evaluate', { sessionId, script: '1', timeout: 5000 })).data.result).toBe(1)
  expect(peer.stderr()).not.toContain('internal error')
  await peer.close()
  site.close()
  rmSync(cwd, { recursive: true })
}, 120_000)
