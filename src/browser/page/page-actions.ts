import { awaitNavigation } from '../tab/navigation-watch.ts'
import type { RunOnTab } from './run-on-tab.ts'
import { click } from '../pointer/click.ts'
import { evaluate } from '../actions/evaluate.ts'
import { drag, hover } from '../pointer/hover-and-drag.ts'
import { pressKey } from '../actions/press-key.ts'
import { upload } from '../actions/upload.ts'
import { fill, submit } from '../forms/fill.ts'
import { selectOptions } from '../forms/select.ts'
import { type } from '../forms/type.ts'
import type { ScriptActivity } from '../network/pending-requests.ts'
import type { OnFieldInput } from '../secrets/typed-secrets.ts'
import type { Page } from '../../runtime/ports/page.ts'

type PageActions = Pick<
  Page,
  'click' | 'type' | 'fill' | 'submit' | 'select' | 'hover' | 'drag' | 'press' | 'upload' | 'evaluate'
>

const noNote = () => ''
const noValue = () => {}

/** The methods that act on the active tab. */
export function createPageActions(
  runOnTab: RunOnTab,
  scripts: ScriptActivity,
  onFieldInput: OnFieldInput,
): PageActions {
  return {
    click: (target, options, call) => runOnTab((tab) => click(tab, target, options, call, scripts), noNote),
    type: (target, text, options, call) =>
      runOnTab((tab) => {
        const typeText = () => type(tab, target, text, options, call, onFieldInput)
        return options.submit ? awaitNavigation(tab, typeText) : typeText()
      }, noNote),
    fill: (target, value, call) => runOnTab((tab) => fill(tab, target, value, call, onFieldInput), noValue),
    submit: (target, call) =>
      runOnTab((tab) => awaitNavigation(tab, () => submit(tab.page, target, call)), noValue),
    select: (target, values, call) =>
      runOnTab(
        ({ page }) => selectOptions(page, target, values, call),
        () => values,
      ),
    hover: (target, call) => runOnTab((tab) => hover(tab, target, call), noValue),
    drag: (from, to, call) => runOnTab(({ page }) => drag(page, from, to, call), noNote),
    press: (key, target, call) =>
      runOnTab((tab) => awaitNavigation(tab, () => pressKey(tab.page, key, target, call)), noValue),
    upload: (target, files, call) =>
      runOnTab(
        ({ page }) => upload(page, target, files, call),
        () => 'chosen' as const,
      ),
    evaluate: (script, arg, target, call) =>
      runOnTab(
        (tab) => evaluate(tab, script, arg, target, call),
        () => ({
          result: null,
          notes: ['a dialog or the closing of the tab interrupted the script; its result is lost'],
        }),
      ),
  }
}
