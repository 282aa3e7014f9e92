// A script is an expression, a function, or statements with `return`. Which of them is determined by compiling it here, never by running
// it here; in the page a content security policy could forbid the compilation.

import { runCallerScript } from '../in-page/generated.ts'
import type { ScriptError, SerializedValue } from '../in-page/page/serialize-value.ts'
import { attempt, isAborted, isScriptInterrupted, messageOf } from '../playwright/errors.ts'
import { composeInPage } from '../playwright/compose-in-page.ts'
import { runScript } from '../playwright/run-script.ts'
import type { Tab } from '../tab/tab.ts'
import { untracedCdpSession } from '../tab/tracing.ts'
import { locateTarget } from '../playwright/locator.ts'
import { actOnAny } from './explain-refusal.ts'
import { clip } from '../../base/text/clip.ts'
import type { Failure, Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { EvalResult } from '../../sessions/types/page.ts'
import type { Target } from '../../base/action.ts'

export async function evaluate(
  tab: Tab,
  script: string,
  arg: unknown,
  target: Target | undefined,
  deadline: Deadline,
): Promise<Outcome<EvalResult>> {
  const source = functionOf(script, target ? ['element', 'arg'] : ['arg'])
  if (!source.ok) return source
  // The script never runs here: its text is sent to the page.
  const run = composeInPage(runCallerScript, source.value)
  if (!target) return parseResult(runScript(tab.page, await untracedCdpSession(tab), run, arg))
  const targetResult = await locateTarget(tab.page, target, deadline)
  if (!targetResult.ok) return targetResult
  // First the element, then the script, so that their failures are not confused.
  const element = await actOnAny(targetResult.value, (options) =>
    targetResult.value.locator.elementHandle(options),
  )
  if (!element.ok) return element
  const outcome = await parseResult(element.value.evaluate(run, arg))
  element.value.dispose().catch(() => {})
  return outcome
}

async function parseResult(work: Promise<SerializedValue | ScriptError>): Promise<Outcome<EvalResult>> {
  const serializedResult = await attempt(work, scriptFailure)
  if (!serializedResult.ok) return serializedResult
  if ('error' in serializedResult.value) return err(describeScriptError(serializedResult.value.error))
  const { json, notes } = serializedResult.value
  return ok({ result: JSON.parse(json), notes })
}

/** The script as the source of one async function with these parameters; they are in scope in every form of script. */
export function functionOf(script: string, parameters: readonly string[]): Outcome<string> {
  const names = parameters.join(', ')
  const call = `((result) => typeof result === 'function' ? result(${names}) : result)`
  const expression = (text: string) => `async (${names}) => ${call}((${text}\n))`
  const forms = [
    expression(script),
    expression(script.replace(/;\s*$/, '')),
    `async (${names}) => {{ ${script}\n }}`,
  ]
  const problems = forms.map((form) => problemOf(`(${form})`))
  const form = forms[problems.indexOf(undefined)]
  return form === undefined
    ? err({ code: 'SCRIPT_ERROR', text: `SyntaxError: ${problems.at(-1)}` })
    : ok(form)
}

function problemOf(source: string): string | undefined {
  try {
    new Function(`return ${source}`)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function scriptFailure(error: Error): Failure {
  if (isAborted(error)) return { code: 'CANCELLED' }
  if (isScriptInterrupted(error)) {
    return { code: 'SCRIPT_ERROR', text: 'the page navigated away while the script ran' }
  }
  return describeScriptError(messageOf(error))
}

/** The failure of a script with this error and its stack of V8. The frames are those of the caller and of the page; only the latter have
 * lines, because the caller's script is part of a longer text. */
export function describeScriptError(error: string): Failure {
  const [text = '', ...rest] = error.split('\n')
  const frames = rest.map((line) => line.trim()).filter((line) => line.startsWith('at '))
  const end = frames.findLastIndex((frame) => /^at (?:async )?(?:\w+\.)?run \(<anonymous>/.test(frame))
  const stack = frames
    .slice(0, end < 0 ? undefined : end)
    .filter((frame) => !/UtilityScript|^at (?:async )?<anonymous>/.test(frame))
    .map((frame) => frame.replace(/ \((?:eval at .*, )?<anonymous>:\d+:\d+\)$/, ''))
    .slice(0, STACK_LIMIT)
  return {
    code: 'SCRIPT_ERROR',
    text: clip(text, 4000),
    ...(stack.length > 0 && { stack: stack.join('\n') }),
  }
}

const STACK_LIMIT = 5
