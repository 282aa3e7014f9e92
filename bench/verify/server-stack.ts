// A server of the benchmark, as data.

export interface Handler {
  readonly name: string
  readonly file: string
  readonly small: ServerRequest
  readonly big: ServerRequest
}

interface ServerRequest {
  readonly path: string
  /** The fields that are posted. */
  readonly form?: Readonly<Record<string, string>>
  /** The name of one more field, in the page with the form. */
  readonly formFields?: RegExp
  /** Whether the answer is a line of the server's output. */
  readonly isLogged?: boolean
}

export interface ServerStack {
  readonly name: string
  readonly packages: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, string>>
  readonly dev: string
  readonly handlers: readonly Handler[]
}

/** The stack with its manifest. */
export const handlerFiles = (stack: ServerStack): ServerStack => ({
  ...stack,
  files: {
    ...stack.files,
    'package.json': JSON.stringify({
      name: 'servers',
      private: true,
      type: 'module',
      scripts: { 'dev:server': 'node --watch server.mjs' },
      dependencies: stack.packages,
    }),
  },
})
