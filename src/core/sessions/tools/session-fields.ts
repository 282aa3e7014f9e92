// The fields of create_session: those of the core and those of features, with what is made of each.

import type { Outcome } from '../../base/failure.ts'
import { ok } from '../../base/result.ts'
import type { Entries, Input } from '../../tool/define-tool.ts'
import type { CallContext } from '../../tool/tool.ts'
import type { OpenSession, SessionRequest } from '../types/open-session.ts'

declare module '../../tool/feature.ts' {
  interface FeatureParts {
    readonly sessionFields?: SessionFields
  }
}

/** Fields of create_session that belong together. */
export interface SessionFields {
  /** The field before which they stand; without it, or without that one, they stand before those of the server. */
  readonly before?: string
  readonly entries: Entries
  /** Those that may be long or secret. Their values are not repeated when the session has ended. */
  readonly unrepeated?: readonly string[]
  /** Makes of the input what it asks of the session. It returns at once what needs no reading: calls that are sent together with the creation
   * of a session go to that session. */
  read(input: SessionInput, context: ReadContext): Reading
}

/** The fields of create_session as its caller gave them. */
export type SessionInput = Readonly<Record<string, unknown>>

type ReadContext = Pick<CallContext, 'files' | 'secrets'>

type Reading = Outcome<SessionAddition> | Promise<Outcome<SessionAddition>>

interface SessionAddition {
  readonly request?: Partial<SessionRequest>
  /** A sentence for the answer. */
  describe?(session: OpenSession): string | undefined
}

/** Fields whose `read` knows their types. */
export const defineSessionFields = <I extends Entries>(
  fields: Omit<SessionFields, 'entries' | 'read'> & {
    readonly entries: I
    read(input: Input<I> & SessionInput, context: ReadContext): Reading
  },
): SessionFields => fields

/** What all fields make of the input, at once if none has to read a file. Fails as the first that refuses it. */
export function readFields(
  all: readonly SessionFields[],
  input: SessionInput,
  context: ReadContext,
): Outcome<readonly SessionAddition[]> | Promise<Outcome<readonly SessionAddition[]>> {
  const readings = all.map((fields) => fields.read(input, context))
  const outcomes = readings.flatMap((reading) => (reading instanceof Promise ? [] : reading))
  return outcomes.length === readings.length ? allOf(outcomes) : Promise.all(readings).then(allOf)
}

/** The input as a failure repeats it after the end of the session. */
export function creationOf(
  all: readonly SessionFields[],
  input: SessionInput,
): NonNullable<SessionRequest['creation']> {
  const unrepeated = new Set(all.flatMap((fields) => fields.unrepeated ?? []))
  const isRepeated = (name: string) => !unrepeated.has(name)
  const names = Object.keys(input).filter((name) => input[name] !== undefined)
  return {
    input: Object.fromEntries(names.filter(isRepeated).map((name) => [name, input[name]])),
    omitted: names.filter((name) => !isRepeated(name)),
  }
}

// --- internal ---

function allOf(outcomes: readonly Outcome<SessionAddition>[]): Outcome<readonly SessionAddition[]> {
  const refusal = outcomes.find((outcome) => !outcome.ok)
  return refusal && !refusal.ok
    ? refusal
    : ok(outcomes.flatMap((outcome) => (outcome.ok ? outcome.value : [])))
}
