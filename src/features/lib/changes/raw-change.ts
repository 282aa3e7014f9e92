// What git lists of a repository, as one list: how its files differ from a commit, what is untracked, and what it was told not to look at.

export interface RawChange {
  /** Relative to the folder of its repository. */
  readonly path: string
  /** As git says it: added, modified, removed, renamed, of another type, in conflict, untracked. */
  readonly status: 'A' | 'M' | 'D' | 'R' | 'T' | 'U' | '?'
  readonly from?: string | undefined
  readonly oldMode: string
  readonly newMode: string
  /** What the commit has; undefined if it has nothing. */
  readonly oldId: string | undefined
  /** Whether only the file itself tells what it has now. */
  readonly isRead: boolean
  /** Whether git was told to take it for unchanged, and so shows no lines. */
  readonly isHidden?: true
  /** Whether it need not be there: the work tree has a part of the files alone. */
  readonly mayBeAbsent?: true
  /** Whether git reports it; a submodule may have changes that are not its own. */
  readonly isListed: boolean
  /** Why nothing is known of what is inside. */
  readonly problem?: string
}

export interface RawChanges {
  readonly files: readonly RawChange[]
  /** Submodules, and repositories that git does not know. */
  readonly repositories: readonly RawChange[]
}

/** `raw` is the output of `git diff-index --raw -z`, `files` that of `git ls-files -v -s -c -o -z`. */
export function parseRaw(raw: string, files: string): RawChanges {
  const listed = new Map<string, RawChange>()
  for (const change of parseDifferences(raw)) {
    const known = listed.get(change.path)
    if (known === undefined || known.status === 'U') listed.set(change.path, change)
  }
  const repositories = new Map<string, RawChange>()
  const sources = new Map([...listed.values()].map((change) => [change.from, change]))
  for (const change of parseFiles(files)) {
    const renamed = sources.get(change.path)
    // What was renamed in the index alone is there again, so it is a copy.
    if (renamed && change.status === '?') {
      const { from: _, ...copy } = renamed
      listed.set(copy.path, { ...copy, status: 'A', oldMode: '000000', oldId: undefined })
      listed.set(change.path, {
        ...renamed,
        ...BACK,
        path: change.path,
        from: undefined,
        newMode: renamed.oldMode,
      })
      continue
    }
    const known = listed.get(change.path)
    const isRepository = change.newMode === REPOSITORY_MODE || change.path.endsWith('/')
    if (isRepository) repositories.set(change.path, known ?? change)
    else if (known === undefined) listed.set(change.path, change)
    // In the index alone it may be as git says; the file is what runs.
    else if (change.isHidden) listed.set(change.path, { ...known, isRead: true, isHidden: true })
    else if (change.status === '?' && known.status === 'D')
      listed.set(change.path, { ...known, ...BACK, newMode: known.oldMode })
  }
  for (const change of listed.values())
    if (change.oldMode === REPOSITORY_MODE && change.status === 'D') repositories.set(change.path, change)
  for (const path of repositories.keys()) listed.delete(path)
  return { files: [...listed.values()], repositories: [...repositories.values()] }
}

/** One that the commit does not have. */
export const toRaw = (status: '?' | 'M', path: string): RawChange => ({
  path,
  status,
  ...{ oldMode: '000000', newMode: '000000', oldId: undefined, isRead: true, isListed: true },
})

// --- internal ---

const REPOSITORY_MODE = '160000'
/** It is gone from the index alone, so git shows no lines. */
const BACK = { status: 'M', isRead: true, isHidden: true } as const
const NO_ID = /^0+$/

function* parseDifferences(raw: string): Generator<RawChange> {
  const fields = raw.split('\0')
  for (let index = 0; index + 1 < fields.length; index += 1) {
    const [oldMode = '', newMode = '', oldId = '', newId = '', letter = ''] = (fields[index] ?? '')
      .slice(1)
      .split(' ')
    const first = fields[++index] ?? ''
    const isRename = letter.startsWith('R')
    const path = isRename ? (fields[++index] ?? '') : first
    yield {
      path,
      status: (letter[0] ?? 'M') as RawChange['status'],
      ...(isRename && { from: first }),
      ...{ oldMode, newMode },
      oldId: NO_ID.test(oldId) ? undefined : oldId,
      isRead: NO_ID.test(newId),
      isListed: true,
    }
  }
}

/** Untracked files, nested repositories, and files marked assume-unchanged or skip-worktree. */
function* parseFiles(files: string): Generator<RawChange> {
  for (const field of files.split('\0')) {
    if (field.startsWith('? ')) yield toRaw('?', field.slice(2))
    const [, tag = '', mode = '', id = '', path = ''] = /^(\w) (\d+) (\w+) \d\t([^]+)$/.exec(field) ?? []
    const isHidden = /[a-zS]/.test(tag)
    if (mode === REPOSITORY_MODE || isHidden)
      yield {
        ...toRaw('M', path),
        ...{ oldMode: mode, newMode: mode, oldId: id, isListed: false },
        ...(isHidden && { isHidden: true }),
        ...(/s/i.test(tag) && { mayBeAbsent: true }),
      }
  }
}
