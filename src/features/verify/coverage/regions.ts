// The code of one function in the order of its evaluation, and how often each point of it was passed for certain.

/** How often a point was passed: at least, and at most. */
export interface Passes {
  readonly least: number
  readonly most: number
}

export interface Region {
  readonly steps: readonly Step[]
  /** How control may leave it before its end. */
  readonly way: 'exit' | 'throw' | undefined
  /** How often its beginning was passed at least, by what is in it. */
  readonly proof: number
}

/** Steps as they are put together. */
export type Steps = readonly (Step | Steps)[]

export type Step =
  | CodeStep
  /** What follows may not be reached: a suspension or a jump may come between. */
  | { readonly kind: 'exit' }
  /** The same for an exception. */
  | { readonly kind: 'throw' }
  /** What cannot be without as many passes of this point. */
  | { readonly kind: 'proof'; readonly count: number }
  /** A counter of V8 at this point. */
  | { readonly kind: 'counter'; readonly count: number }
  /** Code that is evaluated as often as V8 counted, or, without a count, whenever the point is passed. */
  | { readonly kind: 'branch'; readonly region: Region; readonly count?: number }
  /** Code that may be skipped, and has no counter. */
  | { readonly kind: 'option'; readonly region: Region }
  | LoopStep

export interface CodeStep {
  readonly kind: 'code'
  /** Where it begins. */
  readonly offset: number
  /** Whether it is a statement, and not a part of one. */
  readonly isStatement: boolean
}

interface LoopStep {
  readonly kind: 'loop'
  readonly region: Region
  /** How often the body began, and how often the loop ended by itself. */
  readonly count: number
  readonly endCount: number
  /** What is evaluated between two runs of the body. */
  readonly between: Region
  /** Whether each run of the body that ends without an exception or a return comes to its end. */
  readonly isWhole: boolean
}

interface Options {
  readonly note: (step: CodeStep, passes: Passes, region: Region) => void
  /** Whether an exception may have been thrown. */
  readonly mayThrow: boolean
}

export function regionOf(parts: Steps): Region {
  const steps: Step[] = []
  addSteps(parts, steps)
  const ways = steps.map(wayOf)
  const way = ways.includes('exit') ? 'exit' : ways.find(Boolean)
  return { steps, way, proof: steps.reduce((most, step) => Math.max(most, proofOf(step)), 0) }
}

/** Notes the passes of all code of a region that is entered as often as `entry` says, in the order of its evaluation. `proof`: how often its end
 * was passed at least. */
export function resolveRegion(region: Region, entry: Passes, options: Options, proof = 0): void {
  const { note, mayThrow } = options
  const { steps } = region
  const proofs = proofsFrom(steps, proof)
  let passes = entry
  for (const [index, step] of steps.entries()) {
    const least = passes.most === 0 ? 0 : Math.max(passes.least, proofs[index] ?? 0)
    const here = { least, most: Math.max(passes.most, least) }
    if (step.kind === 'code') note(step, here, region)
    else if (step.kind === 'counter') passes = exactly(step.count)
    else if (step.kind === 'exit' || (step.kind === 'throw' && mayThrow))
      passes = { least: 0, most: passes.most }
    else if (step.kind === 'loop') resolveLoop(step, here, options)
    else if (step.kind === 'option') resolveRegion(step.region, { least: 0, most: here.most }, options)
    else if (step.kind === 'branch')
      resolveRegion(step.region, step.count === undefined ? here : exactly(step.count), options)
  }
}

// --- internal ---

function addSteps(parts: Steps, steps: Step[]): void {
  for (const part of parts) {
    if ('kind' in part) steps.push(part)
    else addSteps(part, steps)
  }
}

const wayOf = (step: Step): Region['way'] => {
  if (step.kind === 'exit' || step.kind === 'throw') return step.kind
  if (step.kind === 'counter') return step.count === 0 ? 'exit' : undefined
  return 'region' in step ? step.region.way : undefined
}

const exactly = (count: number): Passes => ({ least: count, most: count })

// Each entry that did not end by itself has left at most one run of the body before its end.
function resolveLoop(
  { region, count, endCount, between, isWhole }: LoopStep,
  entry: Passes,
  options: Options,
): void {
  const wholeCount = isWhole ? Math.max(0, count - Math.max(0, entry.most - endCount)) : 0
  resolveRegion(region, exactly(count), options, wholeCount)
  const betweenCount = Math.max(wholeCount, count - entry.most)
  resolveRegion(between, { least: Math.max(0, betweenCount), most: count }, options)
}

/** For each step how often it was passed at least, by what follows it. */
function proofsFrom(steps: readonly Step[], last: number): readonly number[] {
  const proofs: number[] = []
  let proof = last
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const step = steps[index]
    if (step) proof = Math.max(proof, proofOf(step))
    proofs[index] = proof
  }
  return proofs
}

function proofOf(step: Step): number {
  const count = 'count' in step ? (step.count ?? 0) : 0
  if (!('region' in step)) return count
  const most = Math.max(count, step.region.proof)
  // The body of a loop runs several times for one pass.
  return step.kind === 'loop' ? Math.min(1, most) : most
}
