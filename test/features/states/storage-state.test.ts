import { expect, test } from 'bun:test'
import { ok } from '../../../src/core/base/result.ts'
import type { StorageState } from '../../../src/core/base/storage.ts'
import { storageState } from '../../../src/features/states/tool.ts'
import { stillBrowsers, stillContext, stillSessionManager } from '../../support/pages.ts'

const passkey = {
  id: 'a',
  rpId: 'localhost',
  userHandle: 'b',
  publicKey: 'c',
  privateKey: 'PRIVATE',
  signCount: 1,
}
const stored = (database: string): StorageState => ({
  cookies: [],
  origins: [
    {
      origin: 'http://localhost',
      localStorage: [{ name: 'theme', value: 'dark' }],
      sessionStorage: [{ name: 'step', value: 'pay' }],
      ...{ indexedDB: [database] },
    },
  ],
  credentials: [passkey],
})

async function save(state: StorageState, input: object) {
  const sessions = stillSessionManager(
    stillBrowsers({
      captureState: async () => ok(state),
      parts: { hooks: {}, runOnTab: (work: () => unknown) => work() } as never,
      perform: (async () => ok([passkey])) as never,
    }),
  )
  let written = ''
  const context = stillContext(sessions)
  const create = async (path: string, bytes: Uint8Array) => {
    written = new TextDecoder().decode(bytes)
    return ok(path)
  }
  const call = storageState.bind({ action: 'save', ...input })
  if (!call.ok) throw new Error(JSON.stringify(call.error))
  const outcome = await call.value.run({ ...context, files: { ...context.files, create } })
  await sessions.end(0)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
  return { data: outcome.value.data as { notes: string[] }, written }
}

test('a file has the whole state; one that would be too large to be loaded has no IndexedDB, and says so', async () => {
  const { data, written } = await save(stored('x'), { path: 'a.json' })
  expect(JSON.parse(written)).toEqual(stored('x'))
  expect(data.notes).toHaveLength(1)
  const large = await save(stored('x'.repeat(10_000_000)), { path: 'a.json' })
  const { indexedDB: _, ...origin } = stored('').origins[0] as object as Record<string, unknown>
  expect(JSON.parse(large.written)).toEqual({ ...stored(''), origins: [origin] })
  expect(large.data.notes[1]).toContain('Without IndexedDB')
})

test('no answer has a private key', async () => {
  for (const input of [{}, { action: 'set', kind: 'passkey', name: 'localhost' }]) {
    const { data } = await save(stored('x'), input)
    expect(JSON.stringify(data)).not.toContain('PRIVATE')
  }
})
