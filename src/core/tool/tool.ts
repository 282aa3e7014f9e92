// A tool as the protocol and the runtime use it: data, and a function that binds an input to its body.

import * as v from 'valibot'
import type { InvalidParameter } from '../base/failure-records.ts'
import type { Outcome } from '../base/failure.ts'
import type { Files } from '../base/files/files.ts'
import type { Secrets } from '../base/redaction/secret-placeholders.ts'
import type { Result } from '../base/result.ts'
import type { FieldTexts } from './field-texts.ts'
import type { Caller, ToolOutcome, ToolResult } from './tool-call.ts'

/** What a call of a client brings, and what it can use. The rooms above and features add theirs. */
export interface CallContext {
  readonly caller: Caller
  readonly files: Files
  /** Secrets that an agent can type by name without seeing their values. */
  readonly secrets: Secrets
}

/** What the body of a tool can use besides its session. */
export interface ToolContext extends CallContext {
  /** Id or name of the session that the call is for; undefined where it names none and is not the owner's only one. */
  readonly sessionKey?: string | undefined
  /** Parses a call of another tool, which `steps` runs like a call of the client. */
  readonly parseStep: (tool: string, input: RawInput) => Result<Step, InvalidParameter>
}

/** A call within `steps`, with the listed name of its tool. */
export interface Step {
  readonly tool: string
  /** `omitsEvidence`: an earlier failure is the answer. */
  run(sessionKey: string | undefined, omitsEvidence: boolean): Promise<StepResult>
}

export interface StepResult {
  readonly outcome: Outcome<ToolResult>
  /** What a model reads of the outcome. */
  readonly text: string
  /** The id of the session that this step created. */
  readonly createdSession?: string
}

/** The effect of a tool, for its MCP annotations. */
type Effect = 'reads' | 'acts' | 'ends'

export interface ToolDetails {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The description where calls must have a `sessionId`, if it differs. */
  readonly descriptionWithKey?: string
  readonly effect: Effect
  readonly texts?: FieldTexts
  /** What to use instead of the fields that earlier versions had. */
  readonly removed?: Readonly<Record<string, string>>
  /** Whether a success contains an image. It has no structured content then, because several clients show their model nothing else. */
  readonly showsImage?: boolean
}

/** A call whose input has been parsed. */
export interface BoundCall {
  /** The parsed input, including the session. */
  readonly input: object
  run(context: ToolContext): Promise<ToolOutcome>
}

export interface Tool extends ToolDetails {
  readonly input: v.StrictObjectSchema<v.ObjectEntries, undefined>
  readonly output: v.ObjectSchema<v.ObjectEntries, undefined>
  /** Which session it takes: one that is open, or the one of a key, which need not be. */
  readonly session: 'open' | 'named' | undefined
  /** Parses an input and binds it to the body; returns the issues if it does not match the schema. */
  bind(input: RawInput): Result<BoundCall, readonly v.BaseIssue<unknown>[]>
}

/** The unparsed input, by field name. */
export type RawInput = Readonly<Record<string, unknown>>
