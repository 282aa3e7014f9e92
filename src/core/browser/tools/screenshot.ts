import type { ElementName } from '../../base/action.ts'
import type { Image } from '../../base/image.ts'
import * as v from 'valibot'
import { inField, invalidParameter, type Outcome } from '../../base/failure.ts'
import type { Size } from '../../base/geometry.ts'
import { err, map, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Files, Folder } from '../../base/files/files.ts'
import type {
  AreaWithElements,
  ComparisonResult,
  ScreenshotComparison,
  ScreenshotImages,
  ScreenshotOptions,
} from '../../sessions/types/page-values.ts'
import type { Page } from '../../sessions/types/page.ts'
import { definePageTool } from '../../sessions/tools/define-session-tool.ts'
import { omit } from '../../tool/field-texts.ts'
import { PATH_LIMIT_CHARS, text } from '../../tool/fields.ts'
import { optionalTarget, targetFields } from '../../tool/target.ts'
import { fileFieldsOf } from '../../tool/file-fields.ts'

const element = v.object({ role: v.string(), name: v.string(), ref: v.string() })
const size = v.object({ width: v.number(), height: v.number() })

export const screenshot = definePageTool({
  name: 'screenshot',
  title: 'Screenshot',
  description:
    'Image of the viewport, full page or an element, at most 1568 pixels long. baseline: PNG to compare with or create; tolerance: share of pixels.',
  effect: 'reads',
  showsImage: true,
  timeoutKind: 'navigation',
  input: {
    ...targetFields,
    fullPage: v.optional(v.boolean()),
    format: v.optional(v.picklist(['png', 'jpeg'])),
    maxWidth: v.optional(v.pipe(v.number(), v.integer(), v.minValue(16), v.maxValue(10_000))),
    baseline: v.optional(text(PATH_LIMIT_CHARS)),
    tolerance: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  },
  output: {
    matches: v.optional(v.boolean()),
    changed: v.optional(v.number()),
    differences: v.optional(v.array(v.object({ box: v.array(v.number()), elements: v.array(element) }))),
    moreDifferences: v.optional(v.number()),
    baselineSize: v.optional(size),
    actualSize: v.optional(size),
    created: v.optional(v.string()),
    width: v.number(),
    height: v.number(),
    path: v.optional(v.string()),
    resource: v.optional(v.string()),
    actual: v.optional(v.string()),
    notes: v.optional(v.array(v.string())),
  },
  texts: {
    matches: (matches: boolean) => [matches ? 'The baseline matches.' : 'The baseline differs.'],
    changed: (share: number) => [`${Number((share * 100).toPrecision(3))} % of the pixels changed`],
    width: (width: number, { height }) => [`${width} × ${String(height)}`],
    height: omit,
  },
  async run({ selector, ref, baseline, tolerance, ...options }, page, deadline, { session, files }) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const request = { ...options, target: target.value } as ScreenshotOptions
    if (baseline !== undefined || tolerance !== undefined)
      return compareWithBaseline(
        { request, baseline, tolerance },
        { page, deadline, files, folder: session.folder },
      )
    const capture = await page.screenshot(request, deadline)
    return capture.ok ? answerScreenshot(capture.value, session.folder) : capture
  },
})

// --- internal ---

const INLINE_IMAGE_LIMIT_BYTES = 3_000_000

interface ScreenshotData {
  readonly width: number
  readonly height: number
  readonly path?: string
  readonly resource?: string
  readonly notes?: string[]
}

interface ScreenshotAnswer<D = ScreenshotData> {
  readonly data: D
  readonly images?: readonly Image[]
}

/** Whether images are small enough for an answer, all together. */
const isInline = (images: readonly Image[]): boolean =>
  images.reduce((sum, { bytes }) => sum + bytes.length, 0) <= INLINE_IMAGE_LIMIT_BYTES

/** The images inline, or a file if they are too large; a tall page has a file with the full image beside its first parts. */
async function answerScreenshot(
  { images, whole, notes }: ScreenshotImages,
  folder: Folder,
): Promise<Outcome<ScreenshotAnswer>> {
  const fileImage = whole ?? (isInline(images) ? undefined : images[0])
  const size = images[0] ?? { width: 0, height: 0 }
  const dataOf = (allNotes: readonly string[]) => ({
    width: size.width,
    height: size.height,
    ...(allNotes.length > 0 && { notes: [...allNotes] }),
  })
  if (!fileImage) return ok({ data: dataOf(notes), images })
  const artifact = await folder.write(
    `screenshot.${fileImage.mimeType.slice('image/'.length)}`,
    fileImage.bytes,
  )
  // The answer has the parts, so a full disk is not a failure of the call.
  if (!artifact.ok) return isInline(images) ? ok({ data: dataOf(notes), images }) : artifact
  const data = dataOf([...notes, ...(whole ? ['The file has the full image.'] : [])])
  return ok({ data: { ...data, ...fileFieldsOf(artifact.value) }, ...(isInline(images) && { images }) })
}

// screenshot with a baseline. A difference is a result and not a failed call: the page was compared as the caller wanted, and failures of a
// call bring evidence that a difference has already.
interface BaselineRequest {
  readonly request: ScreenshotOptions
  readonly baseline: string | undefined
  readonly tolerance: number | undefined
}

interface BaselineContext {
  readonly page: Page
  readonly deadline: Deadline
  readonly files: Files
  readonly folder: Folder
}

/** Compares with the file at `baseline`, or creates it. The path must end with .png and is checked as all paths that an agent names. */
async function compareWithBaseline(
  { request, baseline, tolerance = 0 }: BaselineRequest,
  { page, deadline, files, folder }: BaselineContext,
): Promise<Outcome<ScreenshotAnswer<ComparisonData>>> {
  if (baseline === undefined) return err(invalidParameter('tolerance', 'a baseline beside it', 'no baseline'))
  if (!/\.png$/i.test(baseline))
    return err(invalidParameter('baseline', 'a path that ends with .png', JSON.stringify(baseline)))
  const { format, ...options } = request
  if (format === 'jpeg') return err(invalidParameter('format', 'png, because a baseline is a PNG', format))
  const bytes = await files.readIfExists(baseline)
  if (!bytes.ok) return err(inField(bytes.error, 'baseline'))
  const compared = await page.compareScreenshot({ ...options, tolerance, baseline: bytes.value }, deadline)
  if (!compared.ok) return compared
  const { image, result } = compared.value
  if (result?.matches)
    return ok({ data: { matches: true, changed: roundShare(result.changedShare), ...sizeOf(image) } })
  if (result) return answerDifference(compared.value, result, folder)
  const path = await files.create(baseline, image.bytes, { createsFolders: true })
  return path.ok ? answerCreation(compared.value, path.value, folder) : err(inField(path.error, 'baseline'))
}

interface ComparisonData extends ScreenshotData {
  readonly matches?: boolean
  /** A share from 0 to 1. */
  readonly changed?: number
  readonly differences?: { readonly box: number[]; readonly elements: ElementName[] }[]
  readonly moreDifferences?: number
  readonly baselineSize?: Size
  readonly actualSize?: Size
  readonly created?: string
  readonly actual?: string
}

const CREATION_NOTE = 'There was no baseline: it is this screenshot now, and nothing was compared.'
const ACCEPTANCE_NOTE = 'If the change is intended, replace the baseline with the actual file.'

async function answerCreation(
  { preview }: ScreenshotComparison,
  created: string,
  folder: Folder,
): Promise<Outcome<ScreenshotAnswer<ComparisonData>>> {
  const answer = await answerScreenshot(preview ?? NO_IMAGES, folder)
  return map(answer, ({ data: { notes = [], ...data }, ...rest }) => ({
    ...rest,
    data: { created, ...data, notes: [CREATION_NOTE, ...notes] },
  }))
}

async function answerDifference(
  { image, difference = image, preview = NO_IMAGES }: ScreenshotComparison,
  { changedShare, areas, moreAreas, baselineSize }: ComparisonResult,
  folder: Folder,
): Promise<Outcome<ScreenshotAnswer<ComparisonData>>> {
  const hasImages = isInline(preview.images)
  const file = await folder.write('difference.png', difference.bytes)
  // The answer has the image, so a full disk is not a failure of the call.
  if (!file.ok && !hasImages) return file
  const actual = await folder.write('actual.png', image.bytes)
  const isSameSize = baselineSize.width === image.width && baselineSize.height === image.height
  const notes = [...(actual.ok ? [ACCEPTANCE_NOTE] : []), ...preview.notes]
  const data = {
    matches: false,
    changed: roundShare(changedShare),
    differences: areas.map(differenceOf),
    ...(moreAreas > 0 && { moreDifferences: moreAreas }),
    ...(!isSameSize && { baselineSize, actualSize: sizeOf(image) }),
    ...sizeOf(preview.images[0] ?? difference),
    ...(file.ok && fileFieldsOf(file.value)),
    ...(actual.ok && { actual: actual.value.path }),
    ...(notes.length > 0 && { notes }),
  }
  return ok({ data, ...(hasImages && { images: preview.images }) })
}

const NO_IMAGES = { images: [], notes: [] }

const sizeOf = ({ width, height }: Size): Size => ({ width, height })

const differenceOf = ({ box: { x, y, width, height }, elements }: AreaWithElements) => ({
  box: [x, y, width, height],
  elements: elements.map((element) => ({ ...element })),
})

// Never 0 if a pixel changed.
const roundShare = (share: number): number => Number(share.toPrecision(3))
