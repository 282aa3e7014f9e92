import type { Size } from './geometry.ts'

export interface Image {
  readonly bytes: Uint8Array
  readonly mimeType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
  /** The size of what it shows the first part of. */
  readonly cutFrom?: Size
}
