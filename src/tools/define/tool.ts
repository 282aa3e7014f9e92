// A tool is data plus a short body. What every tool on a page needs, the session's field, its place in the queue and its deadline,
// is added by `definePageTool`; the body only calls the page and shapes its answer.

import * as v from 'valibot'
import {
  beforeOf,
  changeFields,
  withStaleRefName,
  withEffects,
  withNews,
  type Before,
} from './describe-changes.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import type { Ask } from './host-permission.ts'
import type { Secrets } from '../../core/text/secret-placeholders.ts'
import { err, map } from '../../core/result.ts'
import type { SessionManager, OpenSession, CallRequest } from '../../runtime/ports/session-manager.ts'
import type { Files } from '../../runtime/ports/files.ts'
import type { Call, Image, Page } from '../../runtime/ports/page.ts'

export interface ToolContext {
  readonly owner: string
  readonly sessions: SessionManager
  readonly files: Files
  readonly signal: AbortSignal
  /** What an agent may type without seeing it. */
  readonly secrets: Secrets
  /** Asks the user whether a page may reach a host; undefined where nobody can be asked. */
  readonly ask: Ask | undefined
  /** Tells the client what a long call waits for; nothing where it did not ask to know. */
  readonly progress: (text: string) => void
  /** Of the picture of a failure; without it there is no limit. */
  readonly maximumPixels?: number
}

/** What a tool answers: `data` as text, and as structured content where no images follow it. */
export interface Reply {
  readonly data: Readonly<Record<string, unknown>>
  readonly images?: readonly Image[]
}

type Entries = v.ObjectEntries
type Input<E extends Entries> = v.InferOutput<v.StrictObjectSchema<E, undefined>>

/** What the tool does to the world, as MCP's annotations say it. */
export type Effect = 'reads' | 'acts' | 'ends'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
  /** Whether a success carries a picture. Several clients show their model the structured content alone, so it has none then. */
  readonly showsImage?: boolean
  readonly input: v.StrictObjectSchema<Entries, undefined>
  readonly output: v.ObjectSchema<Entries, undefined>
  run(input: Record<string, unknown>, context: ToolContext): Promise<Outcome<Reply>>
}

interface Definition<I extends Entries, O extends Entries> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly effect: Effect
  readonly showsImage?: boolean
  readonly input: I
  readonly output: O
}

type Data<O extends Entries> = v.InferInput<v.ObjectSchema<O, undefined>>

export function defineTool<I extends Entries, O extends Entries>(
  definition: Definition<I, O> & {
    run(input: Input<I>, context: ToolContext): Promise<Outcome<{ data: Data<O>; images?: readonly Image[] }>>
  },
): Tool {
  const { run, input, output, ...rest } = definition
  const strict = v.strictObject(input)
  return {
    ...rest,
    input: strict as unknown as Tool['input'],
    output: v.object(output),
    run: (given, context) => run(given as Input<I>, context) as Promise<Outcome<Reply>>,
  }
}

export const sessionId = v.pipe(v.string(), v.maxLength(200))

export const timeout = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(600_000)))

/** Milliseconds after its deadline in which a call may still say why it failed. */
const EXPLAIN = 1000

type PageInput<I extends Entries> = Input<I & { sessionId: typeof sessionId }>

export function definePageTool<I extends Entries, O extends Entries>(
  definition: Definition<I, O> & {
    readonly pace?: CallRequest['timeoutKind']
    /** Comes first in the call's turn, and takes as long as a person does. */
    readonly before?: (
      input: PageInput<I>,
      session: OpenSession,
      context: ToolContext,
    ) => Promise<Outcome<void>>
    /** Whether its answer tells what it changed on the page. */
    readonly changes?: boolean
    /** Milliseconds that this input needs beyond its timeout. */
    readonly grace?: (input: PageInput<I>) => number
    run(
      input: PageInput<I>,
      page: Page,
      call: Call,
      context: ToolContext & { session: OpenSession },
    ): Promise<Outcome<{ data: Data<O>; images?: readonly Image[] }>>
  },
): Tool {
  const { run, before, pace = 'action', grace = () => EXPLAIN, changes = false, output, ...rest } = definition
  return defineTool({
    ...rest,
    output: { ...(changes && changeFields), ...output } as O,
    input: { sessionId, ...rest.input } as unknown as I & { sessionId: typeof sessionId },
    async run(input, context) {
      const request = {
        ...visitOf(rest.name, input, context, pace, grace(input as PageInput<I>)),
        acts: changes,
        ...(before && { before: (session: OpenSession) => before(input as PageInput<I>, session, context) }),
      }
      let start: Before = { url: '', seq: 0 }
      return context.sessions.onPage(
        request,
        async (page, call, session) => {
          start = beforeOf(session)
          return withStaleRefName(
            await run(input as PageInput<I>, page, call, { ...context, session }),
            session,
          )
        },
        async (page, call, session, { data, ...reply }) => ({
          ...reply,
          data: (await (changes
            ? withEffects(page, call, session, data, start)
            : withNews(page, call, session, data))) as typeof data,
        }),
      )
    },
  })
}

/** The failure of a tool that shows what the page made others say, where the page does not report its secrets. */
export const unreported: Failure = {
  code: 'TIMEOUT',
  waitedFor: 'the page to report its secret fields; nothing that it caused is shown before that',
  waited: 2000,
}

/** A tool that needs an open session but not its page, and so does not wait for it. */
export function defineSessionTool<I extends Entries, O extends Entries>(
  definition: Definition<I, O> & {
    /** Whether it shows what the page made others say, so that the page's secrets must be known first. */
    readonly shows?: boolean
    run(input: PageInput<I>, session: OpenSession, context: ToolContext): Promise<Outcome<{ data: Data<O> }>>
  },
): Tool {
  const { run, shows = false, ...rest } = definition
  return defineTool({
    ...rest,
    input: { sessionId, ...rest.input } as unknown as I & { sessionId: typeof sessionId },
    run: (input, context) =>
      context.sessions.onRoom(visitOf(rest.name, input, context, 'action', 0), async (session) =>
        shows && !(await session.isReported())
          ? err(unreported)
          : run(input as PageInput<I>, session, context),
      ),
  })
}

function visitOf(
  name: string,
  input: object,
  { owner, signal, progress, maximumPixels }: ToolContext,
  timeoutKind: CallRequest['timeoutKind'],
  grace: number,
): CallRequest {
  const {
    sessionId: key,
    timeout,
    selector,
    ref,
    url,
  } = input as Record<string, string | undefined> & { timeout?: number }
  const description = [name, selector ?? ref ?? url].filter(Boolean).join(' ').slice(0, 10_000)
  const limits = {
    ...(timeout !== undefined && { timeout }),
    ...(maximumPixels !== undefined && { maximumPixels }),
  }
  return { owner, signal, progress, key, timeoutKind, description, grace, ...limits }
}

/** Gives a page call's success its data. */
export const answer = <T, D>(outcome: Outcome<T>, data: (value: T) => D): Outcome<{ data: D }> =>
  map(outcome, (value) => ({ data: data(value) }))
