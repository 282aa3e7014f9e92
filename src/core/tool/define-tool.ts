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
  buildTool(definition, undefined, async (input, _, context) =>
    resultOf(await definition.run(input, context)),
  )

/** A tool that takes the key of a session, which need not be open. */
export const defineKeyTool = <I extends Entries, O extends Entries>(
  definition: Definition<I, O> & {
    run(input: Input<I>, sessionKey: string | undefined, context: ToolContext): Answer<O>
  },
): Tool =>
  buildTool(definition, 'named', async (input, _, context) =>
    resultOf(await definition.run(input, context.sessionKey, context)),
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

const SESSION_KEY = { sessionId: v.optional(v.pipe(v.string(), v.maxLength(200))) }

type RunTool<I extends Entries> = (
  input: Input<I>,
  rawInput: RawInput,
  context: ToolContext,
) => Promise<ToolOutcome>

/** The tool that a definition describes: its schemas, with the key of a session if it takes one, and `run` bound to a parsed input. */
export function buildTool<I extends Entries>(
  definition: Definition<I, Entries>,
  session: Tool['session'],
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
  const schema = v.strictObject<Entries>({ ...(session && SESSION_KEY), ...input })
  return {
    name,
    title,
    description,
    descriptionWithKey,
    effect,
    showsImage,
    input: schema,
    output: v.object(output),
    texts,
    removed,
    session,
    bind(rawInput) {
      const parseResult = v.safeParse(schema, rawInput)
      if (!parseResult.success) return err(parseResult.issues)
      const { sessionId: _, ...fields } = parseResult.output
      return ok({ input: parseResult.output, run: (context) => run(fields as Input<I>, rawInput, context) })
    },
  }
}
