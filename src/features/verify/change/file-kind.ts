// What can tell whether a file's lines ran, by its path.

/** `script`: a page or a Node process counts its lines. `style`: a page tells which rules it uses. `unseen`: nothing tells, with the
 * reason. `none`: nothing of it runs in the application. */
export type FileKind =
  | { readonly kind: 'script' | 'style' | 'none' }
  | { readonly kind: 'unseen'; readonly reason: string; readonly isServer?: true }

export function fileKindOf(path: string): FileKind {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  if (isTest(path) || isTestResult(path) || NOTHING_NAME.test(name) || NOTHING.has(extension))
    return { kind: 'none' }
  if (CONFIGURATION.test(name)) return unseen('configuration')
  if (SCRIPTS.has(extension)) return { kind: 'script' }
  if (STYLES.has(extension)) return { kind: 'style' }
  const language = LANGUAGES[extension]
  if (language) return { kind: 'unseen', reason: `no coverage of ${language}`, isServer: true }
  const reason = REASONS.find(([extensions]) => extensions.has(extension))?.[1]
  return unseen(reason ?? 'nothing tells whether it is used')
}

/** Whether a file of the tests is none itself: they import it. */
export const isSharedByTests = (path: string): boolean =>
  isTest(path) && CODE.test(path) && !TEST_NAME.test(path)

// --- internal ---

const CODE = /\.[cm]?[jt]sx?$/
const TEST_NAME = /[._-](test|spec|cy|stories|story)\.[cm]?[jt]sx?$/i

const unseen = (reason: string): FileKind => ({ kind: 'unseen', reason })

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '))

const SCRIPTS = setOf('js mjs cjs jsx ts mts cts tsx vue svelte astro')
const STYLES = setOf('css scss sass less styl pcss')
const NOTHING = setOf('md mdx txt rst adoc map snap log')
const NOTHING_NAME =
  /\.d\.[cm]?ts$|^(license|licence|changelog|notice|authors|codeowners)\b|^\.(gitignore|gitattributes|editorconfig|npmignore|prettierignore|eslintignore|dockerignore)$/i
const CONFIGURATION =
  /\.config\.[cm]?[jt]s$|^\.[\w-]*rc(\.[cm]?js)?$|^(gulpfile|gruntfile|webpack[\w.-]*|karma[\w.-]*|metro[\w.-]*)\.[cm]?[jt]s$/i
const LANGUAGES: Readonly<Record<string, string>> = {
  py: 'Python',
  rb: 'Ruby',
  php: 'PHP',
  go: 'Go',
  java: 'Java',
  kt: 'Kotlin',
  rs: 'Rust',
  cs: 'C#',
  ex: 'Elixir',
  exs: 'Elixir',
  scala: 'Scala',
  clj: 'Clojure',
}
const REASONS = [
  [
    setOf('html htm ejs erb hbs handlebars mustache jinja jinja2 j2 njk twig pug liquid haml heex'),
    'a template',
  ],
  [
    setOf('png jpg jpeg gif webp avif svg ico bmp woff woff2 ttf otf mp4 webm mp3 pdf'),
    'a picture, font or medium',
  ],
  [setOf('json json5 jsonc yaml yml toml xml ini env lock properties csv'), 'data or configuration'],
  [setOf('sql prisma graphql gql proto'), 'a schema or query'],
  [setOf('sh bash zsh fish ps1 bat'), 'a command'],
] as const

// As test runners find them.
const isTest = (path: string): boolean =>
  /(^|\/)(__tests__|__mocks__|e2e|cypress|playwright|tests?|specs?)\//i.test(path) ||
  TEST_NAME.test(path) ||
  /(^|\/)(test_[^/]+|[^/]+_test)\.(py|go|rb)$/.test(path)

// An application may have code in a folder of that name.
const isTestResult = (path: string): boolean =>
  /(^|\/)(playwright-report|blob-report)\//.test(path) ||
  (/(^|\/)test-results\//.test(path) && /\/(\.last-run\.json|trace\.zip|[^/]+\.(png|webm))$/.test(path))
