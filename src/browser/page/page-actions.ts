import { checkRef } from '../actions/check-ref.ts'
import { awaitNavigation } from '../tab/navigation-watch.ts'
import type { RunOnTab } from './run-on-tab.ts'
import { click } from '../actions/click.ts'
import { evaluate } from '../actions/evaluate.ts'
import { drag, hover } from '../actions/hover-and-drag.ts'
import { runMouseAction } from '../actions/mouse.ts'
import { pressKey } from '../actions/press-key.ts'
import { upload } from '../actions/upload.ts'
import { focusWindow } from '../actions/editable-fields.ts'
import { fill, submit } from '../actions/fill.ts'
import { readFields } from '../actions/read-fields.ts'
import { selectOptions } from '../actions/select.ts'
import { type } from '../actions/type.ts'
import type { Tab } from '../tab/tab.ts'
import type { Outcome } from '../../core/failure.ts'
import type { ScriptActivity } from '../network/pending-requests.ts'
import type { OnFieldInput } from '../tab/page-redaction.ts'
import { ok } from '../../core/result.ts'
import type { Page } from '../../runtime/ports/page.ts'
import type { Target } from '../../runtime/ports/page-values.ts'

type PageActions = Pick<
  Page,
  | 'click'
  | 'type'
  | 'fill'
  | 'readFields'
  | 'submit'
  | 'select'
  | 'hover'
  | 'drag'
  | 'press'
  | 'mouse'
  | 'upload'
  | 'evaluate'
>

const noNote = () => ''
const noEffect = () => ({ note: '' })
const noValue = () => {}
const wasChosen = () => 'chosen' as const

/** The methods that act on the active tab. */
export function createPageActions(
  runOnTab: RunOnTab,
  scripts: ScriptActivity,
  onFieldInput: OnFieldInput,
): PageActions {
  const runOn = createActionRunner(runOnTab)
  const runInFront = createFrontRunner(runOn)
  return {
    click: (target, options, deadline) =>
      runInFront([target], (tab) => click(tab, target, options, deadline, scripts), noNote),
    type: (target, text, options, deadline) =>
      runInFront(
        [target],
        (tab) => {
          const typeText = () => type(tab, target, text, options, deadline, onFieldInput)
          return options.submit ? awaitNavigation(tab, typeText) : typeText()
        },
        noEffect,
      ),
    fill: (target, value, deadline) =>
      runInFront([target], (tab) => fill(tab, target, value, deadline, onFieldInput), noValue),
    async readFields(fields) {
      const contents = await runOnTab(async ({ page }) => ok(await readFields(page, fields)))
      return contents.ok ? contents.value : []
    },
    submit: (target, deadline) =>
      runInFront([], (tab) => awaitNavigation(tab, () => submit(tab.page, target, deadline)), noValue),
    select(target, values, deadline) {
      const choose = ({ page }: Tab) => selectOptions(page, target, values, deadline)
      return runInFront([target], choose, () => values)
    },
    hover: (target, deadline) => runOn([target], (tab) => hover(tab, target, deadline), noValue),
    drag: (from, to, deadline) =>
      runInFront([from, to], ({ page }) => drag(page, from, to, deadline), noNote),
    press: (key, target, holdMs, deadline) =>
      runInFront(
        [target],
        (tab) => awaitNavigation(tab, () => pressKey(tab.page, key, target, holdMs, deadline)),
        noValue,
      ),
    mouse: (action, deadline) =>
      runInFront(
        [],
        (tab) => awaitNavigation(tab, () => runMouseAction(tab.page, action, deadline)),
        () => ({ element: '', note: '' }),
      ),
    upload: (target, files, deadline) =>
      runOn([target], (tab) => upload(tab, target, files, deadline), wasChosen),
    evaluate: (script, arg, target, deadline) =>
      runOnTab(
        (tab) => evaluate(tab, script, arg, target, deadline),
        () => ({
          result: null,
          notes: ['a dialog or the closing of the tab interrupted the script; its result is lost'],
        }),
      ),
  }
}

// --- internal ---

/** Runs an action; its targets must be what they were read as. */
type RunAction = <T>(
  targets: readonly (Target | undefined)[],
  work: (tab: Tab) => Promise<Outcome<T>>,
  interruptedValue: () => T,
) => Promise<Outcome<T>>

const createActionRunner =
  (runOnTab: RunOnTab): RunAction =>
  (targets, work, interruptedValue) =>
    runOnTab(async (tab) => {
      const checks = await Promise.all(targets.map((target) => checkRef(tab.page, target)))
      return checks.find(isFailed) ?? work(tab)
    }, interruptedValue)

const createFrontRunner =
  (runAction: RunAction): RunAction =>
  (targets, work, interruptedValue) =>
    runAction(
      targets,
      async (tab) => {
        await focusWindow(tab.page)
        return work(tab)
      },
      interruptedValue,
    )

const isFailed = (outcome: Outcome<void>) => !outcome.ok
