import { isRecord } from '../../core/base/text/json.ts'

export type MergePatch = unknown

/** Applies a JSON Merge Patch (RFC 7396): objects are merged, null removes a field, everything else replaces. */
export function applyMergePatch(target: unknown, patch: MergePatch): unknown {
  if (!isRecord(patch)) return patch
  const fields = new Map(isRecord(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) fields.delete(name)
    else fields.set(name, applyMergePatch(fields.get(name), value))
  }
  return Object.fromEntries(fields)
}
