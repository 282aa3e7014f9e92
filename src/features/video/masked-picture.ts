// A picture of the active tab for a video. People who watch see a page as it is, but a video is a file that may be passed on, so it shows no
// more than a screenshot. A picture counts only if the secret fields were at the same places before and after it was taken; the video covers
// these places, and nothing in the page is changed.

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
import { captureScreenshot } from '../lib/screencast/screencast.ts'
import { takeScreenshot } from '../lib/screencast/screenshots.ts'
import { readTextFields } from './in-page/generated.ts'
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

const ATTEMPT_LIMIT = 3
const READ_TIMEOUT_MS = 3000

/** Undefined if the page gives none, or does not say where its secret fields are. `isHidden`: something is done that no picture may show. */
export async function takeMaskedPicture(
  { tabs, dialogs, secrets }: PictureParts,
  isHidden: () => boolean,
): Promise<TakenPicture | undefined> {
  for (let attempt = 0; attempt < ATTEMPT_LIMIT; attempt += 1) {
    const tab = tabs.active()
    if (dialogs.current() || tab.failure()) return undefined
    const viewport = await readViewport(tab, secrets)
    const cdp = await tab.recovery.cdp
    await waitForPictures(tab.page)
    const at = performance.now()
    const picture = viewport && (await (cdp ? captureScreenshot(tab.page, cdp) : takeScreenshot(tab.page)))
    const viewportAfter = picture && (await readViewport(tab, secrets))
    if (!picture || !viewportAfter || isHidden()) return undefined
    const isSteady = JSON.stringify(viewport) === JSON.stringify(viewportAfter)
    if (isSteady && tab === tabs.active()) return { picture: { bytes: picture.bytes, ...viewport }, at }
  }
  return undefined
}

// --- internal ---

/** The size of a tab and the places of its secret fields; undefined if one of its documents does not report them in time. */
async function readViewport(
  { page }: Tab,
  secrets: SecretHooks | undefined,
): Promise<Omit<MaskedPicture, 'bytes'> | undefined> {
  const isSecret = (field: TextField) =>
    secrets && (isSecretField(field) || secrets.containsDeclared(field.value))
  const reading = Promise.all(
    page.frames().map(async (frame) => {
      const { fields, ...size } = await frame.evaluate(readTextFields)
      const boxes = fields.filter(isSecret).map(({ box }) => box)
      const place = boxes.length > 0 ? await readPlace(frame) : undefined
      return { ...size, secretBoxes: place ? boxes.map(place) : [] }
    }),
  )
  const documents = await settleWithin(READ_TIMEOUT_MS, reading)
  if (!documents || documents instanceof Error) return undefined
  const [{ width, height } = { width: 0, height: 0 }] = documents
  return { width, height, secretBoxes: documents.flatMap(({ secretBoxes }) => secretBoxes) }
}

/** A function that places a box of a frame in the viewport of the page. */
async function readPlace(frame: Frame): Promise<(box: Box) => Box> {
  const parent = frame.parentFrame()
  if (!parent) return (box) => box
  const element = await frame.frameElement()
  const origin = await element.evaluate(readFrameOrigin)
  await element.dispose()
  const place = await readPlace(parent)
  return (box) => place(placeBox(box, origin))
}
