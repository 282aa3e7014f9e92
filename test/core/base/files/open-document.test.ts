// Documents in threads of the program itself.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { resolve } from 'node:path'
import process from 'node:process'
import { openDocument } from '../../../../src/core/base/files/open-document.ts'
import { harFile } from '../../../../src/features/mock/har-file.ts'

const [, program = ''] = process.argv
beforeAll(() => void (process.argv[1] = resolve(import.meta.dir, '../../../../src/main.ts')))
afterAll(() => void (process.argv[1] = program))

const url = 'http://a.example/'
const harOf = (text: string) =>
  new TextEncoder().encode(
    JSON.stringify({
      log: {
        entries: [{ request: { method: 'GET', url }, response: { status: 200, content: { text } } }],
      },
    }),
  )
const question = { method: 'GET', urls: [url, url], bodies: ['', ''] } as const

test('a document whose thread has ended is opened again for the next question; those of others stay open', async () => {
  const [own, other] = await Promise.all(
    ['x', 'y'].map((char) => openDocument(harFile, harOf(char.repeat(400_000)), 30_000)),
  )
  if (!own?.ok || !other?.ok) throw new Error('not opened')
  expect(await own.value.ask(question)).toMatchObject({ response: { status: 200 } })
  // What is no question ends the thread.
  expect(await own.value.ask(null as never)).toBeUndefined()
  expect(await other.value.ask(question)).toMatchObject({ response: { status: 200 } })
  expect(await own.value.ask(question)).toMatchObject({ response: { status: 200 } })
  own.value.close()
  other.value.close()
  expect(await own.value.ask(question)).toBeUndefined()
}, 60_000)
