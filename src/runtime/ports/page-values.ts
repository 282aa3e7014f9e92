// Screenshots as tools get them.

import type { ElementName } from '../../core/snapshot/changed-elements.ts'
import type { ImageSize } from '../../core/evidence/image-plan.ts'
import type { Box } from '../../core/snapshot/snapshot-lines.ts'
import type { Deadline } from './deadline.ts'
import type { RecordedElement } from '../../core/recording/recorded-step.ts'

export interface Image {
  readonly bytes: Uint8Array
  readonly mimeType: 'image/png' | 'image/jpeg'
  readonly width: number
  readonly height: number
}

/** The images of a screenshot: one, or the first parts of a tall one, if `whole` is too large to be shown. */
export interface ScreenshotImages {
  readonly images: readonly Image[]
  readonly whole?: Image
  /** How the images were scaled, split or encoded. */
  readonly notes: readonly string[]
}

/** A still screenshot as PNG. `result` is missing if there was no baseline. */
export interface ScreenshotComparison {
  readonly image: Image
  /** What the caller sees: the difference, or without a baseline the screenshot. Nothing if the baseline matches. */
  readonly preview?: ScreenshotImages
  /** The image of the difference in its full size. */
  readonly difference?: Image
  readonly result?: ComparisonResult
}

/** `changedShare` is the share of pixels that changed, from 0 to 1. `moreAreas` counts the areas that are not in `areas`. */
export interface ComparisonResult {
  readonly baselineSize: ImageSize
  readonly changedShare: number
  readonly matches: boolean
  readonly areas: readonly AreaWithElements[]
  readonly moreAreas: number
}

/** A changed area in pixels of the image, and the elements that it belongs to. */
export interface AreaWithElements {
  readonly box: Box
  readonly elements: readonly ElementName[]
}

export interface ScreenshotOptions {
  readonly fullPage?: boolean
  readonly target?: Target
  readonly format?: 'png' | 'jpeg'
  readonly maxWidth?: number
}

/** `baseline` has the bytes of an earlier PNG; `tolerance` is the share of pixels, from 0 to 1, that may differ. */
export interface ComparisonOptions extends Omit<ScreenshotOptions, 'format'> {
  readonly baseline?: Uint8Array
  readonly tolerance: number
}

// --- internal ---

/** For what an element is described. `action`: quickly, beside an action. `text-check`: by what does not depend on its text. `replay`: with
 * every locator that matches only it. */
export type DescriptionPurpose = 'action' | 'text-check' | 'replay'

/** What a recording of the actions on a page needs to know. */
export interface RecordedPage {
  /** How the element of a target can be found again; it may appear until the deadline. A selector that matches several elements, or none,
   * stands for itself; undefined for a ref without an element. */
  describeElement(
    target: Target,
    deadline: Deadline,
    purpose?: DescriptionPurpose,
  ): Promise<RecordedElement | undefined>
  /** What a selector matches, which may be several elements or none. */
  describeSelector(selector: string): Promise<RecordedElement>
  /** Whether keys go to a secret field. */
  isSecretFocused(): Promise<boolean>
  /** Whether the page came from a framework that renders it on the server and attaches its handlers later. */
  isServerRendered(): Promise<boolean>
  /** The ids of the tabs, in order of their opening. */
  tabIds(): { readonly active: string; readonly all: readonly string[] }
}

export interface StorageState {
  readonly cookies: readonly Record<string, unknown>[]
  readonly origins: readonly Record<string, unknown>[]
}

export type StorageKind = 'cookie' | 'local' | 'session'

/** Which cookies and items of the current origin; all without a kind or a name. */
export interface StorageQuery {
  readonly kind?: StorageKind
  readonly name?: string
}

export interface StorageItem {
  readonly name: string
  readonly value: string
}

/** The cookies that the current page gets, and the storage of its origin. */
export interface OriginStorage {
  readonly cookies: readonly StorageItem[]
  readonly localStorage: readonly StorageItem[]
  readonly sessionStorage: readonly StorageItem[]
}

/** The element that a call names: by a selector, or by a ref of a snapshot. */
export type Target = { readonly selector: string } | { readonly ref: string }
