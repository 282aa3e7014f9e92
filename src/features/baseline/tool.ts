// screenshot with a baseline. A difference is a result and not a failed call: the page was compared as the caller wanted, and failures of a
// call bring evidence that a difference has already.

import * as v from 'valibot'
import type { ElementName } from '../../core/base/action.ts'
import { inField, invalidParameter, type Outcome } from '../../core/base/failure.ts'
import type { Files, Folder } from '../../core/base/files/files.ts'
import type { Size } from '../../core/base/geometry.ts'
import { err, map, ok } from '../../core/base/result.ts'
import type { Deadline } from '../../core/base/system/deadline.ts'
import {
  answerScreenshot,
  isInline,
  screenshot as coreTool,
  type ScreenshotAnswer,
  type ScreenshotData,
} from '../../core/browser/tools/screenshot.ts'
import { definePageTool } from '../../core/sessions/tools/define-session-tool.ts'
import type { ScreenshotOptions } from '../../core/sessions/types/page-values.ts'
import type { Page } from '../../core/sessions/types/page.ts'
import { PATH_LIMIT_CHARS, text } from '../../core/tool/fields.ts'
import { fileFieldsOf } from '../../core/tool/file-fields.ts'
import { optionalTarget } from '../../core/tool/target.ts'
import {
  type AreaWithElements,
  compareScreenshot,
  type ComparisonResult,
  type ScreenshotComparison,
} from './compare-screenshot.ts'

const element = v.object({ role: v.string(), name: v.string(), ref: v.string() })
const size = v.object({ width: v.number(), height: v.number() })
const { definition } = coreTool
const { notes, ...output } = definition.output

export const screenshot = definePageTool({
  ...definition,
  description: `${definition.description} baseline: PNG to compare with or create; tolerance: share of pixels.`,
  input: {
    ...definition.input,
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
    ...output,
    actual: v.optional(v.string()),
    notes,
  },
  texts: {
    ...definition.texts,
    matches: (matches: boolean) => [matches ? 'The baseline matches.' : 'The baseline differs.'],
    changed: (share: number) => [`${Number((share * 100).toPrecision(3))} % of the pixels changed`],
  },
  async run({ baseline, tolerance, ...input }, page, deadline, context) {
    if (baseline === undefined && tolerance === undefined)
      return definition.run(input, page, deadline, context)
    const { selector, ref, ...options } = input
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const request = { ...options, target: target.value } as ScreenshotOptions
    const { files, session } = context
    return compareWithBaseline(
      { request, baseline, tolerance },
      { page, deadline, files, folder: session.folder },
    )
  },
})

// --- internal ---

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
  const compared = await compareScreenshot(page, { ...options, tolerance, baseline: bytes.value }, deadline)
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
