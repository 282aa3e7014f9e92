// screenshot with a baseline. A difference is a result and not a failed call: the page was compared as the caller wanted, and failures of a
// call bring evidence that a difference has already.

import { answerScreenshot, isInline, type ScreenshotAnswer, type ScreenshotData } from './answer-images.ts'
import { fileFieldsOf } from '../files.ts'
import type { ElementName } from '../../core/comparison/changed-elements.ts'
import { inField, invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { Deadline } from '../../runtime/ports/deadline.ts'
import type { Files, Folder } from '../../runtime/ports/files.ts'
import type { Page } from '../../runtime/ports/page/page.ts'
import type { ScreenshotOptions } from '../../runtime/ports/page/screenshots.ts'
import type {
  AreaWithElements,
  ComparisonResult,
  ScreenshotComparison,
} from '../../runtime/ports/page/screenshots.ts'

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
export async function compareWithBaseline(
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
  const compared = await page.compareScreenshot(
    { ...options, tolerance, ...(bytes.value && { baseline: bytes.value }) },
    deadline,
  )
  if (!compared.ok) return compared
  const { image, result } = compared.value
  if (result?.matches)
    return ok({ data: { matches: true, changed: roundShare(result.changedShare), ...sizeOf(image) } })
  if (result) return answerDifference(compared.value, result, folder)
  const path = await files.create(baseline, image.bytes, { createsFolders: true })
  return path.ok ? answerCreation(compared.value, path.value, folder) : err(inField(path.error, 'baseline'))
}

// --- internal ---

interface Size {
  readonly width: number
  readonly height: number
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
