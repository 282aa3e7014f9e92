// The part that all kinds of tools share: the schemas of a definition, and the binding of an input to its body.

import * as v from 'valibot'
import type { RawInput, Tool, ToolContext, ToolDetails } from './tool.ts'
import { err, ok } from '../../core/result.ts'
import type { Image } from '../../runtime/ports/page/screenshots.ts'
import type { ToolOutcome } from '../../runtime/ports/tool-call.ts'

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
  } = definition
  const entries: Entries = { ...(takesSession && OPTIONAL_SESSION_KEY), ...input }
  const schema = v.strictObject(input)
  return {
    name,
    title,
    description,
    ...(descriptionWithKey !== undefined && { descriptionWithKey }),
    effect,
    showsImage,
    input: v.strictObject(entries),
    output: v.object(output),
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
