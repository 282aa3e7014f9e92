// PNG pictures row by row, so that a large one is never in memory as pixels.

import { once } from 'node:events'
import { Readable } from 'node:stream'
import { constants, createDeflate, createInflate } from 'node:zlib'

/** Reads the rows of a picture from the top. */
export interface PngRows {
  readonly width: number
  readonly height: number
  /** The next row, four bytes for each pixel, valid until the next call; undefined if the file is damaged or has no more. */
  next(): Promise<Uint8Array | undefined>
}

/** Undefined if it is no PNG, or one with interlaced rows. */
export function openPngRows(bytes: Uint8Array): PngRows | undefined {
  const chunks = chunksOf(bytes)
  const header = chunks.find(({ name }) => name === 'IHDR')?.data
  if (!header || header.length < HEADER_BYTES || chunks[0]?.data !== header) return undefined
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
  const [width, height] = [view.getUint32(0), view.getUint32(4)]
  const [depth = 0, colorType = 0, , , interlace] = header.subarray(8)
  const sampleCount = SAMPLE_COUNTS.get(colorType)
  if (!sampleCount || ![1, 2, 4, 8, 16].includes(depth) || interlace !== 0 || width * height === 0)
    return undefined
  const find = (chunkName: string) => chunks.find(({ name }) => name === chunkName)?.data
  const format = { depth, colorType, sampleCount, palette: find('PLTE'), transparent: find('tRNS') }
  const pixelBytes = Math.max(1, (sampleCount * depth) / 8)
  const rowBytes = Math.ceil((width * sampleCount * depth) / 8)
  const data = chunks.filter(({ name }) => name === 'IDAT').map((chunk) => chunk.data)
  const read = readParts(inflate(data), rowBytes + 1)
  const [row, pixels] = [new Uint8Array(rowBytes), new Uint8Array(width * RGBA_BYTES)]
  return {
    width,
    height,
    async next() {
      const line = await read()
      if (!line || !unfilter(line, row, pixelBytes)) return undefined
      expand(row, pixels, format)
      return pixels
    },
  }
}

export interface PngWriter {
  /** Adds rows of four bytes for each pixel, of which the last one does not count. */
  add(rows: Uint8Array): Promise<void>
  end(): Promise<Uint8Array>
}

/** A PNG without transparency. Its rows are stored as they are, which takes a fraction of the time that the best filters take. */
export function createPngWriter(width: number, height: number): PngWriter {
  const deflate = createDeflate({ level: 3, strategy: constants.Z_RLE })
  const compressed: Uint8Array[] = []
  deflate.on('data', (part: Uint8Array) => compressed.push(part))
  return {
    async add(rows) {
      const count = rows.length / width / RGBA_BYTES
      const lines = new Uint8Array(count * (width * RGB_BYTES + 1))
      for (let y = 0, from = 0, to = 0; y < count; y += 1) {
        to += 1
        for (let x = 0; x < width; x += 1, from += RGBA_BYTES, to += RGB_BYTES) {
          lines[to] = rows[from] ?? 0
          lines[to + 1] = rows[from + 1] ?? 0
          lines[to + 2] = rows[from + 2] ?? 0
        }
      }
      if (!deflate.write(lines)) await once(deflate, 'drain')
    },
    async end() {
      deflate.end()
      await once(deflate, 'end')
      const header = new Uint8Array([...bigEndian(width), ...bigEndian(height), 8, RGB, 0, 0, 0])
      const data = compressed.flatMap((part) => chunkOf('IDAT', part))
      return Buffer.concat([
        SIGNATURE,
        ...chunkOf('IHDR', header),
        ...data,
        ...chunkOf('IEND', new Uint8Array()),
      ])
    },
  }
}

// --- internal ---

const RGB = 2
const RGB_BYTES = 3
const RGBA_BYTES = 4
const HEADER_BYTES = 13
const SIGNATURE = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10])
const SAMPLE_COUNTS: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
])
const PALETTE = 3

interface Chunk {
  readonly name: string
  readonly data: Uint8Array
}

function chunksOf(bytes: Uint8Array): readonly Chunk[] {
  if (!SIGNATURE.every((byte, at) => bytes[at] === byte)) return []
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: Chunk[] = []
  for (let at = SIGNATURE.length; at + 12 <= bytes.length;) {
    const length = view.getUint32(at)
    const name = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    chunks.push({ name, data: bytes.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

async function* inflate(data: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* Readable.from(data).pipe(createInflate()) as AsyncIterable<Uint8Array>
}

/** Reads parts of one length from a stream; undefined at its end, or if it is damaged. */
function readParts(
  stream: AsyncGenerator<Uint8Array>,
  length: number,
): () => Promise<Uint8Array | undefined> {
  const part = new Uint8Array(length)
  let rest: Uint8Array = new Uint8Array()
  return async () => {
    for (let filled = 0; filled < length;) {
      if (rest.length === 0) {
        const read = await stream.next().catch(() => undefined)
        if (!read?.value) return undefined
        rest = read.value
      }
      const taken = rest.subarray(0, length - filled)
      part.set(taken, filled)
      filled += taken.length
      rest = rest.subarray(taken.length)
    }
    return part
  }
}

/** Undoes the filter of a line, whose first byte names it, into the row before it. Whether it is a known one. */
function unfilter(line: Uint8Array, row: Uint8Array, pixelBytes: number): boolean {
  const filter = line[0] ?? 0
  if (filter === 0) row.set(line.subarray(1))
  if (filter === 0) return true
  const corner = new Uint8Array(pixelBytes)
  for (let at = 0; at < row.length; at += 1) {
    const up = row[at] ?? 0
    const left = at < pixelBytes ? 0 : (row[at - pixelBytes] ?? 0)
    const upLeft = corner[at % pixelBytes] ?? 0
    corner[at % pixelBytes] = up
    row[at] = (line[at + 1] ?? 0) + predict(filter, left, up, upLeft)
  }
  return filter <= PAETH
}

const PAETH = 4

function predict(filter: number, left: number, up: number, upLeft: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  const [toLeft, toUp, toCorner] = [
    Math.abs(up - upLeft),
    Math.abs(left - upLeft),
    Math.abs(left + up - 2 * upLeft),
  ]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : upLeft
}

interface PixelFormat {
  readonly depth: number
  readonly colorType: number
  readonly sampleCount: number
  readonly palette?: Uint8Array | undefined
  readonly transparent?: Uint8Array | undefined
}

/** Writes the pixels of a row with four bytes each. */
function expand(row: Uint8Array, pixels: Uint8Array, format: PixelFormat): void {
  const { depth, colorType, sampleCount, palette, transparent } = format
  const highest = 2 ** depth - 1
  const scale = (sample: number) => (depth === 8 ? sample : Math.round((sample * 255) / highest))
  const clear = colorType === PALETTE ? undefined : transparent
  for (let to = 0, at = 0; to < pixels.length; to += RGBA_BYTES, at += sampleCount) {
    if (palette && colorType === PALETTE) {
      const index = sampleOf(row, at, depth)
      for (let sample = 0; sample < RGB_BYTES; sample += 1)
        pixels[to + sample] = palette[index * RGB_BYTES + sample] ?? 0
      pixels[to + 3] = transparent?.[index] ?? 255
      continue
    }
    if (depth === 8 && sampleCount >= RGB_BYTES && !clear) {
      pixels[to] = row[at] ?? 0
      pixels[to + 1] = row[at + 1] ?? 0
      pixels[to + 2] = row[at + 2] ?? 0
      pixels[to + 3] = sampleCount === RGB_BYTES ? 255 : (row[at + 3] ?? 0)
      continue
    }
    const isGray = sampleCount < RGB_BYTES
    for (let sample = 0; sample < RGB_BYTES; sample += 1)
      pixels[to + sample] = scale(sampleOf(row, isGray ? at : at + sample, depth))
    const hasAlpha = sampleCount % 2 === 0
    pixels[to + 3] = hasAlpha ? scale(sampleOf(row, at + sampleCount - 1, depth)) : 255
    if (clear && !hasAlpha && isClear(row, at, format)) pixels[to + 3] = 0
  }
}

function sampleOf(row: Uint8Array, at: number, depth: number): number {
  if (depth === 8) return row[at] ?? 0
  if (depth === 16) return ((row[at * 2] ?? 0) << 8) | (row[at * 2 + 1] ?? 0)
  const bit = at * depth
  return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1)
}

const isClear = (row: Uint8Array, at: number, { depth, sampleCount, transparent }: PixelFormat): boolean =>
  Array.from({ length: sampleCount }, (_, sample) => sample).every(
    (sample) =>
      sampleOf(row, at + sample, depth) ===
      (((transparent?.[sample * 2] ?? 0) << 8) | (transparent?.[sample * 2 + 1] ?? 0)),
  )

const bigEndian = (value: number): readonly number[] => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255)

function chunkOf(name: string, data: Uint8Array): readonly Uint8Array[] {
  const head = new Uint8Array([...name].map((letter) => letter.charCodeAt(0)))
  const checksum = ~[head, data].reduce(addToChecksum, -1)
  return [new Uint8Array(bigEndian(data.length)), head, data, new Uint8Array(bigEndian(checksum))]
}

const checksums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function addToChecksum(checksum: number, data: Uint8Array): number {
  let value = checksum
  for (const byte of data) value = (value >>> 8) ^ (checksums[(value ^ byte) & 255] ?? 0)
  return value
}
