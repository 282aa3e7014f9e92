// How a tool is defined: its schemas, and a body to which an input is bound. A definition is data and a short body.

import * as v from 'valibot'
import type { Outcome } from '../base/failure.ts'
import type { Image } from '../base/image.ts'
import { err, map, ok } from '../base/result.ts'
import type { ToolOutcome } from './tool-call.ts'
import type { RawInput, Tool, ToolContext, ToolDetails } from './tool.ts'

/** A tool without a session. */
export const defineTool = <I extends Entries, O extends Entries>(
  definition: Definition<I, O> & { run(input: Input<I>, context: ToolContext): Answer<O> },
): Tool =>
  buildTool(definition, false, async (input, _, __, context) =>
    resultOf(await definition.run(input, context)),
  )

/** A tool that takes the key of a session, which need not be open. */
export const defineKeyTool = <I extends Entries, O extends Entries>(
  definition: Definition<I, O> & {
    run(input: Input<I>, sessionKey: string | undefined, context: ToolContext): Answer<O>
  },
): Tool =>
  buildTool(definition, true, async (input, sessionKey, _, context) =>
    resultOf(await definition.run(input, sessionKey, context)),
  )

export const resultOf = (outcome: ToolOutcome): ToolOutcome =>
  map(outcome, ({ images = [], ...result }) => ({ ...result, images }))

/** Converts the value of a successful call to the data of the tool's answer; a failure stays as it is. */
export const answer = <T, D>(outcome: Outcome<T>, toData: (value: T) => D): Outcome<{ data: D }> =>
  map(outcome, (value) => ({ data: toData(value) }))

// The part that all kinds of tools share: the schemas of a definition, and the binding of an input to its body.
export type Entries = v.ObjectEntries

export type Input<I extends Entries> = v.InferOutput<v.StrictObjectSchema<I, undefined>>

export type Answer<O extends Entries> = Promise<
  ToolOutcome<{ data: v.InferInput<v.ObjectSchema<O, undefined>>; images?: readonly Image[] }>
>

export interface Definition<I extends Entries, O extends Entries> extends ToolDetails {
  readonly input: I
  readonly output: O
}

const SESSION_KEY = { sessionId: v.pipe(v.string(), v.maxLength(200)) }

const OPTIONAL_SESSION_KEY = { sessionId: v.optional(SESSION_KEY.sessionId) }

type RunTool<I extends Entries> = (
  input: Input<I>,
  sessionKey: string | undefined,
  rawInput: RawInput,
  context: ToolContext,
) => Promise<ToolOutcome>

/** The tool that a definition describes: its schemas, with and without the key of a session, and `run` bound to a parsed input. */
export function buildTool<I extends Entries>(
  definition: Definition<I, Entries>,
  takesSession: boolean,
  run: RunTool<I>,
): Tool {
  const {
    name,
    title,
    description,
    descriptionWithKey,
    effect,
    showsImage = false,
    input,
    output,
    texts = {},
    removed = {},
  } = definition
  const entries: Entries = { ...(takesSession && OPTIONAL_SESSION_KEY), ...input }
  const schema = v.strictObject(input)
  return {
    name,
    title,
    description,
    descriptionWithKey,
    effect,
    showsImage,
    input: v.strictObject(entries),
    output: v.object(output),
    texts,
    removed,
    bind(rawInput, isSessionOptional) {
      const { sessionId, ...fields } = rawInput
      const keyEntries = isSessionOptional ? OPTIONAL_SESSION_KEY : SESSION_KEY
      const key = takesSession
        ? v.safeParse(
            v.strictObject<{ sessionId: v.GenericSchema<unknown, string | undefined> }>(keyEntries),
            'sessionId' in rawInput ? { sessionId } : {},
          )
        : undefined
      const parseResult = v.safeParse(schema, takesSession ? fields : rawInput)
      if (!parseResult.success || key?.success === false)
        return err([...(parseResult.issues ?? []), ...(key?.issues ?? [])])
      return ok({
        input: { ...key?.output, ...parseResult.output },
        run: (context) => run(parseResult.output, key?.output.sessionId, rawInput, context),
      })
    },
  }
}
