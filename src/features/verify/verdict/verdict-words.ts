// What a verdict says in a few words. All forms of it count here.

import { isOpen } from './file-verdict.ts'
import type { Verdict } from './verdict.ts'

/** Such as `2 of 3 changed files ran; 4 lines of src/cart.tsx did not`. */
export function summaryOf(verdict: Pick<Verdict, 'files' | 'base' | 'isBaseKnown'>): string {
  const { files, base, isBaseKnown } = verdict
  if (files.length === 0) return isBaseKnown ? `nothing differs from ${base}: give a base` : NO_BASE
  return [...countsOf(verdict), ...(isBaseKnown ? [] : [NO_BASE])].join('; ')
}

export const ageOf = (at: number, now: number): string => {
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  if (seconds < 120) return `${seconds} s ago`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3600)} h ago`
}

// --- internal ---

const NO_BASE = 'nothing tells where the work began: give a base'

function countsOf({ files, base }: Pick<Verdict, 'files' | 'base'>): readonly string[] {
  const counted = files.filter(({ notCounted }) => notCounted === undefined)
  if (counted.length === 0) {
    const reasons = new Set(files.map(({ notCounted }) => notCounted))
    return [`only ${[...reasons].join(', ')} ${reasons.size === 1 ? 'differs' : 'differ'} from ${base}`]
  }
  const seen = counted.filter((file) => file.seen !== undefined)
  const vouched = counted.filter((file) => file.vouched !== undefined)
  const ranCount = counted.length - seen.length - vouched.length - counted.filter(isOpen).length
  const parts = [
    `${ranCount} of ${count(counted.length, 'changed file')} ran`,
    ...(seen.length > 0 ? [`${seen.length} ${wasOf(seen)} seen`] : []),
    ...(vouched.length > 0 ? [`${vouched.length} ${wasOf(vouched)} vouched for`] : []),
  ]
  return [parts.join(', '), ...openPartsOf(counted)]
}

function openPartsOf(files: Verdict['files']): readonly string[] {
  const idle = files.filter(({ notRun }) => notRun.length > 0)
  const lineCount = idle.reduce((sum, { notRun }) => sum + notRun.length, 0)
  const [first] = idle
  return idle.length === 0
    ? []
    : idle.length === 1 && first
      ? [`${count(lineCount, 'line')} of ${first.file} did not`]
      : [`${count(lineCount, 'line')} did not`]
}

const wasOf = (list: readonly unknown[]): string => (list.length === 1 ? 'was' : 'were')

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
