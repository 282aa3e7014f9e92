import { expect, test } from 'bun:test'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { formatJsonLine, type JsonLine, readJsonLines } from '../../../../src/core/base/system/json-lines.ts'

function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('property: however the bytes of several streams are cut, the lines of each come whole and before its end', async () => {
  const texts = fc.array(fc.oneof(fc.jsonValue().map(formatJsonLine), fc.constantFrom('no json\n', '\n')))
  const streams = fc.array(fc.tuple(texts, fc.integer({ min: 1, max: 50 })), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(streams, async (inputs) => {
      const outputs = inputs.map(async ([lines, size]) => {
        const [stream, output] = [new PassThrough(), [] as JsonLine[]]
        readJsonLines(stream, { bytes: 1_000_000 }, (line) => output.push(line))
        const bytes = Buffer.from(lines.join(''))
        for (let at = 0; at < bytes.length; at += size) stream.write(bytes.subarray(at, at + size))
        stream.end()
        await once(stream, 'end')
        return output.map((line) => ('value' in line ? line.value : line.problem))
      })
      const expected = inputs.map(([lines]) =>
        lines.flatMap((line) =>
          line === '\n' ? [] : [line === 'no json\n' ? 'not JSON' : (JSON.parse(line) as unknown)],
        ),
      )
      expect(await Promise.all(outputs)).toEqual(expected)
    }),
    { numRuns: 50 },
  )
})

test('others have their turn while many streams bring much', async () => {
  let [lineCount, turnCount] = [0, 0]
  const streams = Array.from({ length: 40 }, () => new PassThrough())
  for (const stream of streams)
    readJsonLines(stream, { bytes: 1000 }, () => {
      work(5)
      lineCount += 1
    })
  for (const stream of streams) stream.write('1\n')
  while (lineCount < streams.length) {
    await setImmediate()
    turnCount += 1
  }
  expect(turnCount).toBeGreaterThan(10)
})

test('who writes more than is read waits', async () => {
  const written = Promise.withResolvers<Socket>()
  const server = createServer((socket) => {
    socket.on('error', () => {})
    // Each line takes longer than a turn.
    readJsonLines(socket, { bytes: 100_000 }, () => work(11))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1', () => written.resolve(client))
  client.on('error', () => {})
  await written.promise
  const line = formatJsonLine('x'.repeat(60_000))
  // More than the buffers of the system take.
  for (let index = 0; index < 1000; index += 1) client.write(line)
  for (let turn = 0; turn < 50; turn += 1) await setImmediate()
  expect(client.writableLength).toBeGreaterThan(1_000_000)
  client.destroy()
  server.close()
}, 60_000)
