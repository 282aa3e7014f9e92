// Several calls of one session in one call: a turn of the model costs more time and tokens than anything that the calls do.

import * as v from 'valibot'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import type { Image } from '../../base/image.ts'
import { err, ok } from '../../base/result.ts'
import { clip } from '../../base/text/clip.ts'
import { defineKeyTool } from '../../tool/define-tool.ts'
import { text } from '../../tool/fields.ts'
import type { FailedOutcome, ToolOutcome, ToolResult } from '../../tool/tool-call.ts'
import type { RawInput, Step, StepResult, ToolContext } from '../../tool/tool.ts'
import { definePageTool, defineSessionTool, enteredTextsOf } from './define-session-tool.ts'

const CALL_LIMIT = 50

interface StepsResult extends ToolResult {
  readonly data: { steps: string[]; changes?: string; url?: string }
}

interface CallsResult {
  readonly steps: string[]
  readonly images: readonly Image[]
  readonly sessionKey: string | undefined
}

interface StepCall extends RawInput {
  readonly tool: string
}

export const steps = defineKeyTool({
  name: 'steps',
  title: 'Several calls at once',
  description: 'Several calls in one turn: [{tool: "click", ref: "e4"}, …].',
  effect: 'acts',
  showsImage: true,
  input: {
    calls: v.pipe(v.array(v.looseObject({ tool: text(100) })), v.minLength(1), v.maxLength(CALL_LIMIT)),
    onFailure: v.optional(v.picklist(['stop', 'continue'])),
  },
  output: { steps: v.array(v.string()), changes: v.optional(v.string()), url: v.optional(v.string()) },
  texts: {
    // The text of a step has its own lines.
    steps: (steps: readonly string[]) => steps.flatMap((step) => step.split('\n')),
  },
  async run({ calls, onFailure }, key, context) {
    const sessionKey = findSessionKey(calls, key, context)
    if (!sessionKey.ok) return sessionKey
    const parseResult = parseCalls(calls, context)
    if (!parseResult.ok) return parseResult
    const result = await runCalls(parseResult.value, sessionKey.value, onFailure === 'continue', context)
    if (!result.ok) return result
    const { steps: lines, images } = result.value
    if (endsWithSnapshot(calls, parseResult.value)) return ok({ data: { steps: lines }, images })
    return addChanges(result.value, calls.flatMap(enteredTextsOf), context)
  },
})

// --- internal ---

/** The session of all calls: that of `steps`, or the one that its calls name. */
function findSessionKey(
  calls: readonly StepCall[],
  key: string | undefined,
  { sessions, caller }: ToolContext,
): Outcome<string | undefined> {
  const open = sessions.list(caller.owner)
  const idOf = (value: string) => open.find(({ id, name }) => id === value || name === value)?.id ?? value
  let sessionKey = key
  for (const [index, { sessionId }] of calls.entries()) {
    if (typeof sessionId !== 'string') continue
    sessionKey ??= sessionId
    if (idOf(sessionId) === idOf(sessionKey)) continue
    const expected = 'the session of the other calls: steps runs in one session'
    return err(invalidParameter(`calls[${index}].sessionId`, expected, JSON.stringify(clip(sessionId, 100))))
  }
  return ok(sessionKey)
}

// All calls are parsed before the first one runs, so that a wrong one leaves nothing half done.
function parseCalls(calls: readonly StepCall[], { parseStep }: ToolContext): Outcome<readonly Step[]> {
  const parsedCalls: Step[] = []
  for (const [index, { tool, sessionId: _, ...input }] of calls.entries()) {
    const step = parseStep(tool, input)
    if (!step.ok) return err({ ...step.error, field: `calls[${index}].${step.error.field}` })
    parsedCalls.push(step.value)
  }
  return ok(parsedCalls)
}

// A snapshot of the whole page leaves nothing to add.
const endsWithSnapshot = (calls: readonly StepCall[], parsedCalls: readonly Step[]): boolean =>
  parsedCalls.at(-1)?.tool === 'snapshot' && Object.keys(calls.at(-1) ?? {}).length === 1

async function runCalls(
  calls: readonly Step[],
  key: string | undefined,
  continues: boolean,
  context: ToolContext,
): Promise<ToolOutcome<CallsResult>> {
  const { progress } = context.caller
  const lines: string[] = []
  const images: Image[] = []
  const unsavedImages: StepImage[] = []
  let sessionKey = key
  let failed: { readonly outcome: FailedOutcome; readonly step: number; readonly tool: string } | undefined
  for (const [index, { tool, run }] of calls.entries()) {
    const step = index + 1
    progress(`${step}/${calls.length} ${tool}`)
    const result = await run(sessionKey, failed !== undefined)
    // The first failure is the answer, which says what it was.
    const failureLine =
      result.outcome.ok || failed ? undefined : `${tool} failed: ${result.outcome.error.code}`
    lines.push(`${step} ${failureLine ?? describeStep(tool, result)}`)
    if (result.outcome.ok) {
      sessionKey = result.createdSession ?? sessionKey
      images.push(...(result.outcome.value.images ?? []))
      unsavedImages.push(...imagesOfStep(result.outcome.value, index))
      continue
    }
    failed ??= { outcome: result.outcome, step, tool }
    if (!continues || result.outcome.error.code === 'CANCELLED') break
  }
  if (failed) {
    const { outcome, ...position } = failed
    const linesWithPaths = await addImagePaths(lines, unsavedImages, sessionKey, context)
    const report = { ...position, total: calls.length, lines: linesWithPaths, images, sessionKey }
    return { ...outcome, steps: report }
  }
  return ok({ steps: lines, images, sessionKey })
}

const describeStep = (tool: string, { outcome, text: resultText }: StepResult): string =>
  [outcome.ok ? tool : `${tool} failed`, resultText.trimStart()].filter(Boolean).join(': ')

/** Adds what the calls changed on the page; nothing if the session is closed. */
async function addChanges(
  { steps: lines, images, sessionKey }: CallsResult,
  values: readonly string[],
  context: ToolContext,
): Promise<ToolOutcome<StepsResult>> {
  const call = pageChanges.bind({ values })
  const outcome = call.ok
    ? await call.value.run({ ...context, foundSession: undefined, sessionKey })
    : undefined
  const changes = outcome?.ok ? outcome.value : { data: {} }
  return ok({ ...changes, data: { steps: lines, ...changes.data }, images })
}

const pageChanges = definePageTool({
  name: 'steps',
  title: '',
  description: '',
  effect: 'acts',
  isSilent: true,
  changesPage: true,
  reportsOthers: true,
  input: { values: v.array(v.string()) },
  output: {},
  run: async () => ok({ data: {} }),
})

// The images of the calls of `steps` before one failed: not every client shows the images of a failure, so they are saved as files.
/** An image of a call; `index` is that of the call. */
interface StepImage {
  readonly index: number
  readonly image: Image
}

const SAVED_IMAGE_LIMIT = 8

/** The images of a call; none if its result names the file that has them. */
const imagesOfStep = ({ data, images = [] }: ToolResult, index: number): readonly StepImage[] =>
  'path' in data ? [] : images.map((image) => ({ index, image }))

/** The lines of the calls with the paths of their images. Only the newest images are saved, none if the session is closed. */
async function addImagePaths(
  lines: readonly string[],
  images: readonly StepImage[],
  sessionKey: string | undefined,
  context: ToolContext,
): Promise<readonly string[]> {
  const newest = images.slice(-SAVED_IMAGE_LIMIT)
  if (newest.length === 0) return lines
  const call = saveImages.bind({ images: newest })
  const outcome = call.ok
    ? await call.value.run({ ...context, foundSession: undefined, sessionKey })
    : undefined
  if (!outcome?.ok) return lines
  const { paths } = outcome.value.data as { readonly paths: readonly (string | undefined)[] }
  return lines.map((line, index) => {
    const own = paths.filter((path, at) => path !== undefined && newest[at]?.index === index)
    return own.length === 0 ? line : `${line} (image: ${own.join(', ')})`
  })
}

const saveImages = defineSessionTool({
  name: 'steps',
  title: '',
  description: '',
  effect: 'reads',
  input: { images: v.array(v.custom<StepImage>((image) => typeof image === 'object')) },
  output: { paths: v.array(v.optional(v.string())) },
  async run({ images }, { folder }) {
    const paths: (string | undefined)[] = []
    for (const { image } of images) {
      const artifact = await folder.write(`screenshot.${image.mimeType.slice('image/'.length)}`, image.bytes)
      paths.push(artifact.ok ? artifact.value.path : undefined)
    }
    return ok({ data: { paths } })
  },
})
