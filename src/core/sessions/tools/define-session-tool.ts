// Tools on the page of a session, and on a session. The steps that every call needs around the body are in core/sessions/call/run-call.ts.

import * as v from 'valibot'
import { map } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import {
  type Answer,
  buildTool,
  type Definition,
  type Entries,
  type Input,
  resultOf,
} from '../../tool/define-tool.ts'
import type { ToolCall } from '../../tool/tool-call.ts'
import type { RawInput, Tool, ToolContext } from '../../tool/tool.ts'
import type { OpenSession } from '../types/open-session.ts'
import type { Page } from '../types/page.ts'

interface PageToolDefinition<I extends Entries, O extends Entries>
  extends
    Definition<I, O>,
    Partial<Pick<ToolCall, 'timeoutKind' | 'reportsOthers' | 'movesFocus' | 'readsPageOutput'>> {
  /** Whether it may change the page, with this input; its result then reports the changes. */
  readonly changesPage?: boolean | ((input: Input<I>) => boolean)
  /** Whether its success is no step on the page, because it does nothing there, or its own calls are the steps. */
  readonly isSilent?: boolean
  /** The URL that it opens with this input, if any. */
  readonly opensUrl?: (input: Input<I>) => string | undefined
  /** Milliseconds that this input needs in addition to its timeout. */
  readonly graceMs?: (input: Input<I>) => number
  run(
    input: Input<I>,
    page: Page,
    deadline: Deadline,
    context: ToolContext & { readonly session: OpenSession },
  ): Answer<O>
}

interface SessionToolDefinition<I extends Entries, O extends Entries> extends Definition<I, O> {
  readonly readsPageOutput?: ToolCall['readsPageOutput']
  run(input: Input<I>, session: OpenSession, context: ToolContext): Answer<O>
}

/** Milliseconds after its timeout in which a call may still report the reason of its failure. That takes a few, but many on a busy
 * machine; the price is that a page which hangs is freed that much later. */
export const EXPLAIN_GRACE_MS = 2500

/** Output fields of all tools that change the page. */
const CHANGE_FIELDS = {
  since: v.optional(v.string()),
  changes: v.optional(v.string()),
  url: v.optional(v.string()),
}

/** A tool that a feature can extend: it defines the tool anew, with parts of this definition. */
type Extensible<D> = Tool & { readonly definition: Omit<D, 'changesPage' | 'opensUrl' | 'graceMs'> }

/** A tool on the page of an open session. */
export function definePageTool<I extends Entries, O extends Entries>(
  definition: PageToolDefinition<I, O>,
): Extensible<typeof definition> {
  const { run, timeoutKind = 'action', changesPage = false, readsPageOutput = false, ...details } = definition
  const { opensUrl, graceMs, isSilent, movesFocus = false, reportsOthers = false, ...rest } = details
  const output = { ...(changesPage !== false && CHANGE_FIELDS), ...rest.output }
  const tool = buildTool({ ...rest, output }, 'open', (input, rawInput, context) => {
    const call: ToolCall = {
      ...context.caller,
      ...callFields(rest.name, rawInput),
      session: context.foundSession,
      sessionKey: context.sessionKey,
      timeoutKind,
      changesPage: typeof changesPage === 'function' ? changesPage(input) : changesPage,
      isRead: rest.effect === 'reads',
      isSilent,
      enteredTexts: enteredTextsOf(rawInput),
      movesFocus,
      reportsOthers,
      readsPageOutput,
      graceMs: graceMs?.(input) ?? EXPLAIN_GRACE_MS,
      opensUrl: opensUrl?.(input),
    }
    return context.sessions.runPageTool(call, async (page, deadline, session) =>
      resultOf(await run(input, page, deadline, { ...context, session })),
    )
  })
  return { ...tool, definition }
}

/** A tool that needs an open session but not its page, and so does not wait for it. */
export function defineSessionTool<I extends Entries, O extends Entries>(
  definition: SessionToolDefinition<I, O>,
): Extensible<typeof definition> {
  const { run, readsPageOutput = false, ...rest } = definition
  const tool = buildTool(rest, 'open', (input, rawInput, context) => {
    const call: ToolCall = {
      ...context.caller,
      ...callFields(rest.name, rawInput),
      session: context.foundSession,
      sessionKey: context.sessionKey,
      timeoutKind: 'action',
      changesPage: false,
      graceMs: 0,
      readsPageOutput,
    }
    return context.sessions.runOnSession(call, async (session) =>
      map(resultOf(await run(input, session, context)), (result) => ({
        reportedUrl: session.reportedUrl,
        ...result,
      })),
    )
  })
  return { ...tool, definition }
}

const DESCRIPTION_LIMIT_CHARS = 10_000

// The description in the journal and in failures: the tool name and its element or URL.
function callFields(
  name: string,
  { timeout, selector, ref, url }: RawInput,
): Pick<ToolCall, 'description' | 'hasTarget' | 'requestedTimeout'> {
  const subject = [selector, ref, url].find((field) => typeof field === 'string')
  const description = [name, subject].filter(Boolean).join(' ').slice(0, DESCRIPTION_LIMIT_CHARS)
  const hasTarget = typeof (selector ?? ref) === 'string'
  return { description, hasTarget, ...(typeof timeout === 'number' && { requestedTimeout: timeout }) }
}

/** The texts that an input enters into fields of the page, by the names under which `type`, `select` and `fill_form` take them. */
export function enteredTextsOf({ text, values, fields }: RawInput): string[] {
  const formValues = Array.isArray(fields) ? fields.map((field: { value?: unknown }) => field.value) : []
  return [text, values, formValues].flat(2).filter((value) => typeof value === 'string')
}
