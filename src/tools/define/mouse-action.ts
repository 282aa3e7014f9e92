import { invalidParameter, type Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Modifier, MouseAction, MouseButton } from '../../runtime/ports/page/mouse.ts'

export const mouseActions = ['click', 'move', 'down', 'up', 'drag', 'wheel'] as const

type Kind = (typeof mouseActions)[number]

interface MouseInput {
  readonly action: Kind
  readonly x: number
  readonly y: number
  readonly toX?: number | undefined
  readonly toY?: number | undefined
  readonly deltaX?: number | undefined
  readonly deltaY?: number | undefined
  readonly button?: MouseButton | undefined
  readonly clickCount?: number | undefined
  readonly modifiers?: readonly Modifier[] | undefined
}

/** The fields that only some actions have. A field that its action would ignore is more likely a mistake. */
const ACTIONS_OF_FIELD = {
  toX: ['drag'],
  toY: ['drag'],
  deltaX: ['wheel'],
  deltaY: ['wheel'],
  button: ['click', 'down', 'up', 'drag'],
  clickCount: ['click'],
} as const satisfies Partial<Record<keyof MouseInput, readonly Kind[]>>

/** The action of an input; INVALID_PARAMETERS if it lacks a field of its action or has one of another. */
export function mouseActionOf(input: MouseInput): Outcome<MouseAction> {
  const { action: kind, x, y, toX, toY, deltaX = 0, deltaY = 0, button = 'left', clickCount = 1 } = input
  for (const [field, kinds] of Object.entries(ACTIONS_OF_FIELD) as [
    keyof typeof ACTIONS_OF_FIELD,
    readonly Kind[],
  ][])
    if (input[field] !== undefined && !kinds.includes(kind))
      return err(
        invalidParameter(field, `nothing with ${kind}, only with ${kinds.join(', ')}`, `${input[field]}`),
      )
  const base = { point: { x, y }, ...(input.modifiers && { modifiers: input.modifiers }) }
  if (kind === 'move') return ok({ ...base, kind })
  if (kind === 'click') return ok({ ...base, kind, button, clickCount })
  if (kind === 'wheel')
    return deltaX === 0 && deltaY === 0
      ? err(invalidParameter('deltaY', 'deltaX or deltaY other than 0', 'neither'))
      : ok({ ...base, kind, deltaX, deltaY })
  if (kind !== 'drag') return ok({ ...base, kind, button })
  if (toX === undefined || toY === undefined)
    return err(invalidParameter(toX === undefined ? 'toX' : 'toY', 'a coordinate', 'nothing'))
  return ok({ ...base, kind, button, to: { x: toX, y: toY } })
}
