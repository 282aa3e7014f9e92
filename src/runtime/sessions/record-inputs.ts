import type { Deadline } from '../ports/deadline.ts'
import type { Page } from '../ports/page.ts'
import type { Target } from '../ports/page-values.ts'
import type { Outcome } from '../../core/failure.ts'
import { characterOfChord, parseChord } from '../../core/text/key-names.ts'
import type { RecordedAction, RecordedElement } from '../../core/recording/recorded-step.ts'
import type { Clock } from '../system/timer.ts'
import { settleWithin } from '../system/settle-within.ts'
import type { MockList } from '../../core/network/mock-list.ts'
import type { Recording } from '../../core/recording/recording.ts'

/** The methods that set what fields have. */
export function recordInputs(
  page: Page,
  record: RecordAction,
): Pick<Page, 'type' | 'fill' | 'submit' | 'select' | 'press' | 'upload'> {
  const onElement = createElementRecorder(page, record)
  const onFocused = createFocusRecorder(page, record)
  return {
    type(target, text, options, deadline) {
      const work = () => page.type(target, text, options, deadline)
      const action = { kind: 'type', text, ...options } as const
      if (target) return onElement(target, deadline, work, (element) => ({ ...action, element }))
      return onFocused(work, (isSecret) => (isSecret ? { ...action, isSecret } : action))
    },
    fill(target, value, deadline) {
      const work = () => page.fill(target, value, deadline)
      return onElement(target, deadline, work, (element) => ({ kind: 'fill', element, value }))
    },
    submit(target, deadline) {
      const work = () => page.submit(target, deadline)
      return onElement(target, deadline, work, (element) => ({ kind: 'submit', element }))
    },
    select(target, values, deadline) {
      const work = () => page.select(target, values, deadline)
      return onElement(
        target,
        deadline,
        work,
        (element) => ({ kind: 'select', element, values }),
        // A list of options that is no select has names only.
        (action, names) =>
          action.kind === 'select' && action.element.type !== 'select'
            ? { ...action, values: names }
            : action,
      )
    },
    press(key, target, holdMs, deadline) {
      const work = () => page.press(key, target, holdMs, deadline)
      const action = { kind: 'press', key, holdMs } as const
      const text = characterOf(key)
      if (target)
        return onElement(target, deadline, work, (element) =>
          element.isSecret && text !== undefined ? { kind: 'type', text, element } : { ...action, element },
        )
      if (text === undefined) return record(work, () => action)
      return onFocused(work, (isSecret) => (isSecret ? { kind: 'type', text, isSecret } : action))
    },
    upload(target, files, deadline) {
      const work = () => page.upload(target, files, deadline)
      const { paths } = files
      return onElement(
        target,
        deadline,
        work,
        (element) => ({ kind: 'upload', element, paths }),
        (action, method) => (method === 'dropped' ? ({ ...action, isDrop: true } as RecordedAction) : action),
      )
    },
  }
}

/** The methods of the mouse. */
export function recordPointer(
  page: Page,
  record: RecordAction,
): Pick<Page, 'click' | 'hover' | 'drag' | 'mouse'> {
  const onElement = createElementRecorder(page, record)
  return {
    click(target, options, deadline) {
      const work = () => page.click(target, options, deadline)
      return onElement(target, deadline, work, (element) => ({ kind: 'click', element, options }))
    },
    hover(target, deadline) {
      const work = () => page.hover(target, deadline)
      return onElement(target, deadline, work, (element) => ({ kind: 'hover', element }))
    },
    drag: (from, to, deadline) =>
      record(
        () => page.drag(from, to, deadline),
        async () => {
          const [element, end] = await Promise.all([
            page.describeElement(from, deadline),
            page.describeElement(to, deadline),
          ])
          return element && end && { kind: 'drag', element, to: end }
        },
      ),
    mouse: (action, deadline) =>
      record(
        () => page.mouse(action, deadline),
        () => ({ kind: 'other', tool: 'mouse' }),
      ),
  }
}

// --- internal ---

// A key that types a character into a secret field is a part of its value.
function characterOf(key: string): string | undefined {
  const chord = parseChord(key)
  return chord.ok ? characterOfChord(chord.value) : undefined
}

// The element that has the focus is read before the action, which may move the focus.
const createFocusRecorder =
  (page: Page, record: RecordAction) =>
  <T>(
    work: () => Promise<Outcome<T>>,
    toAction: (isSecret: boolean) => RecordedAction,
  ): Promise<Outcome<T>> => {
    const reading = page.isSecretFocused()
    const runAfterReading = async () => {
      await reading
      return work()
    }
    return record(runAfterReading, async () => toAction(await reading))
  }

const createElementRecorder =
  (page: Page, record: RecordAction) =>
  <T>(
    target: Target,
    deadline: Deadline,
    work: () => Promise<Outcome<T>>,
    toAction: (element: RecordedElement) => RecordedAction,
    complete?: (action: RecordedAction, value: T) => RecordedAction,
  ): Promise<Outcome<T>> =>
    record(
      work,
      async () => {
        const element = await page.describeElement(target, deadline)
        return element && toAction(element)
      },
      complete,
    )

/** Where actions are recorded, and what their records need to know. */
export interface Recorder {
  readonly recording: Recording
  readonly mocks: Pick<MockList, 'list'>
  readonly clock: Clock
  /** The `seq` of the newest entry of the timeline. */
  position(): number
}

/** Runs the work of an action and records it if it succeeds. `describe` runs beside it, `complete` after it. */
export type RecordAction = <T>(
  work: () => Promise<Outcome<T>>,
  describe: () => RecordedAction | undefined | Promise<RecordedAction | undefined>,
  complete?: (action: RecordedAction, value: T) => RecordedAction | Promise<RecordedAction>,
) => Promise<Outcome<T>>

// What an element was is known long before its action ends, or never.
const DESCRIPTION_TIMEOUT_MS = 2000

/** Records the actions of one page. */
export const createRecordAction =
  (page: Page, { recording, clock, position }: Recorder): RecordAction =>
  async (work, describe, complete = (action) => action) => {
    const seq = position()
    const { active: tab, all: tabsBefore } = page.tabIds()
    const urlBefore = page.url()
    const startedAt = clock()
    const description = Promise.resolve(describe())
    description.catch(() => {})
    const outcome = await work()
    if (!outcome.ok) return outcome
    const durationMs = clock() - startedAt
    const action = await settleWithin(DESCRIPTION_TIMEOUT_MS, description)
    if (!action || action instanceof Error) return outcome
    const openedTab = page.tabIds().all.find((id) => !tabsBefore.includes(id))
    recording.add({
      seq,
      tab: action.kind === 'closeTab' ? (action.id ?? tab) : tab,
      ...(openedTab !== undefined && { openedTab }),
      action: await complete(action, outcome.value),
      urlBefore,
      urlAfter: page.url(),
      durationMs,
    })
    return outcome
  }
