// Encodes drawn frames with WebCodecs. What belongs to the encoder is a property of the page, because each of these functions is called alone.

import type { Box } from '../../../core/base/geometry.ts'
import { convertToYuv } from './convert-to-yuv.ts'
import { type CaptionSize, drawFrame, type DrawnFrame } from './draw-frame.ts'

/** An encoded frame, its bytes in base64. */
export interface EncodedChunk {
  readonly time: number
  readonly isKey: boolean
  readonly data: string
}

interface PageWithEncoder {
  encoding?: {
    readonly encoder: VideoEncoder
    readonly canvas: CanvasRenderingContext2D
    readonly chunks: EncodedChunk[]
    error: string
  }
}

/** Opens an encoder that drops no frames; false if the browser has none. */
export async function openEncoder(settings: {
  readonly width: number
  readonly height: number
  readonly bitrate: number
}): Promise<boolean> {
  const config = { ...settings, codec: 'vp8', framerate: 5, latencyMode: 'quality' } as const
  if (typeof VideoEncoder === 'undefined' || !(await VideoEncoder.isConfigSupported(config)).supported)
    return false
  const element = document.createElement('canvas')
  element.width = settings.width
  element.height = settings.height
  const canvas = element.getContext('2d', { willReadFrequently: true })
  if (!canvas) return false
  const encoder = new VideoEncoder({
    output(chunk) {
      const bytes = new Uint8Array(chunk.byteLength)
      chunk.copyTo(bytes)
      let binary = ''
      for (let start = 0; start < bytes.length; start += 8192)
        binary += String.fromCharCode(...bytes.subarray(start, start + 8192))
      const time = Math.round(chunk.timestamp / 1000)
      encoding.chunks.push({ time, isKey: chunk.type === 'key', data: btoa(binary) })
    },
    error: ({ message }) => void (encoding.error = message),
  })
  const encoding: NonNullable<PageWithEncoder['encoding']> = { encoder, canvas, chunks: [], error: '' }
  encoder.configure(config)
  ;(globalThis as PageWithEncoder).encoding = encoding
  return true
}

/** Draws and encodes a frame, and returns what is encoded by now. Waits while more than a few frames are not. */
export async function encodeFrame({
  frame,
  time,
  isKey,
  captionSize,
  colorSpace,
}: {
  readonly frame: DrawnFrame
  /** In milliseconds. */
  readonly time: number
  readonly isKey: boolean
  readonly captionSize: CaptionSize
  readonly colorSpace: VideoColorSpaceInit
}): Promise<EncodedChunk[]> {
  const QUEUE_LIMIT = 2
  const { encoding } = globalThis as PageWithEncoder
  if (!encoding) throw new Error('no encoder')
  const { encoder, canvas, chunks } = encoding
  const { width, height } = canvas.canvas
  await drawFrame(canvas, frame, { x: 0, y: 0, width, height }, captionSize)
  const { data } = canvas.getImageData(0, 0, width, height)
  const video = new VideoFrame(convertToYuv(data, width, height), {
    format: 'I420',
    codedWidth: width,
    codedHeight: height,
    timestamp: time * 1000,
    colorSpace,
  })
  encoder.encode(video, { keyFrame: isKey })
  video.close()
  while (encoder.encodeQueueSize > QUEUE_LIMIT)
    await new Promise((resolve) => encoder.addEventListener('dequeue', resolve, { once: true }))
  if (encoding.error) throw new Error(encoding.error)
  return chunks.splice(0)
}

/** Encodes what is left. */
export async function finishEncoding(): Promise<EncodedChunk[]> {
  const { encoding } = globalThis as PageWithEncoder
  await encoding?.encoder.flush()
  return encoding?.chunks.splice(0) ?? []
}

/** Draws frames beside each other, as a JPEG in base64 of at most so many bytes. */
export async function drawSheet({
  width,
  height,
  cells,
  captionSize,
  maximumBytes,
}: {
  readonly width: number
  readonly height: number
  readonly cells: readonly { readonly frame: DrawnFrame; readonly box: Box }[]
  readonly captionSize: CaptionSize
  readonly maximumBytes: number
}): Promise<string> {
  const element = document.createElement('canvas')
  element.width = width
  element.height = height
  const canvas = element.getContext('2d')
  if (!canvas) throw new Error('no canvas')
  canvas.fillStyle = 'rgb(228,228,231)'
  canvas.fillRect(0, 0, width, height)
  for (const { frame, box } of cells) await drawFrame(canvas, frame, box, captionSize)
  let data = ''
  for (const quality of [0.85, 0.7, 0.5, 0.3]) {
    data = element.toDataURL('image/jpeg', quality).slice('data:image/jpeg;base64,'.length)
    if (data.length * 0.75 <= maximumBytes) break
  }
  return data
}
