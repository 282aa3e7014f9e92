// Stores results that are too large for a response, and checks the paths that an agent names.

import type { Outcome } from '../failure.ts'
import type { Result } from '../result.ts'
import type { StorageState } from '../storage.ts'

/** A file of a session: its path, and the URI of its MCP resource for remote clients. */
export interface Artifact {
  readonly name: string
  readonly path: string
  readonly resource: string
  /** Whether it has pages as they were, with what was typed there, in a form in which that cannot be redacted. */
  readonly holdsPages?: boolean
}

/** The files of one session. */
export interface Folder {
  /** Writes a file. A text is redacted as answers are; bytes are no text, or were redacted by their structure. */
  write(name: string, content: string | Uint8Array): Promise<Outcome<Artifact>>
  /** Creates an empty file and returns its path. The caller writes it and calls `finish`, or `remove` if it is not needed. */
  reserve(name: string): Promise<Outcome<string>>
  /** Makes a written file readable for this user only. */
  finish(path: string, options?: Pick<Artifact, 'holdsPages'>): Promise<Artifact>
  remove(path: string): Promise<void>
  list(): readonly Artifact[]
  read(name: string): Promise<Uint8Array | undefined>
}

export interface CreateOptions {
  readonly createsFolders?: boolean
  /** Whether it has the mode of other new files, instead of being for this user only. */
  readonly isShared?: boolean
  /** Whether a file that exists may be replaced, by its text. */
  readonly replaces?: (text: string) => boolean
}

export interface Files {
  /** Opens what was read, without keeping other sessions waiting. */
  readonly openDocument: OpenDocumentOf
  folder(session: string): Folder
  /** The real path of a file that an agent names. Fails with INVALID_PARAMETERS or ACCESS_DENIED if it cannot be read. */
  find(path: string): Promise<Outcome<string>>
  /** The same of what will run, such as a script or an extension: ACCESS_DENIED also in the output directory, where pages put files. */
  findRunnable(path: string): Promise<Outcome<string>>
  /** The files below a folder, as relative paths, without symbolic links; undefined if it is not a folder. */
  filesBelow(folder: string): Promise<readonly string[] | undefined>
  /** The bytes of a file that an agent names. Fails as `find` does. */
  read(path: string): Promise<Outcome<Uint8Array>>
  /** The same; undefined if there is no such file. */
  readIfExists(path: string): Promise<Outcome<Uint8Array | undefined>>
  /** The real path of the first of these files in the nearest folder above `path` that has one; undefined if there is none in the
   * workspace. */
  findAbove(path: string, names: readonly string[]): Promise<string | undefined>
  /** The absolute path of a path that an agent names, whether it exists or not. */
  resolve(path: string): string
  /** Whether a new file may be written at a path that an agent names; ACCESS_DENIED if not. */
  checkNew(path: string): Promise<Outcome<void>>
  /** Writes a new file at a path that an agent names, and returns its real path. Fails if it exists or the path is denied. What
   * it has of a page was redacted before, as the values of a test are, or its answer says that it keeps secrets. */
  create(path: string, bytes: Uint8Array, options?: CreateOptions): Promise<Outcome<string>>
}

/** A kind of document that can take seconds to read, such as source maps, HAR files, pictures and traces. Input, questions, answers and errors are plain data, because they may go to another thread. */
export interface DocumentType<I, Q, A, E> {
  readonly name: string
  /** Whether all that are open are in one thread, because there are many. */
  readonly sharesThread?: boolean
  /** Whether its input is kept, to open it again where its thread has ended. */
  readonly isKept?: boolean
  /** Whether it is read so quickly that no other thread is needed. */
  isSmall(input: I): boolean
  /** Reads it. The function answers questions about it. */
  open(input: I): Promise<Result<(question: Q) => A | Promise<A>, E>>
}

export interface OpenDocument<Q, A> {
  /** Undefined if it took too long, or if the document was closed for that. */
  ask(question: Q): Promise<A | undefined>
  close(): void
}

/** Opens documents where they keep nobody waiting. The error is 'unreadable' if it takes more than `timeoutMs`. */
export type OpenDocumentOf = <I, Q, A, E>(
  type: DocumentType<I, Q, A, E>,
  input: I,
  timeoutMs: number,
) => Promise<Result<OpenDocument<Q, A>, E | 'unreadable'>>

/** A state that is saved under a name for later sessions, as one session uses it. */
export interface NamedState {
  readonly name: string
  /** Undefined if nothing has been saved under this name. */
  readonly state: StorageState | undefined
  /** Whether this session saves it; another one that is open does otherwise. */
  readonly isSaved: boolean
  /** The folder of the profile that it belongs to, which has a folder for each browser. */
  readonly profileFolder?: string
  /** Replaces the file; a session that does not save it does nothing. */
  save(state: StorageState): Promise<Outcome<void>>
  /** Notes who has it, for those who want it too. */
  nameHolder(holder: string): Promise<void>
  /** Lets other sessions save it. */
  release(): Promise<void>
}

export interface NamedStates {
  /** The profile of sessions that begin with no other state. */
  readonly defaultProfile?: string | undefined
  /** Fails with INVALID_PARAMETERS for a wrong name or a damaged file, with RESOURCE_EXHAUSTED for errors of the file system. */
  open(name: string, owner: string): Promise<Outcome<NamedState>>
  /** Opens a profile with the state of its last session. Fails with INVALID_PARAMETERS also if another session has it, which it names. */
  openProfile(name: string, owner: string): Promise<Outcome<NamedState>>
}
