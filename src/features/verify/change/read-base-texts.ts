// What files had in the base, from the objects of git.

import type { Outcome } from '../../../core/base/failure.ts'
import { err, ok } from '../../../core/base/result.ts'
import type { RunGit } from '../../../core/devserver/process/run-git.ts'
import type { RawChange } from '../../lib/changes/raw-change.ts'
import { decodeText } from './decode-text.ts'

/** Those that are text and not too large, the smallest first up to a sum. Fails if the clone lacks one. */
export async function readBaseTexts(
  git: RunGit,
  folder: string,
  base: string,
  changes: readonly RawChange[],
): Promise<Outcome<ReadonlyMap<RawChange, string>>> {
  // What is in conflict is listed without it, and a name with a line break would be two.
  const named = changes.flatMap((change) => {
    const name = change.oldId ?? (/\n/.test(change.path) ? undefined : `${base}:${change.path}`)
    return change.status === 'A' || change.status === '?' || name === undefined ? [] : [{ change, name }]
  })
  if (named.length === 0) return ok(new Map())
  const ask = (mode: string, names: readonly { readonly name: string }[]) =>
    git(folder, ['cat-file', mode], {
      input: names.map(({ name }) => `${name}\n`).join(''),
      encoding: 'latin1',
    })
  const checked = await ask('--batch-check', named)
  if (!checked.ok) return checked
  const rows = checked.value.split('\n')
  const missing = named.find(
    ({ change }, index) => change.oldId !== undefined && rows[index]?.endsWith(' missing'),
  )
  if (missing) return err({ code: 'GIT_FAILED', question: 'cat-file', words: `missing blob ${missing.name}` })
  const sized = named.map((one, index) => ({
    ...one,
    size: Number(/ blob (\d+)$/.exec(rows[index] ?? '')?.[1] ?? Infinity),
  }))
  let left = SUM_LIMIT_BYTES
  const read = sized
    .toSorted((a, b) => a.size - b.size)
    .filter(({ size }) => size <= FILE_LIMIT_BYTES && (left -= size) >= 0)
  const answer = await ask('--batch', read)
  if (!answer.ok) return answer
  const texts = new Map<RawChange, string>()
  let at = 0
  for (const { change, size } of read) {
    const start = answer.value.indexOf('\n', at) + 1
    const text = decodeText(Buffer.from(answer.value.slice(start, start + size), 'latin1'))
    if (text !== undefined) texts.set(change, text)
    at = start + size + 1
  }
  return ok(texts)
}

// --- internal ---

const FILE_LIMIT_BYTES = 2_000_000
const SUM_LIMIT_BYTES = 20_000_000
