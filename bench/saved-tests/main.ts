// `bun bench/saved-tests/main.ts`: flows of six applications are played and saved as tests, which are then run in clean copies by the
// Playwright Test of the application, another version than that of Footlight, without and with bugs. `--apps react,vue`, `--flows TEXT` (a
// part of the name), `--runs 20`, `--restarts 2`, `--timeout MS` (of a test), `--scratch FOLDER` (is kept, with the tests), `--peer` (the
// same with @playwright/mcp), `--generator` (with Playwright's test generator), `--packages FOLDER` (with the peer installed), `--binary
// FILE` (instead of `dist/footlight`). The tables go to stdout.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { binary } from '../../test/support/client.ts'
import { install } from '../../test/support/npm.ts'
import { findBenchBrowser, versions } from '../peers.ts'
import { applications } from './applications.ts'
import { cloneApplication } from './clone.ts'
import type { Application, Flow } from './flow.ts'
import { measureSpecs, type Row } from './measure.ts'
import { formatReport } from './report.ts'
import { generateSpecs, pasteSpecs, saveSpecs, type Spec } from './specs.ts'

const { values } = parseArgs({
  options: {
    apps: { type: 'string' },
    flows: { type: 'string', default: '' },
    runs: { type: 'string', default: '20' },
    restarts: { type: 'string', default: '2' },
    timeout: { type: 'string', default: '30000' },
    scratch: { type: 'string' },
    peer: { type: 'boolean', default: false },
    generator: { type: 'boolean', default: false },
    packages: { type: 'string' },
    binary: { type: 'string', default: binary },
  },
})
const executablePath = findBenchBrowser()
const scratch = values.scratch ?? mkdtempSync(join(tmpdir(), 'fl-saved-tests-'))
const names = values.apps?.split(',')
const packages = values.peer
  ? (values.packages ?? install(`@playwright/mcp@${versions['@playwright/mcp']}`).folder)
  : ''
interface Contender {
  readonly title: string
  /** Plays the flows in a copy of the application at `folder`. */
  makeSpecs(application: Application, flows: readonly Flow[], folder: string): Promise<readonly Spec[]>
}
const saveTest: Contender = {
  title: 'save_test',
  makeSpecs: (_, flows, folder) => saveSpecs(flows, folder, values.binary, executablePath),
}
const pastedCode: Contender = {
  title: '@playwright/mcp, its code pasted',
  makeSpecs: (application, flows, folder) => pasteSpecs(application, flows, folder, packages, executablePath),
}
const testGenerator: Contender = {
  title: "Playwright's test generator",
  makeSpecs: (application, flows, folder) => generateSpecs(application, flows, folder, executablePath),
}
const contender = values.generator ? testGenerator : values.peer ? pastedCode : saveTest
const report = (text: string) => console.error(`bench: ${text}`)
const rows: Row[] = []

for (const application of applications) {
  if (names && !names.includes(application.name)) continue
  const flows = application.flows.filter(({ name }) => name.includes(values.flows))
  const folder = join(scratch, application.name)
  const recording = join(folder, 'recording')
  report(`${application.name}: ${flows.length} flows …`)
  await cloneApplication(application.name, recording)
  const specs = await contender.makeSpecs(application, flows, recording)
  keepSpecs(join(folder, 'specs'), specs)
  rows.push(
    ...(await measureSpecs(application, specs, join(folder, 'clean'), {
      runs: Number(values.runs),
      restarts: Number(values.restarts),
      timeout: Number(values.timeout),
      executablePath,
      env: application.env,
      report,
    })),
  )
  writeFileSync(join(scratch, 'rows.json'), JSON.stringify(rows, null, 1))
}
console.log(formatReport(contender.title, rows))
console.log(`\nThe tests are in ${scratch}.`)

/** For reading. */
function keepSpecs(folder: string, specs: readonly Spec[]): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { flow, text, answer, problem } of specs) {
    if (text !== undefined) writeFileSync(join(folder, `${flow}.spec.ts`), text)
    writeFileSync(join(folder, `${flow}.txt`), answer ?? problem ?? '')
    if (problem !== undefined) report(`${flow}: ${problem.slice(0, 1000)}`)
  }
}
