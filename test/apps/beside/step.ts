import type { Agent } from './agent.ts'

export interface Place {
  readonly url: string
  readonly next: string
  readonly file: string
  /** An address where nothing listens. */
  readonly dead: string
  /** A page whose server ends when its interface is asked. */
  readonly server: string
}

export interface Step {
  readonly name: string
  perform(agent: Agent, place: Place): Promise<unknown>
  readonly needsNext?: true
  /** What the answers must say. */
  readonly told: RegExp
  /** An expression that is true on the page when it is done; without it only what is told counts. */
  readonly truth?: string
}
