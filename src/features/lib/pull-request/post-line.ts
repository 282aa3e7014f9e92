// The one line that posts files to the pull request of a work tree. A person or an agent runs it; Footlight never does.

/** What is known of where the files would go. */
export interface PostFacts {
  /** The host of the remote, such as `github.com`. */
  readonly host: string
  /** Of the command line of that host, such as `2.99.0`; undefined where it is not there, or where that is not known. */
  readonly version?: string | undefined
  /** Whether the files are in the work tree, where the command finds its repository. */
  readonly isInside: boolean
  readonly isWindows: boolean
}

export interface PostedFiles {
  readonly folder: string
  /** The name of the Markdown file. */
  readonly markdown?: string
  /** The names of the pictures that it shows, or of a video. */
  readonly media: readonly string[]
}

export type HostKind = 'github' | 'gitlab'

/** The kind of a host by its name; undefined for one that says nothing. */
export function hostKindOf(host: string): HostKind | undefined {
  if (/(^|\.)(github\.com|ghe\.com)$/.test(host) || /(^|\.)github\./.test(host)) return 'github'
  return /(^|\.)gitlab\./.test(host) ? 'gitlab' : undefined
}

/** The command, or the path of the Markdown file where no command can post it; undefined where there is nothing to name. */
export function postLineOf(facts: PostFacts, files: PostedFiles): string | undefined {
  const kind = facts.version === undefined ? undefined : hostKindOf(facts.host)
  const names = [files.folder, files.markdown ?? '', ...files.media]
  const isQuotable = !facts.isWindows || names.every((name) => WINDOWS_TEXT.test(name))
  const command = kind === 'github' ? githubCommand(facts, files) : kind && gitlabCommand(facts, files)
  if (command === undefined || !isQuotable)
    return files.markdown && pathIn(files.folder, files.markdown, facts)
  // The paths in the Markdown are those of its folder, and the command rewrites them as they are written.
  return facts.isInside ? `cd ${quote(files.folder, facts)} && ${command}` : command
}

// --- internal ---

/** The first that uploads what is attached. */
const ATTACHING_VERSION = [2, 99] as const

function githubCommand(facts: PostFacts, { folder, markdown, media }: PostedFiles): string | undefined {
  const attached = canAttach(facts) ? media : []
  if (markdown === undefined && attached.length === 0) return undefined
  const place = (name: string) => quote(facts.isInside ? name : pathIn(folder, name, facts), facts)
  const body = markdown === undefined ? [] : [`--body-file ${place(markdown)}`]
  return ['gh pr comment', ...body, ...attached.map((name) => `--attach ${place(name)}`)].join(' ')
}

// A server of GitHub Enterprise has no uploads.
function canAttach({ host, version = '' }: PostFacts): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [first, second] = ATTACHING_VERSION
  return /(^|\.)(github|ghe)\.com$/.test(host) && (major > first || (major === first && minor >= second))
}

// It takes the text alone, which a shell of Unix reads from the file.
function gitlabCommand(facts: PostFacts, { folder, markdown }: PostedFiles): string | undefined {
  if (markdown === undefined || facts.isWindows) return undefined
  const path = quote(facts.isInside ? markdown : pathIn(folder, markdown, facts), facts)
  return `glab mr note --message "$(cat ${path})"`
}

const pathIn = (folder: string, name: string, { isWindows }: PostFacts): string =>
  `${folder}${isWindows ? '\\' : '/'}${name}`

/** What is itself between double quotes in PowerShell and in cmd.exe; `$`, `%`, a backtick and other quotes are not. */
const WINDOWS_TEXT = /^[\p{L}\p{N} .\\/:@+()_-]*$/u

function quote(text: string, { isWindows }: PostFacts): string {
  if (isWindows) return /^[\w.\\/:@+-]+$/.test(text) ? text : `"${text}"`
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
