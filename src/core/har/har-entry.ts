// The parts of a HAR file (HTTP Archive 1.2) that are used here.

export interface HarHeader {
  readonly name: string
  readonly value: string
}

export interface HarContent {
  readonly mimeType?: string | undefined
  readonly text?: string | undefined
  readonly encoding?: string | undefined
}

export interface HarEntry {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers?: readonly HarHeader[] | undefined
    readonly postData?: { readonly text?: string | undefined } | undefined
  }
  readonly response: {
    readonly status: number
    readonly headers?: readonly HarHeader[] | undefined
    readonly content?: HarContent | undefined
  }
}

export interface HarLog {
  readonly log: { readonly entries: readonly HarEntry[] }
}
