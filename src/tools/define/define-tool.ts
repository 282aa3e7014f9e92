// Three kinds of tools: on a session's page, on a session, and without one. A definition is data plus a short body; what every call needs
// around the body is in runtime/calls/run-call.ts.

import * as v from 'valibot'
import type { RawInput, Tool, ToolContext, ToolDetails } from './tool.ts'
import type { Outcome } from '../../core/failure.ts'
import { err, map, ok } from '../../core/result.ts'
import type { OpenSession } from '../../runtime/ports/open-session.ts'
import type { Deadline, Image, Page } from '../../runtime/ports/page.ts'
import type { ToolCall, ToolResult } from '../../runtime/ports/tool-call.ts'

type Entries = v.ObjectEntries
type Input<I extends Entries> = v.InferOutput<v.StrictObjectSchema<I, undefined>>
type Answer<O extends Entries> = Promise<
  Outcome<{ data: v.InferInput<v.ObjectSchema<O, undefined>>; images?: readonly Image[] }>
>

interface Definition<I extends Entries, O extends Entries> extends ToolDetails {
  readonly input: I
  readonly output: O
}

interface PageToolDefinition<I extends Entries, O extends Entries> extends Definition<I, O> {
  /** Which default timeout its calls have. */
  readonly timeoutKind?: ToolCall['timeoutKind']
  /** Whether it changes the page, so that its result reports changes. */
  readonly changesPage?: boolean
  /** Whether it shows what the page made others say, so that the page's secrets must be known first. */
  readonly readsPageOutput?: boolean
  /** The address that it opens with this input, if any. */
  readonly opensUrl?: (input: Input<I>) => string | undefined
  /** Milliseconds that this input needs beyond its timeout. */
  readonly graceMs?: (input: Input<I>) => number
  run(
    input: Input<I>,
    page: Page,
    deadline: Deadline,
    context: ToolContext & { readonly session: OpenSession },
  ): Answer<O>
}

interface SessionToolDefinition<I extends Entries, O extends Entries> extends Definition<I, O> {
  /** Whether it shows what the page made others say, so that the page's secrets must be known first. */
  readonly readsPageOutput?: boolean
  run(input: Input<I>, session: OpenSession, context: ToolContext): Answer<O>
}

const SESSION_KEY = { sessionId: v.pipe(v.string(), v.maxLength(200)) }
const OPTIONAL_SESSION_KEY = { sessionId: v.optional(SESSION_KEY.sessionId) }

/** Milliseconds after its timeout in which a call may still say why it failed. */
const EXPLAIN_GRACE_MS = 1000

/** The fields that the results of tools which change the page have. */
const CHANGE_FIELDS = { changes: v.optional(v.string()), url: v.optional(v.string()) }

/** A tool on the page of an open session. */
export function definePageTool<I extends Entries, O extends Entries>(
  definition: PageToolDefinition<I, O>,
): Tool {
  const { run, timeoutKind = 'action', changesPage = false, readsPageOutput = false, ...more } = definition
  const { opensUrl, graceMs, ...rest } = more
  const output = { ...(changesPage && CHANGE_FIELDS), ...rest.output }
  return buildTool({ ...rest, output }, true, (input, sessionKey, given, context) => {
    const call: ToolCall = {
      ...context.caller,
      ...callFields(rest.name, given),
      sessionKey,
      timeoutKind,
      changesPage,
      readsPageOutput,
      graceMs: graceMs?.(input) ?? EXPLAIN_GRACE_MS,
      opensUrl: opensUrl?.(input),
    }
    return context.sessions.runPageTool(call, async (page, deadline, session) =>
      resultOf(await run(input, page, deadline, { ...context, session })),
    )
  })
}

/** A tool that needs an open session but not its page, and so does not wait for it. */
export function defineSessionTool<I extends Entries, O extends Entries>(
  definition: SessionToolDefinition<I, O>,
): Tool {
  const { run, readsPageOutput = false, ...rest } = definition
  return buildTool(rest, true, (input, sessionKey, given, context) => {
    const call: ToolCall = {
      ...context.caller,
      ...callFields(rest.name, given),
      sessionKey,
      timeoutKind: 'action',
      changesPage: false,
      graceMs: 0,
      readsPageOutput,
    }
    return context.sessions.runOnSession(call, async (session) =>
      resultOf(await run(input, session, context)),
    )
  })
}

/** A tool without a session. */
export const defineTool = <I extends Entries, O extends Entries>(
  definition: Definition<I, O> & { run(input: Input<I>, context: ToolContext): Answer<O> },
): Tool =>
  buildTool(definition, false, async (input, _, __, context) =>
    resultOf(await definition.run(input, context)),
  )

/** A tool that takes the key of a session, which need not be open. */
export const defineKeyTool = <O extends Entries>(
  definition: Definition<Record<never, never>, O> & {
    run(sessionKey: string | undefined, context: ToolContext): Answer<O>
  },
): Tool =>
  buildTool(definition, true, async (_, sessionKey, __, context) =>
    resultOf(await definition.run(sessionKey, context)),
  )

type RunBound<I extends Entries> = (
  input: Input<I>,
  sessionKey: string | undefined,
  given: RawInput,
  context: ToolContext,
) => Promise<Outcome<ToolResult>>

function buildTool<I extends Entries>(
  { name, title, description, effect, showsImage = false, input, output }: Definition<I, Entries>,
  takesSession: boolean,
  run: RunBound<I>,
): Tool {
  const entries: Entries = { ...(takesSession && SESSION_KEY), ...input }
  const schema = v.strictObject(input)
  return {
    name,
    title,
    description,
    effect,
    showsImage,
    input: v.strictObject(entries),
    output: v.object(output),
    bind(given, isSessionOptional) {
      const { sessionId, ...fields } = given
      const keyEntries = isSessionOptional ? OPTIONAL_SESSION_KEY : SESSION_KEY
      const key = takesSession
        ? v.safeParse(
            v.strictObject<{ sessionId: v.GenericSchema<unknown, string | undefined> }>(keyEntries),
            'sessionId' in given ? { sessionId } : {},
          )
        : undefined
      const parsed = v.safeParse(schema, takesSession ? fields : given)
      if (!parsed.success || key?.success === false)
        return err([...(parsed.issues ?? []), ...(key?.issues ?? [])])
      return ok({
        input: { ...key?.output, ...parsed.output },
        run: (context) => run(parsed.output, key?.output.sessionId, given, context),
      })
    },
  }
}

const resultOf = (outcome: Outcome<ToolResult>): Outcome<ToolResult> =>
  map(outcome, ({ data, images = [] }) => ({ data, images }))

const DESCRIPTION_LIMIT_CHARS = 10_000

// What the journal and a failure call it: the tool, and the element or address that it is about.
function callFields(
  name: string,
  { timeout, selector, ref, url }: RawInput,
): Pick<ToolCall, 'description'> & { timeout?: number } {
  const subject = [selector, ref, url].find((field) => typeof field === 'string')
  const description = [name, subject].filter(Boolean).join(' ').slice(0, DESCRIPTION_LIMIT_CHARS)
  return { description, ...(typeof timeout === 'number' && { timeout }) }
}

/** Gives a page call's success its data. */
export const answer = <T, D>(outcome: Outcome<T>, data: (value: T) => D): Outcome<{ data: D }> =>
  map(outcome, (value) => ({ data: data(value) }))
