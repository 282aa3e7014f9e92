import type { Redactor } from '../../../core/base/redaction/redactor.ts'
import { escapeRegExp } from '../../../core/base/text/escape-reg-exp.ts'
import type { RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import { type CurrentEmulation, type EmulationChange, mergeSettings } from '../../emulate/emulation.ts'
import { groupDigits, quoteText, STRING } from '../../lib/replay/literals.ts'
import { declareProcess, neededLine } from '../../lib/test-files/named-variables.ts'
import { type CodeScope, createCodeScope } from './code-scope.ts'
import { attachDialogs, divideSteps, isSetting, isUserAction } from './divide-steps.ts'
import { optionsOfEmulation } from './emulation-code.ts'
import { expandedCode, fieldsOf, formatValue, objectCode } from './format-value.ts'
import { nameFoundSecrets, nameSecrets } from './name-secrets.ts'
import { blockCode, printCode } from './print-code.ts'
import { stepCode } from './step-code.ts'
import { describeSteps } from './step-title.ts'
import type { TestPlan } from './test-plan.ts'

interface TestText {
  readonly text: string
  /** The names of the environment variables that the test reads; `nameSecrets` has their values. */
  readonly environment: readonly string[]
}

/** The text of a spec for Playwright Test, in TypeScript, without secrets. */
export function writeTest(plan: TestPlan): TestText {
  const scope = createCodeScope(plan, nameSecrets(plan))
  const { settings, others, steps } = takeLeadingEmulation(plan.steps)
  const state = stateCode(plan, scope)
  const useCode = optionsCode(plan, settings, scope)
  const limit = timeLimitOf(plan.steps)
  const body = bodyCode(others, steps, scope)
  const title = quoteText(scope.text.title(plan.title))
  const usesFiles = scope.fixtures.has('testInfo')
  const head = [
    ...(limit === undefined ? [] : [`test.setTimeout(${groupDigits(limit)});`]),
    ...(usesFiles ? ['const folder = dirname(testInfo.file);'] : []),
    ...state.inTest,
  ]
  const statements = head.length === 0 ? body : [...head, '', ...body]
  const fixtures = scope.fixtures.has('context') ? '{ context, page }' : '{ page }'
  const parameters = usesFiles ? `(${fixtures}, testInfo)` : `(${fixtures})`
  const testText = printCode(`test(${title}, async ${parameters} => ${blockCode(statements)});`)
  const imports = [
    ...(settings.device === undefined ? [] : ['devices']),
    ...(/\bexpect[.(]/.test(testText) ? ['expect'] : []),
    'test',
  ]
  const { environment } = scope.text
  const lines: readonly string[] = [
    ...(state.beforeTest.length > 0 ? [importLine(['readFileSync'], 'node:fs')] : []),
    ...(usesFiles ? [importLine(['dirname', 'join'], 'node:path')] : []),
    importLine(imports, '@playwright/test'),
    ...(plan.declaresProcess && environment.length > 0 ? ['', declareProcess(environment)] : []),
    ...(state.beforeTest.length > 0 ? ['', ...state.beforeTest.map(printCode)] : []),
    ...(useCode ? ['', printCode(useCode)] : []),
    '',
    testText,
  ]
  return { text: lines.map((line) => `${line}\n`).join(''), environment }
}

/** A test in which what looks like a secret is an environment variable too, or at least hidden. `secrets` has the values of those that it
 * reads. */
export function writeTestWithoutSecrets(
  plan: TestPlan,
  { findValues, redactText }: Pick<Redactor, 'findValues' | 'redactText'>,
): TestText & { readonly secrets: ReadonlyMap<string, string> } {
  const draft = writeTest(plan).text
  const secrets = nameFoundSecrets(draft, findValues(draft), nameSecrets(plan))
  const { text, environment } = writeTest({ ...plan, secrets, redact: redactText })
  return {
    text: [...neededLine(environment), text].join('\n'),
    environment,
    secrets: new Map([...secrets].filter(([name]) => environment.includes(name))),
  }
}

const importLine = (names: readonly string[], module: string): string =>
  `import { ${names.join(', ')} } from ${quoteText(module)};`

/** The settings that are emulated before a page is opened, and the steps without them; `others` have no option of `test.use`. */
function takeLeadingEmulation(steps: readonly RecordedStep[]): {
  readonly settings: CurrentEmulation
  readonly others: EmulationChange
  readonly steps: readonly RecordedStep[]
} {
  const first = steps.findIndex(({ action }) => !isSetting(action.kind))
  const leading = steps.slice(0, first < 0 ? steps.length : first)
  let settings: CurrentEmulation = {}
  for (const { action } of leading)
    if (action.kind === 'emulate') settings = mergeSettings(settings, action.change)
  return {
    settings,
    others: optionsOfEmulation(settings).others,
    steps: steps.filter((step) => step.action.kind !== 'emulate' || !leading.includes(step)),
  }
}

const STATE_VARIABLE = 'state'
const COUNTER_VARIABLE = 'counter'

/** What prepares a state with parts that Playwright does not restore as they have to be. */
function stateCode(
  { options: { storageState }, stateParts }: TestPlan,
  scope: CodeScope,
): { readonly beforeTest: readonly string[]; readonly inTest: readonly string[] } {
  const { hasPasskeys = false, hasSessionStorage = false } = stateParts ?? {}
  if (!hasPasskeys && !hasSessionStorage) return { beforeTest: [], inTest: [] }
  const path = formatValue(storageState, scope.text)
  const fillCode = blockCode([
    'if (origin !== location.origin || sessionStorage.length > 0) continue;',
    'for (const { name, value } of items) sessionStorage.setItem(name, value);',
  ])
  const loopCode = `for (const { origin, sessionStorage: items = [] } of origins) ${fillCode}`
  const context = hasSessionStorage ? scope.use('context') : ''
  return {
    beforeTest: [
      `const ${STATE_VARIABLE} = JSON.parse(readFileSync(${path}, 'utf8'));`,
      ...(hasPasskeys
        ? [
            '// A site refuses a signature counter that it has seen.',
            `const ${COUNTER_VARIABLE} = Math.floor((Date.now() - Date.UTC(2026, 0)) / 100);`,
            `for (const passkey of ${STATE_VARIABLE}.credentials) passkey.signCount = ${COUNTER_VARIABLE};`,
          ]
        : []),
    ],
    inTest: hasSessionStorage
      ? [
          '// Playwright does not restore session storage.',
          `await ${context}.addInitScript((origins) => ${blockCode([loopCode])}, ${STATE_VARIABLE}.origins);`,
        ]
      : [],
  }
}

function optionsCode(
  { options, stateParts }: TestPlan,
  settings: CurrentEmulation,
  scope: CodeScope,
): string | undefined {
  const emulated = optionsOfEmulation(settings).options
  const contextOptions = { ...asObject(options['contextOptions']), ...asObject(emulated['contextOptions']) }
  const merged = {
    ...options,
    ...emulated,
    ...(Object.keys(contextOptions).length > 0 && { contextOptions }),
  }
  // A device of another browser would choose that browser.
  const device =
    settings.device === undefined
      ? []
      : [`...devices[${scope.text.label(settings.device)}]`, "defaultBrowserType: 'chromium'"]
  const isPrepared = stateParts?.hasPasskeys || stateParts?.hasSessionStorage
  const { storageState: _, ...others } = merged as Readonly<Record<string, unknown>>
  const fields = fieldsOf(isPrepared ? others : merged, scope.text).filter(([, code]) => code !== undefined)
  const spread = isPrepared ? [...device, `storageState: ${STATE_VARIABLE}`] : device
  const count = fields.length + spread.length
  if (count === 0) return undefined
  return `test.use(${(count === 1 ? objectCode : expandedCode)(fields, scope.text, spread)});`
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

function bodyCode(
  others: EmulationChange,
  steps: readonly RecordedStep[],
  scope: CodeScope,
): readonly string[] {
  const first = steps[0]
  const emulation: readonly RecordedStep[] =
    first && Object.keys(others).length > 0 ? [{ ...first, action: { kind: 'emulate', change: others } }] : []
  const start = steps.findIndex(({ action }) => !isSetting(action.kind))
  const preparation = [...emulation, ...steps.slice(0, Math.max(0, start))]
  const rest = steps.slice(Math.max(0, start))
  const groups = groupSteps(rest)
  const codeOf = (list: readonly RecordedStep[]) =>
    shareFrames(
      attachDialogs(list).flatMap((step) => stepCode(step, scope)),
      scope,
    )
  const prepared = codeOf(preparation)
  if (!groups) return [...prepared, ...(prepared.length > 0 ? [''] : []), ...codeOf(rest)]
  const blocks = groups.map(({ title, steps: list }, index) => {
    const tabs = tabsOf(groups.slice(index + 1).flatMap((group) => group.steps))
    const namesBefore = new Set(tabs.map((tab) => scope.pageOf(tab)))
    const statements = codeOf(list)
    const pages = tabs.map((tab) => scope.pageOf(tab)).filter((name) => !namesBefore.has(name))
    return { title, statements, pages: [...new Set(pages)].filter((name) => name !== undefined) }
  })
  return [
    ...prepared,
    ...blocks.flatMap(({ title, statements, pages }, index) => [
      ...(index > 0 || prepared.length > 0 ? [''] : []),
      groupCode(scope.text.title(title), statements, pages),
    ]),
  ]
}

const tabsOf = (steps: readonly RecordedStep[]): readonly string[] => [
  ...new Set(steps.flatMap(({ action, tab }) => [tab, ...('id' in action && action.id ? [action.id] : [])])),
]

/** A part returns the pages that it opens and that are used later. */
function groupCode(title: string, statements: readonly string[], pages: readonly string[]): string {
  const result = pages.length > 1 ? `{ ${pages.join(', ')} }` : pages[0]
  const body = blockCode(result === undefined ? statements : [...statements, `return ${result};`])
  const call = `await test.step(${quoteText(title)}, async () => ${body});`
  return result === undefined ? call : `const ${result} = ${call}`
}

const DEFAULT_LIMIT_MS = 30_000

const ACTION_MS = 250
/** What takes longer waits for more than a busy machine: a page that is compiled first. */
const SLOW_ACTION_MS = 8000

/** A limit for the whole test if the recording makes it unlikely that the default suffices. */
function timeLimitOf(steps: readonly RecordedStep[]): number | undefined {
  // How long an action took says more about the machine that it was recorded on.
  const expectedMs = steps.reduce(
    (sum, { action, durationMs }) =>
      sum +
      (action.kind === 'check' ? 3 * durationMs : durationMs > SLOW_ACTION_MS ? 2 * durationMs : ACTION_MS),
    0,
  )
  if (expectedMs <= DEFAULT_LIMIT_MS - 5000) return undefined
  return Math.max(2, Math.ceil((1.2 * expectedMs) / DEFAULT_LIMIT_MS)) * DEFAULT_LIMIT_MS
}

/** The statements with a variable for each frame that they use more than once, declared before its first use. */
function shareFrames(statements: readonly string[], { frames, variable }: CodeScope): readonly string[] {
  if (frames.size === 0) return statements
  // A frame within another one is longer.
  const sources = [...frames].toSorted((a, b) => b.length - a.length).map(escapeRegExp)
  const anyFrame = new RegExp(sources.join('|'), 'g')
  const uses = statements.flatMap((statement) => statement.match(anyFrame) ?? [])
  const repeated = new Set(uses.filter((frame, index) => uses.indexOf(frame) !== index))
  const names = new Map<string, string>()
  for (const frame of uses)
    if (repeated.has(frame) && !names.has(frame)) names.set(frame, variable(variableBaseOf(frame)))
  const declared = new Set<string>()
  return statements.flatMap((statement) => {
    const first = [...new Set(statement.match(anyFrame))].filter(
      (frame) => names.has(frame) && !declared.has(frame),
    )
    const declarations = first.map((frame) => {
      declared.add(frame)
      return `const ${names.get(frame)} = ${shorten(frame)};`
    })
    return [...declarations, statement.replace(anyFrame, (frame) => names.get(frame) ?? frame)]
  })
}

/** `.locator(…).contentFrame()` as `.frameLocator(…)`. */
const shorten = (frame: string): string => frame.replace(LAST_LOCATOR, '.frameLocator($1)')

const LAST_LOCATOR = new RegExp(`\\.locator\\((${STRING}|[\\w.!]+)\\)\\.contentFrame\\(\\)$`)

const NAME_LIMIT_WORDS = 3

/** `helpFrame` for the one with the title Help. */
function variableBaseOf(key: string): string {
  const name = /(?:title|name|id)=\\?"([^"\\]+)|getByTitle\('([^'\\]+)|#([\w-]+)/
    .exec(key)
    ?.slice(1)
    .find(Boolean)
  const words = (name ?? '').match(/[A-Za-z][A-Za-z\d]*/g)?.slice(0, NAME_LIMIT_WORDS) ?? []
  if (words.length === 0) return 'frame'
  const others = words.slice(1).map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
  const base = [words[0]?.replace(/^[A-Z]+/, (letters) => letters.toLowerCase()), ...others].join('')
  return /frame$/i.test(base) ? base : `${base}Frame`
}

/** A named part of a test. */
interface StepGroup {
  readonly title: string
  readonly steps: readonly RecordedStep[]
}

/** The number of actions up to which a test has no named parts. */
const PLAIN_LIMIT_ACTIONS = 6

/** The named parts of a test; undefined if it is short. */
export function groupSteps(steps: readonly RecordedStep[]): readonly StepGroup[] | undefined {
  if (steps.filter(({ action }) => isUserAction(action)).length <= PLAIN_LIMIT_ACTIONS) return undefined
  const parts = divideSteps(steps)
  return parts.length > 1 ? parts.map((part) => ({ title: describeSteps(part), steps: part })) : undefined
}
