// What a verdict says in a few words.

import { hasRun, type Verdict } from './verdict.ts'

/** Such as `3 of 5 changed files ran since their last edit, 1 not seen`. */
export function summaryOf({ files, base }: Verdict): string {
  const countedFiles = files.filter(({ notSeen }) => notSeen === undefined)
  const unseenCount = files.length - countedFiles.length
  if (files.length === 0) return `nothing that can run differs from ${base}`
  const unseen = unseenCount > 0 ? `, ${unseenCount} not seen` : ''
  if (countedFiles.length === 0)
    return `nothing can tell whether the ${count(unseenCount, 'changed file')} ran`
  const ranCount = countedFiles.filter(hasRun).length
  return `${ranCount} of ${count(countedFiles.length, 'changed file')} ran since ${countedFiles.length === 1 ? 'its' : 'their'} last edit${unseen}`
}

/** Such as `ran 12 of 14 changed lines`. */
export function lineSummaryOf({ files }: Pick<Verdict, 'files'>): string {
  const sum = (part: 'ran' | 'partly' | 'notRun' | 'notLoaded') =>
    files.reduce((total, file) => total + file[part].length, 0)
  const ranCount = sum('ran') + sum('partly')
  return `ran ${ranCount} of ${count(ranCount + sum('notRun') + sum('notLoaded'), 'changed line')}`
}

export const ageOf = (at: number, now: number): string => {
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  if (seconds < 120) return `${seconds} s ago`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min ago` : `${Math.round(seconds / 3600)} h ago`
}

// --- internal ---

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
