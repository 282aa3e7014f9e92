// A WebM of any frames, read back element by element as RFC 8794 says: nothing is left over, and every index leads where it should.

import * as fc from 'fast-check'
import { expect, test } from 'bun:test'
import { CLUSTER_LIMIT_MS, writeWebm, type EncodedFrame } from '../../../src/core/video/webm.ts'

interface Element {
  readonly id: number
  readonly start: number
  readonly content: Uint8Array
  readonly contentStart: number
}

const CONTAINERS = new Set([
  0x1a45dfa3, 0x18538067, 0x1549a966, 0x1654ae6b, 0xae, 0xe0, 0x1c53bb6b, 0xbb, 0xb7, 0x1f43b675,
])

function readElements(bytes: Uint8Array, offset = 0): Element[] {
  const elements: Element[] = []
  for (let at = 0; at < bytes.length;) {
    const start = at
    const idLength = Math.clz32(bytes[at] ?? 0) - 23
    let id = 0
    for (let index = 0; index < idLength; index += 1) id = id * 256 + (bytes[at + index] ?? 0)
    at += idLength
    const lengthLength = Math.clz32(bytes[at] ?? 0) - 23
    let length = (bytes[at] ?? 0) & (0xff >> lengthLength)
    for (let index = 1; index < lengthLength; index += 1) length = length * 256 + (bytes[at + index] ?? 0)
    at += lengthLength
    if (at + length > bytes.length) throw new Error(`${id.toString(16)} is cut off`)
    elements.push({
      id,
      start: offset + start,
      content: bytes.subarray(at, at + length),
      contentStart: offset + at,
    })
    at += length
  }
  return elements
}

function findAll(elements: readonly Element[], id: number): Element[] {
  return elements.flatMap((element) => [
    ...(element.id === id ? [element] : []),
    ...(CONTAINERS.has(element.id) ? findAll(readElements(element.content, element.contentStart), id) : []),
  ])
}

const numberOf = ({ content }: Element): number => content.reduce((sum, byte) => sum * 256 + byte, 0)

const frames = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 90_000 }),
      isKey: fc.boolean(),
      bytes: fc.uint8Array({ maxLength: 300 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((list) => {
    let time = -1
    return list.map(({ gap, isKey, bytes }, index): EncodedFrame => {
      time = index === 0 ? 0 : time + gap
      return { time, isKey: isKey || index === 0, bytes }
    })
  })

test('every frame comes back with its time, in clusters that the cues find', () => {
  fc.assert(
    fc.property(frames, (list) => {
      const duration = (list.at(-1)?.time ?? 0) + 200
      const file = writeWebm({ width: 1280, height: 760, duration, frames: list })
      const [header, segment, ...rest] = readElements(file)
      expect([header?.id, segment?.id, rest.length]).toEqual([0x1a45dfa3, 0x18538067, 0])
      if (!segment) throw new Error('no segment')
      const parts = readElements(segment.content, segment.contentStart)
      const value = (id: number) => findAll([segment], id).map(numberOf)
      expect([value(0xb0), value(0xba)]).toEqual([[1280], [760]])
      const [codec] = findAll([segment], 0x86).map(({ content }) => new TextDecoder().decode(content))
      expect(codec).toBe('V_VP8')
      const [durationElement] = findAll([segment], 0x4489)
      const view = durationElement?.content.slice().buffer ?? new ArrayBuffer(8)
      expect(new DataView(view).getFloat64(0)).toBe(duration)
      const clusters = parts.filter(({ id }) => id === 0x1f43b675)
      const read = clusters.flatMap((cluster) => {
        const [start = -1] = findAll([cluster], 0xe7).map(numberOf)
        return findAll([cluster], 0xa3).map(({ content }) => {
          const relative = new DataView(content.buffer, content.byteOffset).getInt16(1)
          expect(relative).toBeLessThanOrEqual(CLUSTER_LIMIT_MS)
          return { time: start + relative, isKey: content[3] === 0x80, bytes: [...content.subarray(4)] }
        })
      })
      expect(read).toEqual(list.map(({ bytes, ...frame }) => ({ ...frame, bytes: [...bytes] })))
      const cues = findAll([segment], 0xbb).map((cue) => ({
        time: numberOf(findAll([cue], 0xb3)[0] as Element),
        position: numberOf(findAll([cue], 0xf1)[0] as Element),
      }))
      expect(cues.map(({ time }) => time)).toEqual(list.filter(({ isKey }) => isKey).map(({ time }) => time))
      for (const { time, position } of cues) {
        const cluster = clusters.find(({ start }) => start - segment.contentStart === position)
        expect(cluster && findAll([cluster], 0xe7).map(numberOf)).toEqual([time])
      }
    }),
    { numRuns: 150 },
  )
})
