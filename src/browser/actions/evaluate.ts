// Scripts come as an expression, as a function, or as statements with `return`. Which one it is, is decided by compiling it here,
// never by running it here; the page's own content policy would forbid it to decide for itself.

import { serializeValue, type Limits } from '../in-page/serialize-value.ts'
import { attempt, isAborted, isTimeout, messageOf } from '../playwright/errors.ts'
import { runScript } from '../playwright/run-script.ts'
import type { Tab } from '../tab/tabs.ts'
import { shortcut } from '../tab/tracing.ts'
import { locate, explainMiss, targetFailure } from '../playwright/locator.ts'
import { clip } from '../../core/text/clip.ts'
import type { Failure, Outcome } from '../../core/failure.ts'
import { err, ok } from '../../core/result.ts'
import type { Call, Evaluated, Target } from '../../runtime/ports/page.ts'

const limits: Limits = { depth: 40, items: 20_000, chars: 200_000 }

export async function evaluate(
  tab: Tab,
  script: string,
  arg: unknown,
  target: Target | undefined,
  call: Call,
): Promise<Outcome<Evaluated>> {
  const source = functionOf(script, target ? ['element', 'arg'] : ['arg'])
  if (!source.ok) return source
  const run = runner(source.value)
  if (!target) return read(runScript(tab.page, await shortcut(tab), run, arg))
  const located = await locate(tab.page, target)
  if (!located.ok) return located
  // First the element, then the script, so that the one's failure is not taken for the other's.
  const element = await attempt(located.value.elementHandle(call), (error) =>
    isTimeout(error) ? explainMiss(located.value, target, call) : targetFailure(error, target),
  )
  if (!element.ok) return element
  const outcome = await read(element.value.evaluate(run, arg))
  element.value.dispose().catch(() => {})
  return outcome
}

type Described = { json: string; notes: string[] }

async function read(work: Promise<Described>): Promise<Outcome<Evaluated>> {
  const described = await attempt(work, scriptFailure)
  if (!described.ok) return described
  return ok({ result: JSON.parse(described.value.json), notes: described.value.notes })
}

// A function that is never called here: Playwright sends its text into the page. The script stands where no name of ours is in
// scope, because a page's own `describe` or `value` must be found. An error of any length is cut there, as a text.
const runner = (source: string): ((...given: unknown[]) => Promise<Described>) =>
  new Function(
    `return ((run, tell, cut) => (...given) => run(...given).then((value) => tell(value, ${JSON.stringify(limits)}), cut))(
      ${source},
      ${serializeValue.toString()},
      ${rethrow.toString()}
    )(...arguments)`,
  ) as (...given: unknown[]) => Promise<Described>

// Runs inside the page.
function rethrow(error: unknown): never {
  const told = error instanceof Error ? error.stack : error
  const text = typeof told === 'string' ? told : ''
  throw text.length > 20_000 ? `${text.slice(0, 20_000)}…` : error
}

/** The script as the text of one async function of these parameters; they are in its scope whatever form it has. */
export function functionOf(script: string, parameters: readonly string[]): Outcome<string> {
  const names = parameters.join(', ')
  const call = `((result) => typeof result === 'function' ? result(${names}) : result)`
  const expression = (text: string) => `async (${names}) => ${call}(${text}\n)`
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
  const [text = '', ...rest] = messageOf(error).split('\n')
  if (/^Execution context was destroyed/.test(text)) {
    return { code: 'SCRIPT_ERROR', text: 'the page navigated away while the script ran' }
  }
  const stack = rest.filter((line) => /^\s+at /.test(line) && !/UtilityScript/.test(line)).slice(0, 5)
  return {
    code: 'SCRIPT_ERROR',
    text: clip(text, 4000),
    ...(stack.length > 0 && { stack: stack.join('\n') }),
  }
}
