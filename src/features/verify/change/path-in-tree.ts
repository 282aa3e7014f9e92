import { existsSync, realpathSync } from 'node:fs'
import { relative, sep } from 'node:path'

/** The path of a file relative to the top of its work tree, as git writes it. */
export const pathInTree = (top: string, file: string): string => relative(top, file).split(sep).join('/')

/** A folder without symbolic links, as git names it; as it is if it is gone. */
export const realFolderOf = (folder: string): string => (existsSync(folder) ? realpathSync(folder) : folder)
