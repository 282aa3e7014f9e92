import { relative, sep } from 'node:path'

/** The path of a file relative to the top of its work tree, as git writes it. */
export const pathInTree = (top: string, file: string): string => relative(top, file).split(sep).join('/')
