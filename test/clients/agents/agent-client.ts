// A client that asks a model: what it is made of, how it is run without a person, and which API of models it speaks.

import type { ClientName } from '../../../src/features/lib/client-programs.ts'
import type { ModelApi } from '../model/api.ts'
import type { Step } from '../script.ts'

export interface Place {
  /** The node_modules of the client's packages. */
  readonly modules: string
  /** A folder with the programs of this test, beside those packages. */
  readonly programs: string
  /** The origin of the scripted model. */
  readonly model: string
  /** Where Footlight is served over HTTP; undefined if the client is to start it. */
  readonly url: string | undefined
}

export interface AgentClient {
  readonly api: ModelApi
  readonly packages: Readonly<Record<string, string>>
  /** What `footlight setup` calls it; the others are told the executable by their program. */
  readonly setup?: ClientName
  /** The files of its home that name a server at this URL, by their paths there; the others are told it by their program. */
  readonly remote?: (url: string) => Readonly<Record<string, string>>
  readonly command: (place: Place) => readonly [string, ...string[]]
  /** How its model does a step, where that is more than a call of the tool. */
  readonly spoken?: (step: Step) => Step
  /** Files that its home has before it is set up, by their paths there. `project` is the folder that it is run in. */
  readonly home?: (project: string) => Readonly<Record<string, string>>
  /** Of a client that lists tools only after they were searched: the call that does so, and how their names begin. */
  readonly search?: { readonly step: Step; readonly prefix: string }
  readonly env?: (place: Place) => Readonly<Record<string, string>>
}
