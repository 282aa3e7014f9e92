// The results of a test run as JUnit XML: what the schema of Jenkins allows, which other CI systems read too.

import { escapeInvisible } from '../../core/base/text/invisible-characters.ts'

/** One test of a run, by its last attempt. */
export interface TestResult {
  /** Relative to the workspace. */
  readonly file: string
  readonly title: string
  readonly project: string
  /** `interrupted`: the run ended before the test did. */
  readonly outcome: 'passed' | 'flaky' | 'failed' | 'interrupted' | 'skipped' | 'without browser'
  /** Milliseconds. */
  readonly duration: number
  /** Of one that did not end well: its messages, and the lines of the source. */
  readonly error?: string
  readonly output: string
}

/** `runError`: why the run is no success although no test of it failed, or why it did not end. */
export function renderJunit(results: readonly TestResult[], runError?: string): string {
  const run: TestResult[] =
    runError === undefined ? [] : [{ ...RUN_TEST, outcome: 'interrupted', error: runError }]
  const all = [...results, ...run]
  const suites = [...new Set(all.map(suiteOf))].map((name) =>
    renderSuite(
      name,
      all.filter((test) => suiteOf(test) === name),
    ),
  )
  return `${START} ${attributesOf(countsOf(all))}>\n${suites.join('\n')}\n</testsuites>\n`
}

/** Whether a file is one that `renderJunit` made. */
export const isOwnJunit = (text: string): boolean => text.startsWith(START)

// --- internal ---

const START = '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="footlight"'
const RUN_TEST = { file: 'playwright test', title: 'run', project: '', duration: 0, output: '' } as const

const suiteOf = ({ file, project }: TestResult): string => (project === '' ? file : `${file} [${project}]`)

const renderSuite = (name: string, tests: readonly TestResult[]): string => {
  const attributes = attributesOf({ name, ...countsOf(tests), skipped: count(tests, isSkipped) })
  return `<testsuite ${attributes}>\n${tests.map(caseOf).join('\n')}\n</testsuite>`
}

const isSkipped = ({ outcome }: TestResult): boolean => outcome === 'skipped' || outcome === 'without browser'

const count = (tests: readonly TestResult[], accept: (test: TestResult) => boolean): number =>
  tests.filter(accept).length

const countsOf = (tests: readonly TestResult[]) => ({
  tests: tests.length,
  failures: count(tests, ({ outcome }) => outcome === 'failed'),
  errors: count(tests, ({ outcome }) => outcome === 'interrupted'),
  time: secondsOf(tests.reduce((sum, { duration }) => sum + duration, 0)),
})

const secondsOf = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)

function caseOf(test: TestResult): string {
  const { title, duration, output } = test
  const attributes = attributesOf({ name: title, classname: suiteOf(test), time: secondsOf(duration) })
  const printed = output === '' ? '' : `<system-out>${escapeXml(output)}</system-out>`
  return `<testcase ${attributes}>${outcomeOf(test)}${printed}</testcase>`
}

function outcomeOf({ outcome, error = '' }: TestResult): string {
  if (outcome === 'skipped') return '<skipped/>'
  if (outcome === 'without browser') return '<skipped>Its browser is not installed.</skipped>'
  if (outcome === 'passed' || outcome === 'flaky') return ''
  const name = outcome === 'failed' ? 'failure' : 'error'
  const [message = ''] = error.split('\n')
  return `<${name} ${attributesOf({ message, type: outcome })}>${escapeXml(error)}</${name}>`
}

const attributesOf = (attributes: Readonly<Record<string, string | number>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}="${escapeXml(String(value)).replace(/[\t\n]/g, ' ')}"`)
    .join(' ')

// What XML cannot have, also not as a reference, is shown as an escape.
const escapeXml = (text: string): string =>
  escapeInvisible(text.toWellFormed())
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
