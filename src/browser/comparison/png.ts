// PNG images as pixels. Large ones are decoded and encoded in parts, so that other sessions are served meanwhile. The library is loaded when
// it is needed, because most sessions compare nothing.

import { settleWithin } from '../../runtime/calls/settle-within.ts'

/** Four bytes for each pixel, row by row: red, green, blue, alpha. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** The pixels of a PNG; undefined if it cannot be decoded within `ms` milliseconds. */
export async function decodePng(bytes: Uint8Array, ms: number): Promise<Pixels | undefined> {
  const { PNG } = await import('pngjs')
  const decoding = new Promise<Pixels>((resolve, reject) => {
    const png = new PNG()
    png.on('error', reject)
    png.on('parsed', (data) => resolve({ width: png.width, height: png.height, data }))
    png.end(bytes)
  })
  const pixels = await settleWithin(ms, decoding)
  return pixels instanceof Error ? undefined : pixels
}

/** A PNG without transparency. Its lines are stored as they are, which takes a fraction of the time that the best filters take. */
export async function encodePng({ width, height, data }: Pixels): Promise<Uint8Array> {
  const { PNG } = await import('pngjs')
  const png = new PNG({ width, height, colorType: RGB, inputHasAlpha: true, filterType: 0 })
  png.data = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    png.on('error', reject)
    png.on('data', (chunk: Buffer) => void chunks.push(chunk))
    png.on('end', () => resolve(Buffer.concat(chunks)))
    png.pack()
  })
}

// --- internal ---

const RGB = 2
