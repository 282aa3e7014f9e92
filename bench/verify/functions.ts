// `bun bench/verify/functions.ts [PROGRAMS]`: what verify says of the lines of small functions, beside an instrumented build of the same ones.
// Each is called in several ways, each way alone and all together. No line that did not run may be said to have run; of the lines that ran,
// 97 % must be said to have run or to have run partly. `--show` prints what is wrong and what is left out.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInstrumenter } from 'istanbul-lib-instrument'
import { type CDPSession, chromium } from 'playwright-core'
import { parseSourceMap, type SourceMap } from '../../src/features/sources/parse-map.ts'
import type { FunctionRuns } from '../../src/features/verify/coverage/counted-script.ts'
import { readLineRuns } from '../../src/features/verify/coverage/read-line-runs.ts'
import { components, functions } from './function-list.ts'
import { generateProgram, type Program } from './generate.ts'

interface Truth {
  /** Whether each piece that begins on a line ran. */
  readonly statements: ReadonlyMap<number, readonly boolean[]>
  readonly branches: ReadonlyMap<number, readonly boolean[]>
}

interface Counts {
  samples: number
  lines: number
  wrong: number
  counted: number
  ran: number
  partly: number
  missed: number
  idle: number
  idlePartly: number
}

/** With `--exceptions` the debugger says whether an exception was thrown. */
const knowsExceptions = process.argv.includes('--exceptions')
const isVerbose = process.argv.includes('--show')
const generatedCount = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 300)

const HELPERS = `
  globalThis.nothing = {}
  let tape = []
  globalThis.d = () => tape.shift() === '1'
  globalThis.h = (type, props, ...children) =>
    typeof type === 'function' ? type({ ...props, children }) : { ...props, children }
  globalThis.press = (node, name, index = 0) => {
    const handlers = []
    const collect = (part) => {
      if (Array.isArray(part)) part.forEach(collect)
      else if (part && typeof part === 'object') { if (part[name]) handlers.push(part[name]); collect(part.children) }
    }
    collect(node)
    handlers[index]()
  }
  globalThis.ok = () => undefined
  globalThis.call = () => { if (tape.shift() === '1' && tape.shift() === '1') throw new Error('called'); return 1 }
  globalThis.wait = () => tape.shift() === '1' ? (tape.shift() === '1' ? new Promise(() => {}) : Promise.reject(1)) : Promise.resolve()
  globalThis.list = () => [...tape.splice(0, 2)].filter((bit) => bit === '1')
  globalThis.settle = async () => { for (let turn = 0; turn < 60; turn++) await undefined }
  globalThis.run = async (bits, begin) => {
    tape = [...bits]
    try {
      const value = begin()
      if (value && typeof value.next === 'function') {
        // A generator is abandoned after some steps, or ended from outside.
        const steps = tape.length % 4
        for (let step = 0; step < steps; step++) if ((await Promise.race([value.next(), settle()]))?.done) break
        if (tape.length % 2) await Promise.race([value.return(), settle()])
      } else if (value && typeof value.then === 'function') value.catch(() => {})
      await settle()
    } catch {}
    await settle()
  }`

async function evaluate(cdp: CDPSession, expression: string): Promise<unknown> {
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression,
    awaitPromise: true,
    returnByValue: true,
  })
  if (exceptionDetails && !/called|subject of/.test(exceptionDetails.exception?.description ?? ''))
    throw new Error(`${exceptionDetails.exception?.description}\n${expression}`)
  return result.value
}

const perform = (calls: readonly string[]) => `(async () => { ${calls.join('\n')} })()`

let lastSample = 0
/** Whether an exception was thrown in the sample. */
let hasThrown = false

/** What a browser runs, and the map to what was written. */
interface Script {
  readonly text: string
  readonly map?: SourceMap
  readonly json?: string
}

/** A block, so that no name of one sample meets those of another. */
const wrap = (source: string) => `{ globalThis.subject = undefined\n${source}\nglobalThis.subject = subject }`

const printer = new Bun.Transpiler({ loader: 'js', deadCodeElimination: false })

async function compile({ source, form }: Program): Promise<Script> {
  // The printer takes no assignment to a constant.
  if (form === 'printed' && !/a = 2/.test(source)) return { text: printer.transformSync(wrap(source)) }
  if (form !== 'tsx') return { text: wrap(source) }
  const folder = mkdtempSync(join(tmpdir(), 'verify-functions-'))
  writeFileSync(join(folder, 'subject.tsx'), source)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    '{ "compilerOptions": { "jsx": "react", "jsxFactory": "h", "jsxFragmentFactory": "F" } }',
  )
  const { outputs } = await Bun.build({
    entrypoints: [join(folder, 'subject.tsx')],
    format: 'iife',
    sourcemap: 'external',
  })
  const [script = '', json = ''] = await Promise.all(outputs.map((output) => output.text()))
  rmSync(folder, { recursive: true })
  const text = script.replace(/\/\/# debugId.*/, '')
  const map = await parseSourceMap(json, text)
  if (!map.ok) throw new Error('The compiled script has no map.')
  return { text, map: map.value, json }
}

async function readRuns(cdp: CDPSession, { text, map, json }: Script, calls: readonly string[]) {
  const url = `http://subject.test/${(lastSample += 1)}.js`
  const source = `${text}\n//# sourceURL=${url}`
  hasThrown = false
  await evaluate(cdp, source)
  await evaluate(cdp, perform(calls))
  const { result } = await cdp.send('Profiler.takePreciseCoverage')
  const functions = result.find((entry) => entry.url === url)?.functions ?? []
  const isWithoutExceptions = knowsExceptions && !hasThrown
  const sources = map ? await map.sources() : ['']
  const runs = await readLineRuns({ source, functions, json, isWithoutExceptions }, sources)
  return [...(runs?.values() ?? [])].flat()
}

async function readTruth(cdp: CDPSession, { text, map }: Script, calls: readonly string[]): Promise<Truth> {
  const path = `sample-${lastSample}`
  const instrumenter = createInstrumenter({ esModules: false, compact: false })
  await evaluate(cdp, instrumenter.instrumentSync(text, path))
  await evaluate(cdp, perform(calls))
  const data = JSON.parse(String(await evaluate(cdp, `JSON.stringify(__coverage__['${path}'])`)))
  await evaluate(cdp, `delete __coverage__['${path}']`)
  const statements = new Map<number, boolean[]>()
  const branches = new Map<number, boolean[]>()
  async function note(all: Map<number, boolean[]>, { start }: Range, count: number): Promise<void> {
    if (start.line === undefined) return
    const line = map
      ? (await map.find({ line: start.line, column: (start.column ?? 0) + 1 }))?.line
      : start.line
    if (line !== undefined) all.set(line, [...(all.get(line) ?? []), count > 0])
  }
  for (const [id, range] of Object.entries<Range>(data.statementMap))
    await note(statements, range, data.s[id])
  for (const [id, { decl }] of Object.entries<{ decl: Range }>(data.fnMap))
    await note(branches, decl, data.f[id])
  for (const [id, { type, locations }] of Object.entries<Branch>(data.branchMap))
    if (type !== 'if')
      for (const [index, range] of locations.entries()) await note(branches, range, data.b[id][index])
  return { statements, branches }
}

interface Range {
  readonly start: { readonly line?: number; readonly column?: number }
}
interface Branch {
  readonly type: string
  readonly locations: readonly Range[]
}

/** The word for each line, of all functions that have code on it. */
function wordsOf(functions: readonly FunctionRuns[]): ReadonlyMap<number, 'ran' | 'partly' | 'notRun'> {
  const words = new Map<number, 'ran' | 'partly' | 'notRun'>()
  for (const runs of functions)
    for (const word of ['ran', 'partly', 'notRun'] as const)
      for (const line of runs[word]) words.set(line, (words.get(line) ?? word) === word ? word : 'partly')
  return words
}

function judge(
  program: Program,
  calls: readonly string[],
  runs: readonly FunctionRuns[],
  truth: Truth,
  source: string,
  counts: Counts,
) {
  const words = wordsOf(runs)
  counts.samples += 1
  const lines = source.split('\n')
  const tell = (what: string, line: number) =>
    isVerbose &&
    process.stdout.write(
      `\n${what}: ${program.name} line ${line} of\n${lines.map((text, at) => `${(words.get(at + 1) ?? '').padEnd(7)}${String(at + 1).padStart(3)} ${text}`).join('\n')}\n  ${calls.join('\n  ')}\n`,
    )
  for (const line of new Set([...truth.statements.keys(), ...truth.branches.keys()])) {
    const statements = truth.statements.get(line) ?? []
    const all = [...statements, ...(truth.branches.get(line) ?? [])]
    const word = words.get(line)
    counts.lines += 1
    if (word === 'ran' && !all.every(Boolean)) {
      counts.wrong += 1
      tell('WRONG ran', line)
    }
    if (statements.some(Boolean)) {
      counts.counted += 1
      if (word === 'ran') counts.ran += 1
      else if (word === 'partly') counts.partly += 1
      else {
        counts.missed += 1
        tell('LEFT OUT', line)
      }
    } else if (!all.some(Boolean)) {
      counts.idle += 1
      if (word === 'partly') counts.idlePartly += 1
    }
  }
}

const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
  args: ['--no-sandbox'],
})
const newCounts = (): Counts => ({
  samples: 0,
  lines: 0,
  wrong: 0,
  counted: 0,
  ran: 0,
  partly: 0,
  missed: 0,
  idle: 0,
  idlePartly: 0,
})

/** V8 keeps every script of a page, so that each reading takes longer than the one before. */
const PROGRAMS_PER_PAGE = 20

async function openPage(isCounted: boolean) {
  const page = await browser.newPage()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Runtime.enable')
  if (isCounted) {
    await cdp.send('Profiler.enable')
    await cdp.send('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
    if (knowsExceptions) {
      await cdp.send('Debugger.enable')
      await cdp.send('Debugger.setPauseOnExceptions', { state: 'all' })
      cdp.on('Debugger.paused', () => {
        hasThrown = true
        void cdp.send('Debugger.resume')
      })
    }
  }
  await evaluate(cdp, HELPERS)
  return { cdp, close: () => page.close() }
}

async function judgeAll(programs: readonly Program[]): Promise<Counts> {
  const counts = newCounts()
  for (let first = 0; first < programs.length; first += PROGRAMS_PER_PAGE) {
    const [counted, instrumented] = [await openPage(true), await openPage(false)]
    for (const program of programs.slice(first, first + PROGRAMS_PER_PAGE)) {
      const script = await compile(program)
      for (const calls of [...program.calls.map((call) => [call]), program.calls]) {
        const runs = await readRuns(counted.cdp, script, calls)
        judge(
          program,
          calls,
          runs,
          await readTruth(instrumented.cdp, script, calls),
          script.map ? program.source : script.text,
          counts,
        )
      }
    }
    await counted.close()
    await instrumented.close()
  }
  return counts
}

try {
  const sets = {
    written: functions,
    'written, printed anew': functions.map((program) => ({ ...program, form: 'printed' as const })),
    TSX: components,
    generated: Array.from({ length: generatedCount }, (_, seed) =>
      generateProgram(seed + 1, seed % 2 ? 'printed' : undefined),
    ),
  }
  let wrong = 0
  for (const [name, programs] of Object.entries(sets)) {
    const counts = await judgeAll(programs)
    wrong += counts.wrong
    const share = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`
    process.stdout.write(
      `${name}: ${programs.length} programs, ${counts.samples} samples, ${counts.lines} lines; wrong "ran": ${counts.wrong}; ` +
        `of ${counts.counted} lines that ran, "ran" or "partly": ${share(counts.ran + counts.partly, counts.counted)}, "ran": ${share(counts.ran, counts.counted)}; ` +
        `of ${counts.idle} that did not, "partly": ${share(counts.idlePartly, counts.idle)}\n`,
    )
  }
  process.exitCode = wrong > 0 ? 1 : 0
} finally {
  await browser.close()
}
