// A real stack as data: the folder beside this file has its application, and `package.json` with exact versions. Every
// application shows `TITLE` and a button `#counter`, whose source file has one line `increment() {`.

export const TITLE = 'First title'

export interface Stack {
  /** The folder with its application. */
  readonly name: string
  readonly command: string
  /** What its server announces. */
  readonly origin: string
  /** The address of the counter there; `/` unless given. */
  readonly path?: string
  /** The file that shows the title and the counter. */
  readonly source: string
  /** Other names that tools give to that file. */
  readonly alias?: RegExp
  /** What the compiler says of `const = 1`. */
  readonly syntax: RegExp
  /** What it says of an import of `./missing-module`. */
  readonly missing: RegExp
  /** Whether its scripts have source maps and its elements a source. */
  readonly hasSources?: boolean
  readonly env?: Readonly<Record<string, string>>
}

/** What an edit does to the source of the counter. */
export type Edit = (source: string) => string

const inHandler =
  (statement: string): Edit =>
  (source) =>
    replaced(source, 'increment() {', `increment() {\n    ${statement}`)

export const edits = {
  title:
    (title: string): Edit =>
    (source) =>
      replaced(source, TITLE, title),
  handlerThrows: inHandler("if (Date.now() > 0) throw new Error('increment is broken')"),
  syntaxError: inHandler('const = 1'),
  missingImport: ((source) => replaced(source, 'import ', "import './missing-module'\nimport ")) as Edit,
} as const

function replaced(source: string, from: string, to: string): string {
  if (!source.includes(from)) throw new Error(`the source has no ${JSON.stringify(from)}`)
  return source.replace(from, to)
}
