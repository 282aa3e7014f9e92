// Writes a Playwright test from a plan.

import { mergeSettings, type CurrentEmulation, type EmulationChange } from '../emulation.ts'
import type { Redactor } from '../redaction/redactor.ts'
import type { RecordedStep } from '../recording/recorded-step.ts'
import { optionsOfEmulation } from './actions/emulation-code.ts'
import { SOCKETS_VARIABLE } from './actions/socket-code.ts'
import { createCodeScope, type CodeScope } from './code-scope.ts'
import { formatValue } from './format-value.ts'
import { groupDigits, quoteText } from './literals.ts'
import { nameFoundSecrets, nameSecrets } from './name-secrets.ts'
import { callCode, printCode, type Code, type CodeList } from './print-code.ts'
import { shareFrames } from './share-frames.ts'
import { stepCode } from './step-code.ts'
import { attachDialogs } from './steps/attach-dialogs.ts'
import { isSetting } from './steps/divide-steps.ts'
import { groupSteps } from './steps/group-steps.ts'
import type { TestPlan } from './test-plan.ts'

export interface TestText {
  readonly text: string
  /** The names of the environment variables that the test reads; `nameSecrets` has their values. */
  readonly environment: readonly string[]
}

/** The text of a spec for Playwright Test, in TypeScript, without secrets. */
export function writeTest(plan: TestPlan): TestText {
  const scope = createCodeScope(plan, nameSecrets(plan))
  const { settings, others, steps } = takeLeadingEmulation(plan.steps)
  const useCode = optionsCode(plan, settings, scope)
  const limit = timeLimitOf(plan.steps)
  const body = bodyCode(others, steps, scope)
  const title = quoteText(scope.text.title(plan.title))
  const usesFiles = scope.fixtures.has('testInfo')
  const head = [
    ...(limit === undefined ? [] : [`test.setTimeout(${groupDigits(limit)});`]),
    ...(usesFiles ? ['const folder = dirname(testInfo.file);'] : []),
    ...(scope.pushes ? [`const ${SOCKETS_VARIABLE}: WebSocketRoute[] = [];`] : []),
  ]
  const statements = head.length === 0 ? body : [...head, '', ...body]
  const fixtures = scope.fixtures.has('context') ? '{ context, page }' : '{ page }'
  const parameters = usesFiles ? `(${fixtures}, testInfo)` : `(${fixtures})`
  const testText = printCode([`test(${title}, async ${parameters} => `, { statements }, ');'])
  const imports = [
    ...(settings.device === undefined ? [] : ['devices']),
    ...(/\bexpect[.(]/.test(testText) ? ['expect'] : []),
    'test',
    ...(scope.pushes ? ['type WebSocketRoute'] : []),
  ]
  const lines: readonly string[] = [
    ...(usesFiles ? [importLine(['dirname', 'join'], 'node:path')] : []),
    importLine(imports, '@playwright/test'),
    ...(useCode ? ['', printCode(useCode)] : []),
    '',
    testText,
  ]
  return { text: lines.map((line) => `${line}\n`).join(''), environment: scope.text.environment }
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
  const header = environment.length > 0 ? `// Needs in its environment: ${environment.join(', ')}.\n` : ''
  return {
    text: `${header}${text}`,
    environment,
    secrets: new Map([...secrets].filter(([name]) => environment.includes(name))),
  }
}

// --- internal ---

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

function optionsCode({ options }: TestPlan, settings: CurrentEmulation, scope: CodeScope): Code | undefined {
  const emulated = optionsOfEmulation(settings).options
  const contextOptions = { ...asObject(options['contextOptions']), ...asObject(emulated['contextOptions']) }
  const merged = {
    ...options,
    ...emulated,
    ...(Object.keys(contextOptions).length > 0 && { contextOptions }),
  }
  const code = formatValue(merged, scope.text) as CodeList
  // A device of another browser would choose that browser.
  const device =
    settings.device === undefined
      ? []
      : [`...devices[${scope.text.label(settings.device)}]`, "defaultBrowserType: 'chromium'"]
  const items = [...device, ...code.items]
  return items.length === 0 ? undefined : [callCode('test.use', [{ ...code, items }]), ';']
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {})

function bodyCode(
  others: EmulationChange,
  steps: readonly RecordedStep[],
  scope: CodeScope,
): readonly Code[] {
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
      scope.variable,
    )
  const prepared = codeOf(preparation)
  if (!groups) return [...prepared, ...separateBlocks(codeOf(rest), prepared.length > 0)]
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
function groupCode(title: string, statements: readonly Code[], pages: readonly string[]): Code {
  const result = pages.length > 1 ? `{ ${pages.join(', ')} }` : pages[0]
  return [
    result === undefined ? '' : `const ${result} = `,
    `await test.step(${quoteText(title)}, async () => `,
    { statements: result === undefined ? statements : [...statements, `return ${result};`] },
    ');',
  ]
}

const separateBlocks = (statements: readonly Code[], isPrepared: boolean): readonly Code[] =>
  isPrepared ? ['', ...statements] : statements

const DEFAULT_LIMIT_MS = 30_000

/** A limit for the whole test if the recording makes it unlikely that the default of 30 s suffices. */
const ACTION_MS = 250

function timeLimitOf(steps: readonly RecordedStep[]): number | undefined {
  // How long an action took says more about the machine that it was recorded on.
  const expectedMs = steps.reduce(
    (sum, { action, durationMs }) => sum + (action.kind === 'check' ? 3 * durationMs : ACTION_MS),
    0,
  )
  if (expectedMs <= DEFAULT_LIMIT_MS - 5000) return undefined
  return Math.max(2, Math.ceil((1.2 * expectedMs) / DEFAULT_LIMIT_MS)) * DEFAULT_LIMIT_MS
}
