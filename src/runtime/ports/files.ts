// Where results go that are too large to answer with, and which files an agent may name.

import type { Outcome } from '../../core/failure.ts'

/** A file of a session: where it lies, and the resource under which a client far away can read it. */
export interface Artifact {
  readonly name: string
  readonly path: string
  readonly resource: string
}

/** The files of one session. */
export interface Folder {
  write(name: string, bytes: Uint8Array): Promise<Outcome<Artifact>>
  /** An empty new file for somebody else to write, who then calls `done`, or `drop` if it was not needed. */
  place(name: string): Promise<Outcome<string>>
  /** Makes what was written readable for this user only. */
  done(path: string): Promise<Artifact>
  drop(path: string): Promise<void>
  list(): readonly Artifact[]
  read(name: string): Promise<Uint8Array | undefined>
}

export interface Files {
  folder(session: string): Folder
  /** The real path of a file that an agent names, where it may be read. */
  find(path: string): Promise<Outcome<string>>
  /** The files below a folder, as paths from there; links are left out, because they may lead anywhere. Undefined where it is no folder. */
  filesBelow(folder: string): Promise<readonly string[] | undefined>
  /** Its bytes, where it may be read and is not too large. */
  read(path: string): Promise<Outcome<Uint8Array>>
  /** Writes a new file where an agent names it, if it may. */
  create(path: string, bytes: Uint8Array): Promise<Outcome<string>>
}
