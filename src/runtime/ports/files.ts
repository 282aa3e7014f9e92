// Stores results that are too large for a response, and checks the paths that an agent names.

import type { Outcome } from '../../core/failure.ts'

/** A file of a session: its path, and the URI of its MCP resource for remote clients. */
export interface Artifact {
  readonly name: string
  readonly path: string
  readonly resource: string
}

/** The files of one session. */
export interface Folder {
  write(name: string, bytes: Uint8Array): Promise<Outcome<Artifact>>
  /** Creates an empty file and returns its path. The caller writes it and calls `finish`, or `remove` if it is not needed. */
  reserve(name: string): Promise<Outcome<string>>
  /** Makes a written file readable for this user only. */
  finish(path: string): Promise<Artifact>
  remove(path: string): Promise<void>
  list(): readonly Artifact[]
  read(name: string): Promise<Uint8Array | undefined>
}

export interface Files {
  folder(session: string): Folder
  /** The real path of a file that an agent names. Fails with INVALID_PARAMETERS or ACCESS_DENIED if it cannot be read. */
  find(path: string): Promise<Outcome<string>>
  /** The files below a folder, as relative paths, without symbolic links; undefined if it is not a folder. */
  filesBelow(folder: string): Promise<readonly string[] | undefined>
  /** The bytes of a file that an agent names. Fails as `find` does. */
  read(path: string): Promise<Outcome<Uint8Array>>
  /** The same; undefined if there is no such file. */
  readIfExists(path: string): Promise<Outcome<Uint8Array | undefined>>
  /** Writes a new file at a path that an agent names, and returns its real path. Fails if it exists or the path is denied. */
  create(
    path: string,
    bytes: Uint8Array,
    options?: { readonly createsFolders?: boolean },
  ): Promise<Outcome<string>>
}
