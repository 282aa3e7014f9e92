// A picture of the active tab for a video. People who watch see a page as it is, but a video is a file that may be passed on, so it shows no
// more than a screenshot. A picture counts only if the secret fields were at the same places before, while and after it was taken, and no
// animation moves them; the video covers these places, and nothing in the page is changed.

import { isDeepStrictEqual } from 'node:util'
import type { Frame } from 'playwright'
import type { Box } from '../../core/base/geometry.ts'
import { isSecretField } from '../../core/base/redaction/secret-names.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { readFrameOrigin } from '../../core/browser/in-page/generated.ts'
import { waitForPictures } from '../../core/browser/playwright/picture-queue.ts'
import type { Dialogs } from '../../core/browser/tab/dialogs.ts'
import type { TabList } from '../../core/browser/tab/tab-list.ts'
import type { Tab } from '../../core/browser/tab/tab.ts'
import type { SecretHooks } from '../../core/sessions/types/browsers.ts'
import { placeBox } from '../../core/snapshot/element-boxes.ts'
import { pause } from '../lib/screencast/picture.ts'
import { captureScreenshot } from '../lib/screencast/screencast.ts'
import { takeScreenshot } from '../lib/screencast/screenshots.ts'
import { isMoving, readTextFields, watchFields } from './in-page/generated.ts'
import type { TextField } from './in-page/text-fields.ts'

export interface MaskedPicture {
  /** JPEG. */
  readonly bytes: Uint8Array
  /** Of the viewport in CSS pixels, as the boxes are. */
  readonly width: number
  readonly height: number
  readonly secretBoxes: readonly Box[]
}

export interface TakenPicture {
  readonly picture: MaskedPicture
  /** When the browser was asked for it: it shows the page as it was then, or a little later. */
  readonly at: number
}

export interface PictureParts {
  readonly tabs: Pick<TabList, 'active'>
  readonly dialogs: Pick<Dialogs, 'current'>
  /** Undefined if everything may be shown. */
  readonly secrets: SecretHooks | undefined
}

/** Of a JPEG: colors are seen as they are. */
const QUALITY = 85
const ATTEMPT_LIMIT = 3
const ATTEMPT_INTERVAL_MS = 50
const READ_TIMEOUT_MS = 3000

/** What may not be shown, and what is done while secret fields move. */
export interface PictureNeeds {
  /** Something is done that no picture may show. */
  readonly isHidden: () => boolean
  /** Milliseconds for which it waits until they stand still. */
  readonly patience: number
  /** Whether the picture is covered as a whole if they then still move; else there is none. */
  readonly coversMoving: boolean
}

/** Undefined if the page gives none, or does not say where its secret fields are. */
export async function takeMaskedPicture(
  { tabs, dialogs, secrets }: PictureParts,
  { isHidden, patience, coversMoving }: PictureNeeds,
): Promise<TakenPicture | undefined> {
  const end = performance.now() + patience
  let covered: TakenPicture | undefined
  for (let attempt = 0; attempt < ATTEMPT_LIMIT || performance.now() < end; attempt += 1) {
    const tab = tabs.active()
    if (dialogs.current() || tab.failure()) return undefined
    const viewport = await readViewport(tab, secrets)
    const cdp = await tab.recovery.cdp
    await waitForPictures(tab.page)
    const watch = viewport && viewport.secretBoxes.length > 0 ? await watchMoves(tab) : isStill
    const at = performance.now()
    const picture =
      viewport &&
      (await (cdp ? captureScreenshot(tab.page, cdp, QUALITY) : takeScreenshot(tab.page, QUALITY)))
    const hasMoved = await watch()
    const viewportAfter = picture && (await readViewport(tab, secrets))
    if (!picture || !viewportAfter || isHidden()) return undefined
    const isSteady = !hasMoved && isDeepStrictEqual(viewport, viewportAfter) && !viewport.isMoving
    const { width, height, secretBoxes } = viewport
    const { bytes } = picture
    if (tab !== tabs.active()) continue
    if (isSteady) return { picture: { bytes, width, height, secretBoxes }, at }
    covered = { picture: { bytes, width, height, secretBoxes: [{ x: 0, y: 0, width, height }] }, at }
    await pause(ATTEMPT_INTERVAL_MS)
  }
  return coversMoving ? covered : undefined
}

// --- internal ---

interface Viewport extends Omit<MaskedPicture, 'bytes'> {
  /** Whether a secret field may be at other places in a picture. */
  readonly isMoving: boolean
}

const isStill = async () => false

/** Begins to watch the fields of a tab; the function that it returns says whether one has moved, or cannot be watched. */
async function watchMoves({ page }: Tab): Promise<() => Promise<boolean>> {
  const begin = (frame: Frame) => frame.evaluateHandle(watchFields)
  const watches = await settleWithin(READ_TIMEOUT_MS, Promise.all(page.frames().map(begin)))
  if (!watches || watches instanceof Error) return async () => true
  return async () => {
    const stop = watches.map(async (watch) => {
      const hasMoved = await watch.evaluate(({ stop }) => stop())
      await watch.dispose()
      return hasMoved
    })
    const moves = await settleWithin(READ_TIMEOUT_MS, Promise.all(stop))
    return !moves || moves instanceof Error || moves.includes(true)
  }
}

/** The size of a tab and the places of its secret fields; undefined if one of its documents does not report them in time. */
async function readViewport({ page }: Tab, secrets: SecretHooks | undefined): Promise<Viewport | undefined> {
  const isSecret = (field: TextField) =>
    secrets && (isSecretField(field) || secrets.containsDeclared(field.value))
  const reading = Promise.all(
    page.frames().map(async (frame) => {
      const { fields, ...size } = await frame.evaluate(readTextFields)
      const secretFields = fields.filter(isSecret)
      const place = secretFields.length > 0 ? await readPlace(frame) : undefined
      return {
        ...size,
        secretBoxes: place ? secretFields.map(({ box }) => place.of(box)) : [],
        isMoving: place !== undefined && (place.isMoving || secretFields.some((field) => field.isMoving)),
      }
    }),
  )
  const documents = await settleWithin(READ_TIMEOUT_MS, reading)
  if (!documents || documents instanceof Error) return undefined
  const [{ width, height } = { width: 0, height: 0 }] = documents
  return {
    width,
    height,
    secretBoxes: documents.flatMap(({ secretBoxes }) => secretBoxes),
    isMoving: documents.some((document) => document.isMoving),
  }
}

interface Place {
  /** A box of the frame in the viewport of the page. */
  readonly of: (box: Box) => Box
  readonly isMoving: boolean
}

async function readPlace(frame: Frame): Promise<Place> {
  const parent = frame.parentFrame()
  if (!parent) return { of: (box) => box, isMoving: false }
  const element = await frame.frameElement()
  const [origin, isElementMoving] = await Promise.all([
    element.evaluate(readFrameOrigin),
    element.evaluate(isMoving),
  ])
  await element.dispose()
  const outer = await readPlace(parent)
  return { of: (box) => outer.of(placeBox(box, origin)), isMoving: isElementMoving || outer.isMoving }
}
