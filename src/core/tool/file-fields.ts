// What a result says of a file that it saved.

import * as v from 'valibot'
import type { Artifact } from '../base/files/files.ts'

export const fileOutput = { path: v.optional(v.string()), resource: v.optional(v.string()) }

export const SECRETS_NOTE =
  'The file contains unredacted secrets: cookies, storage, typed text. Share it with care.'

/** The output fields of a saved file. */
export const fileFieldsOf = ({ path, resource }: Artifact) => ({ path, resource })
