import type { Size } from './geometry.ts'

export interface Image extends Size {
  readonly bytes: Uint8Array
  readonly mimeType: 'image/png' | 'image/jpeg'
  /** The size of what it shows the first part of. */
  readonly cutFrom?: Size
}
